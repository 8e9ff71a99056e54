import { createHash } from 'node:crypto';
import type { SignedInPage } from '../../identity/person.ts';
import type { PasskeyRow, PasskeysSection, Signals } from './account-passkeys.view.ts';
import {
  findPasskeyHandle,
  listPasskeysOfUser,
  maxPasskeys,
  type PasskeyOfUser,
  shownPasskey,
} from './passkeys.sql.ts';

/** Whether this person signs in here, at a host that can have passkeys. */
export function canHavePasskeys({ deps, user }: SignedInPage): boolean {
  return deps.config.passkeys !== undefined && user.source === 'here';
}

/** Names a passkey in an address. */
export function handleOf({ credential_id }: Pick<PasskeyOfUser, 'credential_id'>): string {
  return createHash('sha256').update(credential_id).digest('hex').slice(0, 32);
}

/** Returns the section of the account page; undefined where browsers make no passkeys. */
export async function passkeysSection(page: SignedInPage): Promise<PasskeysSection | undefined> {
  const { deps, user } = page;
  const { base, passkeys, passwords } = deps.config;
  if (passwords && !passkeys) return undefined;
  const is_elsewhere = !canHavePasskeys(page);
  const own = is_elsewhere ? [] : await listPasskeysOfUser(deps.database, user.user_id);
  const signsInAlone = own.some(({ user_verified, rp_id }) => user_verified && rp_id === passkeys?.rp_id);
  return {
    is_elsewhere,
    signals: is_elsewhere ? undefined : await signalsOf(page, own),
    rows: own.map((passkey) => rowOf(page, passkey)),
    is_full: own.length >= maxPasskeys,
    new_href: `${base}/account/passkeys/new`,
    new_key_href: `${base}/account/passkeys/new-key`,
    remove_password_href: user.has_password && signsInAlone ? `${base}/account/password/remove` : undefined,
    set_password_href: user.has_password || is_elsewhere ? undefined : `${base}/account/password/set`,
  };
}

/**
 * What the password manager of the signed-in person is told: a passkey that was removed here is offered no more. A passkey that was
 * removed by other means goes at the next view.
 */
async function signalsOf({ deps, user }: SignedInPage, own: readonly PasskeyOfUser[]): Promise<Signals | undefined> {
  const rpId = deps.config.passkeys?.rp_id;
  const handle = rpId === undefined ? undefined : await findPasskeyHandle(deps.database, user.user_id);
  if (!handle) return undefined;
  const whose = { rpId, userId: handle.toString('base64url') };
  const accepted = own.filter(({ rp_id }) => rp_id === rpId);
  return {
    signalAllAcceptedCredentials: {
      ...whose,
      allAcceptedCredentialIds: accepted.map(({ credential_id }) => credential_id.toString('base64url')),
    },
    signalCurrentUserDetails: { ...whose, name: user.username, displayName: user.name ?? user.username },
  };
}

export function rowOf({ deps: { config } }: SignedInPage, passkey: PasskeyOfUser): PasskeyRow {
  return {
    ...shownPasskey(passkey),
    href: `${config.base}/account/passkeys/${handleOf(passkey)}`,
    other_host: passkey.rp_id === config.passkeys?.rp_id ? undefined : passkey.rp_id,
  };
}
