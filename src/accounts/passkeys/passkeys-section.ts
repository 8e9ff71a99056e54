import { createHash } from 'node:crypto';
import type { SignedInPage } from '../../identity/person.ts';
import type { PasskeyRow, PasskeysSection } from './account-passkeys.view.ts';
import { listPasskeysOfUser, maxPasskeys, type PasskeyOfUser, shownPasskey } from './passkeys.sql.ts';

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
    rows: own.map((passkey) => rowOf(page, passkey)),
    is_full: own.length >= maxPasskeys,
    new_href: `${base}/account/passkeys/new`,
    new_key_href: `${base}/account/passkeys/new-key`,
    remove_password_href: user.has_password && signsInAlone ? `${base}/account/password/remove` : undefined,
    set_password_href: user.has_password || is_elsewhere ? undefined : `${base}/account/password/set`,
  };
}

function rowOf({ deps: { config } }: SignedInPage, passkey: PasskeyOfUser): PasskeyRow {
  return {
    ...shownPasskey(passkey),
    href: `${config.base}/account/passkeys/${handleOf(passkey)}`,
    other_host: passkey.rp_id === config.passkeys?.rp_id ? undefined : passkey.rp_id,
  };
}
