import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Agent, request } from 'node:https';
import { after } from 'node:test';
import { createApp } from '../../src/app.ts';
import { serveHttp } from '../../src/operations/http-server.ts';
import { serviceOf } from '../../src/web/served-app.ts';
import type { Fetch } from './browser.ts';
import { createCertificate, type Issued } from './certificate.ts';
import { findFreePort } from './free-port.ts';
import { type Latchkey, printer, startWithPrinter } from './latchkey.ts';

/** A server with alice and the photo printer, and further ports of it with TLS: for browsers, and where clients present certificates. */
export interface MutualTls {
  latchkey: Latchkey;
  main: string;
  alias: string;
  ca: Buffer;
}

/** The issuer is an http address, unless the environment for this https address names another one. */
export async function startMutualTls(
  envFor: (main: string) => Record<string, string> = () => ({}),
): Promise<MutualTls> {
  const [PORT, MTLS_PORT] = [String(await findFreePort()), String(await findFreePort())];
  const files = createCertificate();
  const [main, alias] = [`https://localhost:${PORT}`, `https://localhost:${MTLS_PORT}`];
  const latchkey = await startWithPrinter({
    ...{ ...files, MTLS_PORT, MTLS_URL: alias },
    ...{ HOST: 'localhost', DRAIN_DELAY: '0' },
    ...envFor(main),
  });
  const deps = { ...latchkey.deps, config: { ...latchkey.deps.config, port: Number(PORT) } };
  const app = createApp(deps);
  const server = await serveHttp(deps, serviceOf(app));
  after(() => server.drain());
  return { latchkey, main, alias, ca: readFileSync(files.TLS_CERT_FILE) };
}

/** A client that is known by the key of its certificate, and whose tokens are bound to the certificate. */
export async function registerBank({ latchkey }: MutualTls, { x509 }: Issued): Promise<void> {
  await latchkey.database.query(
    `select register_client(client_id => 'bank', name => 'Bank', site_domain => 'printer.example', redirect_uris => $1,
       scopes => array['user', 'repo'], token_endpoint_auth_method => 'self_signed_tls_client_auth', jwks => $2,
       tls_client_certificate_bound_access_tokens => true)`,
    [[printer.redirect_uri], JSON.stringify({ keys: [x509.publicKey.export({ format: 'jwk' })] })],
  );
}

export interface TlsRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
  agent?: Agent;
}

/** Like fetch, on a connection with a certificate; each has a new one, unless the agent keeps it. */
export async function fetchWith(
  { ca }: Pick<MutualTls, 'ca'>,
  certificate: Issued | undefined,
  url: string,
  { body, ...options }: TlsRequest,
): Promise<Response> {
  const identity = certificate && { cert: certificate.cert, key: certificate.key };
  const sent = request(url, { agent: false, ca, ...identity, ...options }).end(body);
  const [answer] = await once(sent, 'response');
  const lines = Object.entries<string[]>(answer.headersDistinct);
  const headers = lines.flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
  return new Response(Buffer.concat(await answer.toArray()), { status: answer.statusCode, headers });
}

/** fetch for a library or a browser that trusts the certificate of this server, on connections with a certificate of its own. */
export const fetchAs =
  (server: Pick<MutualTls, 'ca'>, certificate?: Issued): Fetch =>
  (url, { method = 'GET', headers, body } = {}) =>
    fetchWith(server, certificate, String(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body == null ? undefined : String(body),
    });
