import type { Deps } from '../deps.ts';
import type { PlaygroundClient } from './demo-client.ts';
import { createDpopProof, type DpopKey } from './dpop-key.ts';
import type { Holding } from './flow-memory.ts';
import { formRequest, type HttpRequest, parameterOf, parameters, tokenRequest } from './messages.ts';
import type { HttpExchange, PlaygroundStep } from './playground.view.ts';
import type { Send } from './send.ts';

/** The playground as a client: its registration, how it sends requests, and its tokens, which change with every response. */
export interface Actor {
  deps: Deps;
  client: PlaygroundClient;
  send: Send;
  holding: Holding;
}

/** Exchanges the code for tokens and keeps them [6749 §4.1.3]. */
export async function redeem(
  actor: Actor,
  step: PlaygroundStep = 'token_request',
  verifier?: string,
): Promise<HttpExchange> {
  const { client, holding } = actor;
  return requestTokens(actor, step, {
    grant_type: 'authorization_code',
    code: holding.code,
    redirect_uri: client.redirect_uri,
    code_verifier: verifier ?? holding.code_verifier,
  });
}

/** Exchanges the refresh token for new tokens; a refused one is forgotten [6749 §6]. */
export async function refresh(
  actor: Actor,
  step: PlaygroundStep = 'refresh_request',
  more: { authorization_details?: string } = {},
): Promise<HttpExchange> {
  const { holding } = actor;
  const form = { grant_type: 'refresh_token', refresh_token: holding.refresh_token, ...more };
  const exchange = await requestTokens(actor, step, form);
  if (exchange.response?.status === 400) holding.refresh_token = undefined;
  return exchange;
}

async function requestTokens(
  actor: Actor,
  step: PlaygroundStep,
  form: Record<string, string | undefined>,
): Promise<HttpExchange> {
  const { deps, client, holding } = actor;
  const exchange = await sendProven(actor, step, formRequest(`${deps.config.issuer}/token`, client, form));
  if (exchange.response?.status === 200) {
    holding.access_token = parameterOf(exchange.response.members, 'access_token');
    holding.refresh_token = parameterOf(exchange.response.members, 'refresh_token');
  }
  return exchange;
}

/** Requests /user with the access token; after 401 the token is forgotten [6750 §3.1]. */
export async function requestUser(
  actor: Actor,
  step: PlaygroundStep = 'resource_request',
  { headers = [], ...changes }: Partial<HttpRequest> = {},
): Promise<HttpExchange> {
  const { deps, holding } = actor;
  const { access_token = '', key } = holding;
  const request = tokenRequest(`${deps.config.issuer}/user`, access_token, key ? 'DPoP' : 'Bearer');
  const whole = { ...request, ...changes, headers: [...(request.headers ?? []), ...headers] };
  const exchange = await sendProven(actor, step, whole, access_token);
  if (exchange.response?.status === 401) holding.access_token = undefined;
  return exchange;
}

/** Asks the server what it knows about the access token, among it the key to which it is bound [7662; 9449 §6.2]. */
export async function introspect({ deps, client, send, holding }: Actor): Promise<void> {
  const form = { token: holding.access_token };
  await send('introspection_request', formRequest(`${deps.config.issuer}/introspect`, client, form));
}

interface Sender {
  send: Send;
  holding: Holding;
}

/**
 * Sends a request with a proof of the key of a bound flow [9449 §4.1]. If the server demands a nonce, sends it again with that
 * nonce [9449 §8].
 */
async function sendProven(
  { send, holding }: Sender,
  step: PlaygroundStep,
  request: HttpRequest,
  access_token?: string,
): Promise<HttpExchange> {
  const { key } = holding;
  if (!key) return send(step, request);
  const sendProof = async () => {
    const exchange = await send(step, await prove(request, key, { access_token, nonce: holding.nonce }));
    holding.nonce = parameterOf(exchange.response?.headers, 'DPoP-Nonce') ?? holding.nonce;
    return exchange;
  };
  const first = await sendProof();
  return first.step === 'nonce_demanded' ? sendProof() : first;
}

async function prove(
  request: HttpRequest,
  key: DpopKey,
  { access_token, nonce }: { access_token: string | undefined; nonce: string | undefined },
): Promise<HttpRequest> {
  const DPoP = createDpopProof(key, { ...request, access_token }, nonce);
  return { ...request, headers: [...(request.headers ?? []), ...parameters({ DPoP })] };
}
