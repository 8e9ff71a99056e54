import { createHash, randomBytes } from 'node:crypto';
import { Browser, type Page } from './browser.ts';
import { password, printer } from './latchkey.ts';

export const verifier = 'a-code-verifier-of-more-than-43-characters-0123456789';
export const challenge = createHash('sha256').update(verifier).digest('base64url');

type Changes = Record<string, string | string[] | undefined>;

/** A query that would be accepted, with one change; undefined leaves a parameter out, an array repeats it. */
export function authorizationQuery(changes: Changes = {}): string {
  return encode({
    response_type: 'code',
    client_id: printer.client_id,
    redirect_uri: printer.redirect_uri,
    scope: 'user',
    state: 'the-state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  });
}

export function encode(parameters: Changes): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const one of [value ?? []].flat()) query.append(name, one);
  return query.toString();
}

/** A browser in which alice has signed in. */
export async function signedInBrowser(origin: string, username = 'alice'): Promise<Browser> {
  const browser = new Browser(origin);
  const page = await browser.visit('/login');
  await browser.submit(page, 'id="login"', { username, password });
  return browser;
}

/** Through consent to the code; `scope` are the boxes left ticked. */
export async function obtainCode(
  browser: Browser,
  changes: Changes = {},
  form: Changes = {},
  path = '/authorize',
): Promise<string> {
  const page = await browser.visit(`${path}?${authorizationQuery(changes)}`);
  const answer = page.location === undefined ? await browser.submit(page, 'id="allow"', form) : page;
  return codeIn(answer);
}

export function codeIn(page: Page): string {
  const code = page.location && new URL(page.location).searchParams.get('code');
  if (!code) throw new Error(`no code: ${page.status} ${page.location ?? page.text}`);
  return code;
}

export interface TokenAnswer {
  status: number;
  headers: Headers;
  body: Record<string, string | number>;
}

export const basic = (id = printer.client_id, secret = printer.client_secret) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

/** Posts a form as the photo printer; a header set to '' is left out. */
export async function post(
  url: string,
  parameters: Changes,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const all: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: basic(),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const response = await fetch(url, { method: 'POST', headers: sent, body: encode(parameters) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

export function redeem(
  origin: string,
  code: string,
  changes: Changes = {},
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const request = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: printer.redirect_uri,
    code_verifier: verifier,
  };
  return post(`${origin}/token`, { ...request, ...changes }, headers);
}

export function refresh(
  origin: string,
  refresh_token: unknown,
  changes: Changes = {},
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  return post(
    `${origin}/token`,
    { grant_type: 'refresh_token', refresh_token: String(refresh_token), ...changes },
    headers,
  );
}

/** GET /user with a bearer token. */
export async function getUser(origin: string, token: unknown, path = '/user'): Promise<TokenAnswer> {
  const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

export const randomState = () => randomBytes(12).toString('base64url');
