import { randomBytes } from 'node:crypto';
import { type FakeProvider, type SigningKey, signIdToken } from './openid-provider.ts';

type Json = Record<string, unknown>;

export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export const inSeconds = () => Math.floor(Date.now() / 1000);

const without = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** A logout token that would be accepted, with changes; undefined leaves a member out. */
export function logoutToken(
  op: FakeProvider,
  claims: Json,
  { header = {}, key = op.keys.at(-1) }: { header?: Json; key?: SigningKey | undefined } = {},
): string {
  if (!key) throw new Error('the provider has no key');
  const now = inSeconds();
  const usual = {
    iss: op.issuer,
    aud: op.client_id,
    iat: now,
    exp: now + 120,
    jti: randomBytes(12).toString('hex'),
    events: { [logoutEvent]: {} },
  };
  const all = { alg: key.alg, kid: key.kid, typ: 'logout+jwt', ...header };
  return signIdToken(key, without(all), without({ ...usual, ...claims }));
}

export async function sendLogout(
  origin: string,
  body: string | Record<string, string>,
  name = 'acme',
): Promise<Response> {
  return fetch(`${origin}/login/provider/${name}/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: typeof body === 'string' ? new URLSearchParams({ logout_token: body }) : new URLSearchParams(body),
  });
}

/** A bearer token that would be accepted at /revoke-subject of `origin`, with changes. */
export function revocationToken(
  op: FakeProvider,
  origin: string,
  claims: Json = {},
  { header = {}, key }: { header?: Json; key?: SigningKey } = {},
): string {
  const usual = { sub: op.client_id, aud: `${origin}/revoke-subject`, events: undefined };
  const typed = { typ: 'global-token-revocation+jwt', ...header };
  return logoutToken(op, { ...usual, ...claims }, { header: typed, ...(key && { key }) });
}
