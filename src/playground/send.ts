import { OAuthError } from '../lib/errors.ts';
import type { PageContext } from '../web/page-context.ts';
import { encode, parameterOf } from './messages.ts';
import type { HttpExchange, HttpParameter, PlaygroundStep } from './playground.view.ts';

/** Sends a request and writes down the exchange, which it also returns. */
export type Send = (step: PlaygroundStep, request: HttpExchange['request']) => Promise<HttpExchange>;

const shownHeaderNames = ['Content-Type', 'Cache-Control', 'WWW-Authenticate', 'DPoP-Nonce', 'Location', 'Retry-After'];

/** Sends requests over HTTP, like any other client. */
export function sender(page: PageContext, exchanges: HttpExchange[]): Send {
  const { config, log } = page.deps;
  const address = ownAddress(page);
  return async (step, request) => {
    const { method, url, query = [], headers = [], body } = request;
    const target = address + url.slice(config.issuer.length) + (query.length > 0 ? `?${encode(query)}` : '');
    const options: RequestInit = { method, redirect: 'manual', signal: AbortSignal.timeout(10_000) };
    const response = await fetch(target, {
      ...options,
      headers: headers.map(({ name, value }): [string, string] => [name, value]),
      ...(body && { body: encode(body) }),
    }).catch((error: unknown) => {
      log.error({ err: error, target: address }, 'the playground cannot reach the server');
      throw new OAuthError('temporarily_unavailable', 'the playground cannot reach the server at its own address');
    });
    const members = membersOf(await response.text());
    const exchange: HttpExchange = {
      step: parameterOf(members, 'error') === 'use_dpop_nonce' ? 'nonce_demanded' : step,
      by: 'application',
      request,
      response: { status: response.status, headers: shownHeaders(response), members },
    };
    exchanges.push(exchange);
    return exchange;
  };
}

/**
 * The page shows the issuer, but requests go to the socket that this process listens on: in a container or behind a proxy
 * the issuer may not be reachable. With TLS they go to the issuer, whose name the certificate has.
 */
function ownAddress({ deps: { config }, req }: PageContext): string {
  if (config.tls) return config.issuer;
  const host = ['0.0.0.0', '::', ''].includes(config.host) ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${req.socket.localPort}${config.base}`;
}

function shownHeaders({ headers }: Response): HttpParameter[] {
  return shownHeaderNames.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [{ name, value }];
  });
}

function membersOf(text: string): HttpParameter[] | undefined {
  if (!text.startsWith('{')) return undefined;
  return Object.entries(JSON.parse(text)).map(([name, value]) => ({ name, value: shortened(name, textOf(value)) }));
}

/** What was chosen is read again, and the demo has few albums. */
const shortened = (name: string, value: string) => (name === 'authorization_details' ? value : value.slice(0, 200));

const textOf = (value: unknown): string =>
  value instanceof Object ? JSON.stringify(value, undefined, 2) : String(value);
