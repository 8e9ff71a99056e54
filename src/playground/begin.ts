import type { Deps } from '../deps.ts';
import { thumbprintOf } from '../lib/verifying-key.ts';
import { redirectWithin } from '../web/answers.ts';
import type { PageContext } from '../web/page-context.ts';
import { type PlaygroundClient, playgroundClient } from './demo-client.ts';
import { type Memory, type Pending, remember } from './flow-memory.ts';
import { authorizationQuery, encode, formRequest, parameterOf, parameters } from './messages.ts';
import type { HttpExchange } from './playground.view.ts';
import { sender } from './send.ts';

/** Sends the browser to the server with the authorization request; in a bound flow with a reference to it [9126 §4]. */
export async function begin(page: PageContext, memory: Memory, pending: Pending): Promise<void> {
  const { deps, res } = page;
  const client = await playgroundClient(deps);
  const tried: HttpExchange[] = [];
  const pushed = pending.key && (await sender(page, tried)('push_request', await pushRequest(deps, client, pending)));
  if (pushed && pushed.response?.status !== 201) {
    remember(page, { ...memory, tried });
    return redirectWithin(res, deps.config, '/playground/tried');
  }
  const next = { ...pending, pushed };
  remember(page, { ...memory, pending: next });
  const { query = [] } = authorizationRequest(deps, client, next).request;
  return redirectWithin(res, deps.config, `/authorize?${encode(query)}`);
}

/** The whole request, which the application sends itself [9126 §2.1], and the key to which it binds the code [9449 §10]. */
export async function pushRequest(
  { config }: Deps,
  client: PlaygroundClient,
  pending: Pending,
): Promise<HttpExchange['request']> {
  const { key } = pending;
  const dpop_jkt = key && thumbprintOf({ ...key });
  const body = [...authorizationQuery(client, pending), ...parameters({ dpop_jkt })];
  return { ...formRequest(`${config.issuer}/par`, client, {}), body };
}

/** The authorization request that the browser sends to the server. */
export function authorizationRequest({ config }: Deps, client: PlaygroundClient, pending: Pending): HttpExchange {
  const url = `${config.issuer}/authorize`;
  const { pushed } = pending;
  if (!pushed) {
    const query = authorizationQuery(client, pending);
    return { step: 'authorization_request', by: 'browser', request: { method: 'GET', url, query } };
  }
  const request_uri = parameterOf(pushed.response?.members, 'request_uri');
  const query = parameters({ client_id: client.client_id, request_uri });
  return { step: 'authorization_by_reference', by: 'browser', request: { method: 'GET', url, query } };
}
