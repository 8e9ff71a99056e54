import type { HttpExchange, PlaygroundBreak, PlaygroundUse } from '../pages/views/playground.ts';
import { createSecret, credentialKey } from '../protocol/secrets.ts';
import { expireAccessToken } from '../store/demo.ts';
import { type Actor, readUser, redeem, refresh } from './actor.ts';
import type { Holding } from './memory.ts';
import { authorizationQuery, bearerRequest, formRequest, newPending, newSecret, parameters } from './messages.ts';

type Attempt = (actor: Actor) => Promise<HttpExchange[]>;

/** Each attempt sends the requests that it shows; the server treats them like those of any client. */
export const attempts: Record<PlaygroundUse | Exclude<PlaygroundBreak, 'wrong_verifier'>, Attempt> = {
  refresh: async (actor) => [await refresh(actor), await readUser(actor)],

  /** Writes the name that is already stored: with the permission nothing changes, without it the server refuses. */
  change_profile: async ({ deps, send, holding }) => {
    const { url, headers = [] } = bearerRequest(`${deps.config.issuer}/user`, holding.access_token ?? '');
    const type = parameters({ 'Content-Type': 'application/x-www-form-urlencoded' });
    const body = parameters({ name: holding.name });
    return [await send('change_request', { method: 'PATCH', url, headers: [...headers, ...type], body })];
  },

  revoke: async (actor) => {
    const { deps, client, send, holding } = actor;
    const form = { token: holding.access_token };
    const revoked = await send('revocation_request', formRequest(`${deps.config.issuer}/revoke`, client, form));
    return [revoked, await readUser(actor, 'revoked_token')];
  },

  reused_code: async (actor) => {
    const reused = await redeem(actor, 'reused_code');
    const after = actor.holding.access_token ? [await readUser(actor, 'revoked_token')] : [];
    forgetTokens(actor.holding);
    return [reused, ...after];
  },

  foreign_redirect_uri: async ({ deps, client, send }) => {
    const foreign = { ...client, redirect_uri: 'https://attacker.example/callback' };
    const query = authorizationQuery(foreign, newPending());
    return [await send('foreign_redirect_uri', { method: 'GET', url: `${deps.config.issuer}/authorize`, query })];
  },

  /** Expires the token in the database, to show in a moment what takes an hour: no client could do that. */
  expired_token: async (actor) => {
    const { deps, client, holding } = actor;
    await expireAccessToken(deps.database, credentialKey(holding.access_token ?? ''), client.client_id);
    const expired = await readUser(actor, 'expired_token');
    if (holding.refresh_token === undefined) return [expired];
    return [expired, await refresh(actor), await readUser(actor)];
  },

  /** Two refreshes: as long as the successor is unused, the old token is answered as a repeated request. */
  refresh_replay: async (actor) => {
    const old = { ...actor.holding };
    const rotated = [await refresh(actor), await refresh(actor)];
    const replay = await refresh({ ...actor, holding: old }, 'refresh_replay');
    const exchanges = [...rotated, replay, await readUser(actor, 'revoked_token')];
    forgetTokens(actor.holding);
    return exchanges;
  },

  wrong_secret: async (actor) => {
    const client = { ...actor.client, client_secret: createSecret('client_secret') };
    const refused = await refresh({ ...actor, client, holding: { ...actor.holding } }, 'wrong_secret');
    return [refused, await readUser(actor)];
  },

  tampered_token: async (actor) => {
    const { access_token = '' } = actor.holding;
    const tampered = access_token.slice(0, 12) + (access_token[12] === 'A' ? 'B' : 'A') + access_token.slice(13);
    return [await readUser({ ...actor, holding: { access_token: tampered } }, 'tampered_token')];
  },

  token_twice: async ({ deps, send, holding }) => {
    const request = bearerRequest(`${deps.config.issuer}/user`, holding.access_token ?? '');
    return [await send('token_twice', { ...request, query: parameters({ access_token: holding.access_token }) })];
  },
};

/** The uses and attacks that are possible with the credentials that are left. */
export function offers({ code, access_token, refresh_token, name }: Holding): {
  uses: PlaygroundUse[];
  breaks: PlaygroundBreak[];
} {
  const uses: PlaygroundUse[] = [];
  const breaks: PlaygroundBreak[] = ['wrong_verifier', 'foreign_redirect_uri'];
  if (code) breaks.unshift('reused_code');
  if (refresh_token) uses.push('refresh');
  if (access_token) {
    if (name) uses.push('change_profile');
    uses.push('revoke');
    breaks.push('expired_token', 'tampered_token', 'token_twice');
  }
  if (access_token && refresh_token) breaks.push('refresh_replay', 'wrong_secret');
  return { uses, breaks };
}

/** Redeems a code with a wrong code_verifier, then with the right one, which is too late. */
export async function redeemWrongly(actor: Actor): Promise<HttpExchange[]> {
  return [await redeem(actor, 'wrong_verifier', newSecret(32)), await redeem(actor, 'spent_code')];
}

function forgetTokens(holding: Holding): void {
  holding.code = undefined;
  holding.access_token = undefined;
  holding.refresh_token = undefined;
}
