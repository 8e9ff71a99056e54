import type { OutgoingHttpHeaders } from 'node:http';
import type { Browser, Page } from './browser.ts';
import { challenge, encode, signedInBrowser } from './flow.ts';
import { type Latchkey, registerPeople, startLatchkey } from './latchkey.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { publicAddress } from './network.ts';
import { startWebSite, type WebSite } from './web-site.ts';

export const documentUrl = 'https://client.example/oauth/client.json';
export const callback = 'https://client.example/cb';

/** What a site answers for a path; `{}` is a good document. */
export interface Published {
  status?: number;
  headers?: OutgoingHttpHeaders;
  /** in place of the members of a good document; undefined leaves one out */
  changes?: Record<string, unknown>;
  body?: string;
}

export interface Internet {
  latchkey: Latchkey & { url: string };
  alice: Browser;
  nameServer: NameServer;
  site: WebSite;
  /** by URL */
  published: Map<string, Published>;
}

/** In a network of its own (test/support/network.ts): the product, the sites of clients and the DNS that knows them. */
export async function startInternet(): Promise<Internet> {
  const latchkey = await startLatchkey({ CLIENT_ID_DOCUMENTS: 'on' });
  await registerPeople(latchkey.database);
  const nameServer = await startNameServer();
  const site = await startWebSite();
  const published = new Map<string, Published>();
  nameServer.hosts.set('client.example', [publicAddress]);
  site.answer = (req, res) => {
    const url = `https://${req.headers.host}${req.url}`;
    const { status = 200, headers, changes, body } = published.get(url) ?? { status: 404 };
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(body ?? JSON.stringify(documentOf(url, changes)));
  };
  return { latchkey, alice: await signedInBrowser(latchkey.origin), nameServer, site, published };
}

export function documentOf(client_id: string, changes: Record<string, unknown> = {}): object {
  return {
    client_id,
    client_name: 'App',
    redirect_uris: [`${new URL(client_id).origin}/cb`],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'user:name mcp:tools',
    ...changes,
  };
}

/** The path of an authorization request of a client with a document. */
export function requestOf(client_id: string, changes: Record<string, string | undefined> = {}): string {
  const request = {
    response_type: 'code',
    client_id,
    redirect_uri: callback,
    scope: 'user:name',
    state: 'the-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return `/authorize?${encode({ ...request, ...changes })}`;
}

/** What the developer reads on an error page, and that it is one. */
export function problemOn({ status, location, text }: Page): string {
  if (status !== 400 || location !== undefined) throw new Error(`no error page: ${status} ${location} ${text}`);
  return /<dd lang="en"[^>]*>([^<]*)</.exec(text)?.[1] ?? text;
}
