import type { Browser, Page } from './browser.ts';
import { type ClientKey, createClientKey, registerKeyClient, sign, withAssertion } from './client-assertion.ts';
import { createDpopKey, type DpopKey, getBound, proofFor } from './dpop.ts';
import { authorizationQuery, codeIn, encode, post, signedInBrowser, type TokenAnswer, verifier } from './flow.ts';
import { type Latchkey, printer, registerPeople, startLatchkey } from './latchkey.ts';

type Changes = Parameters<typeof authorizationQuery>[0];

/** What a request of the client sends instead of what would be accepted. */
interface Sent {
  changes?: Changes;
  /** the DPoP proof; '' for none */
  dpop?: string;
  assertion?: Parameters<typeof sign>[2];
}

/** A client of the profile fapi2 with its keys, at one server. Each request would be accepted without its changes. */
export class Bank {
  readonly origin: string;
  readonly client_id: string;
  readonly key: ClientKey;
  readonly dpop: DpopKey;

  constructor(origin: string, client_id: string, { key, dpop }: { key: ClientKey; dpop: DpopKey }) {
    this.origin = origin;
    this.client_id = client_id;
    this.key = key;
    this.dpop = dpop;
  }

  /** A new assertion, with changes. */
  async authentication(changes: Parameters<typeof sign>[2] = {}) {
    return withAssertion(await sign(this.key, this.origin, { client_id: this.client_id, ...changes }));
  }

  proof(path: string, changes?: Parameters<typeof proofFor>[2], by = this.dpop): Promise<string> {
    return proofFor(by, this.origin + path, changes);
  }

  /** Posts a form with an assertion; the client_id is nowhere else. */
  async post(path: string, form: Changes, { changes, dpop = '', assertion }: Sent = {}): Promise<TokenAnswer> {
    const all = { ...form, ...(await this.authentication(assertion)), ...changes };
    return post(this.origin + path, all, { authorization: '', dpop });
  }

  push(changes: Changes = {}, sent: Sent = {}): Promise<TokenAnswer> {
    const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: undefined })));
    return this.post('/par', { ...request, ...changes }, sent);
  }

  /** The query with which a browser continues a pushed request. */
  async pushed(changes: Changes = {}, sent: Sent = {}): Promise<string> {
    const { status, body } = await this.push(changes, sent);
    if (status !== 201) throw new Error(`not pushed: ${status} ${JSON.stringify(body)}`);
    return encode({ client_id: this.client_id, request_uri: String(body['request_uri']) });
  }

  /** Through consent to the code. */
  async code(browser: Browser, changes: Changes = {}, sent: Sent = {}): Promise<string> {
    return codeIn(await allow(browser, await this.pushed(changes, sent)));
  }

  async exchange(code: string, { dpop, ...sent }: Sent = {}): Promise<TokenAnswer> {
    const { redirect_uri } = printer;
    const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
    return this.post('/token', grant, { dpop: dpop ?? (await this.proof('/token')), ...sent });
  }

  async refresh(refresh_token: unknown, { dpop, ...sent }: Sent = {}): Promise<TokenAnswer> {
    const grant = { grant_type: 'refresh_token', refresh_token: String(refresh_token) };
    return this.post('/token', grant, { dpop: dpop ?? (await this.proof('/token')), ...sent });
  }

  /** GET /user with a token and a proof of its key. */
  user(access_token: unknown, by = this.dpop): Promise<TokenAnswer> {
    return getBound(by, this.origin, access_token);
  }
}

/** The page or redirect that answers a request after consent. */
export async function allow(browser: Browser, query: string): Promise<Page> {
  return browser.submit(await browser.visit(`/authorize?${query}`), 'id="allow"');
}

/** A server with alice, in whose browser nobody else signs in, and two clients of the profile. */
export async function startFapi2(
  env: Record<string, string> = {},
): Promise<{ latchkey: Latchkey & { url: string }; bank: Bank; other: Bank; browser: Browser }> {
  const latchkey = await startLatchkey(env);
  await registerPeople(latchkey.database);
  const [bank, other] = [await registerBank(latchkey, 'bank'), await registerBank(latchkey, 'other')];
  return { latchkey, bank, other, browser: await signedInBrowser(latchkey.origin) };
}

/** A client with a new key, which signs by this algorithm. */
export async function registerBank(
  { origin, database }: Latchkey,
  client_id: string,
  alg?: Parameters<typeof createClientKey>[1],
): Promise<Bank> {
  const key = createClientKey(`key of ${client_id}`, alg);
  await registerKeyClient(database, { client_id, keys: [key], profile: 'fapi2' });
  return new Bank(origin, client_id, { key, dpop: await createDpopKey() });
}
