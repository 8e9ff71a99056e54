import { createDpopProof, type DpopKey } from './dpop-key.ts';
import type { Holding } from './flow-memory.ts';
import { type HttpRequest, parameterOf, parameters } from './messages.ts';
import type { HttpExchange, PlaygroundStep } from './playground.view.ts';
import type { Send } from './send.ts';

interface Sender {
  send: Send;
  holding: Holding;
}

/**
 * Sends a request with a proof of the key of a bound flow [9449 §4.1]. If the server demands a nonce, sends it again with that
 * nonce [9449 §8].
 */
export async function sendProven(
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
