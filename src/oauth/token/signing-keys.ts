import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import type { Claims } from '../../lib/jwt.ts';
import { createKeyPair, type PublicJwk, readPrivateKey, type SigningKey, signOwnJwt } from '../../lib/own-jwt.ts';
import { seal, unseal } from '../../lib/sealing.ts';
import type { Database } from '../../postgres/database.ts';
import { keptFor } from '../../postgres/kept.ts';
import { addSigningKey, listSigningKeys, needsSigningKey, type StoredSigningKey } from './signing-keys.sql.ts';

type KeyDeps = Pick<Deps, 'database' | 'sessionSecrets'>;
type LoggingDeps = KeyDeps & Pick<Deps, 'log'>;

const purpose = 'signing key';

/** Signs with the current key, which is made if there is none. */
export async function sign(deps: LoggingDeps, claims: Claims, typ: string, trace: Trace): Promise<string> {
  return signOwnJwt(await currentKey(deps, trace), claims, typ);
}

/** A retired key signs for that long, and is published for a day. */
const current = keptFor<SigningKey>(5000);

export function currentKey(deps: LoggingDeps, trace: Trace): Promise<SigningKey> {
  return current(deps.database, () => findOrAddCurrentKey(deps, trace));
}

/** The newest key that may sign, that was sealed with a secret that this instance has, and that belongs to its row. */
async function findOrAddCurrentKey(deps: LoggingDeps, trace: Trace): Promise<SigningKey> {
  const keys = await listSigningKeys(deps.database);
  for (const stored of keys.filter(({ may_sign }) => may_sign)) {
    const key = openKey(deps.sessionSecrets, stored);
    if (key) return key;
  }
  logAddedKey(deps, trace, await addKey(deps, keys, { signsAtOnce: true }, trace));
  // again, since another instance may have added a key first
  return findOrAddCurrentKey(deps, trace);
}

/** The keys to publish. The first one is made before it signs where others wait for it: some APIs do not start with an empty set. */
export async function listPublishedKeys(
  deps: LoggingDeps & Pick<Deps, 'config'>,
  trace: Trace,
): Promise<StoredSigningKey[]> {
  const keys = await listSigningKeys(deps.database);
  const isNeeded = deps.config.website !== undefined || (await needsSigningKey(deps.database));
  if (keys.length > 0 || !isNeeded) return keys;
  await currentKey(deps, trace);
  return listSigningKeys(deps.database);
}

/** The public part of a key that may have signed a JWT that is still valid. */
export async function findPublicKey(database: Database, kid: string): Promise<PublicJwk | undefined> {
  const keys = await listSigningKeys(database);
  return keys.find((key) => key.kid === kid)?.public_jwk;
}

/** Adds a key that will replace the current one. False if the newest key is sealed with a secret that is not known here. */
export async function rotateKey(deps: KeyDeps, trace: Trace): Promise<boolean> {
  const keys = await listSigningKeys(deps.database);
  const [newest] = keys;
  if (newest && !openKey(deps.sessionSecrets, newest)) return false;
  await addKey(deps, keys, { signsAtOnce: keys.length === 0 }, trace);
  return true;
}

/** Replaces a key that is old or was sealed with a secret that is about to be withdrawn. */
export async function rotateKeyIfDue(deps: LoggingDeps, trace: Trace): Promise<void> {
  const keys = await listSigningKeys(deps.database);
  const [newest] = keys;
  if (!newest) return;
  const isDue = newest.is_old || !openKey(deps.sessionSecrets.slice(0, 1), newest);
  if (isDue) logAddedKey(deps, trace, await addKey(deps, keys, { signsAtOnce: false }, trace));
}

/** The seal says nothing about the row in which it stands: of two rows whose seals were exchanged, neither signs. */
function openKey(secrets: readonly string[], stored: StoredSigningKey): SigningKey | undefined {
  const private_key = unseal(secrets, purpose, stored.sealed_private_key);
  return private_key && readPrivateKey(stored, private_key);
}

/** The id of the new key; undefined if another instance was faster. */
async function addKey(
  { database, sessionSecrets }: KeyDeps,
  [newest]: readonly StoredSigningKey[],
  start: { signsAtOnce: boolean },
  trace: Trace,
): Promise<string | undefined> {
  const { kid, public_jwk, private_key } = createKeyPair();
  const sealed_private_key = seal(sessionSecrets[0] ?? '', purpose, private_key);
  const key = { kid, public_jwk, sealed_private_key, predecessor: newest?.kid ?? '' };
  const isAdded = await addSigningKey(database, key, start, trace);
  return isAdded ? kid : undefined;
}

function logAddedKey(deps: LoggingDeps, trace: Trace, detail: string | undefined): void {
  if (detail !== undefined) logEvent(deps, trace, { event: 'signing_key_added', detail });
}

/** Newest first, without the private keys. */
export function describeKeys(keys: readonly StoredSigningKey[]) {
  const current = keys.find(({ may_sign }) => may_sign);
  return keys.map((key) => {
    const { kid, published_at, signs_from, may_sign } = key;
    const state = !may_sign ? ('next' as const) : key === current ? ('current' as const) : ('previous' as const);
    return { kid, state, published_at, signs_from };
  });
}
