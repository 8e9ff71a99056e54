import { createSecret, credentialKey } from '../lib/secrets.ts';
import { type Actor, redeem, refresh, requestUser } from './actor.ts';
import { expireAccessToken } from './demo.sql.ts';
import { createDpopKey } from './dpop-key.ts';
import type { Holding } from './flow-memory.ts';
import { authorizationQuery, formRequest, newPending, newSecret, parameters, tokenRequest } from './messages.ts';
import type { PlaygroundBreak, PlaygroundTheft, PlaygroundUse } from './playground.view.ts';

/** What is left to a thief who has read a request of the application, with its token and its proof, but has no private key. */
const thefts: Record<PlaygroundTheft, (actor: Actor) => Promise<unknown>> = {
  stolen_bearer: ({ deps, send, holding }) => {
    const request = tokenRequest(`${deps.config.issuer}/user`, holding.access_token ?? '', 'Bearer');
    return send(holding.key ? 'stolen_bearer' : 'stolen_accepted', request);
  },

  stolen_replayed: async (actor) => {
    const { request } = await requestUser(actor);
    await actor.send('stolen_replayed', request);
  },

  stolen_other_key: async (actor) => {
    await requestUser({ ...actor, holding: { ...actor.holding, key: createDpopKey() } }, 'stolen_other_key');
  },
};

/** Sends its requests, which are then shown; the server treats them like those of any client. */
type Attempt = (actor: Actor) => Promise<unknown>;

export const attempts: Record<PlaygroundUse | Exclude<PlaygroundBreak, 'wrong_verifier'> | PlaygroundTheft, Attempt> = {
  ...thefts,

  refresh: async (actor) => {
    await refresh(actor);
    await requestUser(actor);
  },

  /** Asks for a token that shows one of the things that were chosen [9396 §6]; the next refresh can have all of them again. */
  narrow: async (actor) => {
    await refresh(actor, 'narrowed_request', { authorization_details: JSON.stringify([actor.holding.chosen]) });
    await requestUser(actor);
  },

  /** Writes the name that is already stored: with the permission nothing changes, without it the server refuses. */
  change_profile: (actor) => {
    const headers = parameters({ 'Content-Type': 'application/x-www-form-urlencoded' });
    const body = parameters({ name: actor.holding.name });
    return requestUser(actor, 'change_request', { method: 'PATCH', headers, body });
  },

  revoke: async (actor) => {
    const { deps, client, send, holding } = actor;
    const form = { token: holding.access_token };
    await send('revocation_request', formRequest(`${deps.config.issuer}/revoke`, client, form));
    await requestUser(actor, 'revoked_token');
  },

  reused_code: async (actor) => {
    await redeem(actor, 'reused_code');
    if (actor.holding.access_token) await requestUser(actor, 'revoked_token');
    forgetTokens(actor.holding);
  },

  foreign_redirect_uri: ({ deps, client, send }) => {
    const foreign = { ...client, redirect_uri: 'https://attacker.example/callback' };
    const query = authorizationQuery(foreign, newPending('plain'));
    return send('foreign_redirect_uri', { method: 'GET', url: `${deps.config.issuer}/authorize`, query });
  },

  /** Expires the token in the database, to show in a moment what takes an hour: no client could do that. */
  expired_token: async (actor) => {
    const { deps, client, holding } = actor;
    await expireAccessToken(deps.database, credentialKey(holding.access_token ?? ''), client.client_id);
    await requestUser(actor, 'expired_token');
    if (holding.refresh_token === undefined) return;
    await refresh(actor);
    await requestUser(actor);
  },

  /** Two refreshes: as long as the successor is unused, the old token is answered as a repeated request. */
  refresh_replay: async (actor) => {
    const old = { ...actor.holding };
    await refresh(actor);
    await refresh(actor);
    await refresh({ ...actor, holding: old }, 'refresh_replay');
    await requestUser(actor, 'revoked_token');
    forgetTokens(actor.holding);
  },

  wrong_secret: async (actor) => {
    const client = { ...actor.client, client_secret: createSecret('client_secret') };
    await refresh({ ...actor, client, holding: { ...actor.holding } }, 'wrong_secret');
    await requestUser(actor);
  },

  tampered_token: (actor) => {
    const { access_token = '' } = actor.holding;
    const tampered = access_token.slice(0, 12) + (access_token[12] === 'A' ? 'B' : 'A') + access_token.slice(13);
    return requestUser({ ...actor, holding: { ...actor.holding, access_token: tampered } }, 'tampered_token');
  },

  token_twice: (actor) =>
    requestUser(actor, 'token_twice', { query: parameters({ access_token: actor.holding.access_token }) }),
};

/** The uses and attacks that are possible with the credentials that are left. */
export function offers({ code, access_token, refresh_token, name, chosen, key }: Holding): {
  uses: PlaygroundUse[];
  breaks: PlaygroundBreak[];
  thefts: PlaygroundTheft[];
} {
  const uses: PlaygroundUse[] = [];
  const breaks: PlaygroundBreak[] = ['wrong_verifier', 'foreign_redirect_uri'];
  if (code) breaks.unshift('reused_code');
  if (refresh_token) uses.push('refresh');
  if (refresh_token && chosen) uses.push('narrow');
  if (access_token) {
    if (name) uses.push('change_profile');
    uses.push('revoke');
    breaks.push('expired_token', 'tampered_token', 'token_twice');
  }
  if (access_token && refresh_token) breaks.push('refresh_replay', 'wrong_secret');
  // without a key, there is nothing that a thief lacks
  const ways: PlaygroundTheft[] = key ? ['stolen_bearer', 'stolen_replayed', 'stolen_other_key'] : ['stolen_bearer'];
  return { uses, breaks, thefts: access_token ? ways : [] };
}

/** Redeems a code with a wrong code_verifier, then with the right one, which is too late. */
export async function redeemWrongly(actor: Actor): Promise<void> {
  await redeem(actor, 'wrong_verifier', newSecret(32));
  await redeem(actor, 'spent_code');
}

function forgetTokens(holding: Holding): void {
  holding.code = undefined;
  holding.access_token = undefined;
  holding.refresh_token = undefined;
}
