import { type Actor, requestUser } from './actor.ts';
import { createDpopKey } from './dpop-key.ts';
import { tokenRequest } from './messages.ts';
import type { PlaygroundTheft } from './playground.view.ts';

/** What is left to a thief who has read a request of the application, with its token and its proof, but has no private key. */
export const thefts: Record<PlaygroundTheft, (actor: Actor) => Promise<unknown>> = {
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
