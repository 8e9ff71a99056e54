// ci: kills servers
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from '../support/browser.ts';
import { createClientKey, now, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, getBound, getWith, proofFor, proofOf } from '../support/dpop.ts';
import { authorizationQuery, codeIn, encode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { cheapHash, printer } from '../support/latchkey.ts';
import { startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';

const bankKey = createClientKey('bank');
const key = await createDpopKey();
const SEED_FILE = writeFile(
  'bank.sql',
  `select register_user(username => 'alice', password => '${cheapHash}', email => 'alice@example.com', name => 'Alice');
select register_client(
  client_id => 'bank', name => 'Bank', site_domain => '${printer.site_domain}', redirect_uris => array['${printer.redirect_uri}'],
  scopes => array['user'], token_endpoint_auth_method => 'private_key_jwt', dpop_bound_access_tokens => true,
  require_pushed_authorization_requests => true, jwks => '${JSON.stringify({ keys: [bankKey.jwk] })}');`,
);
const noHeader = { authorization: '' };

/** One that is valid for longer than this test takes. */
const assertionFor = async (origin: string) =>
  withAssertion(await sign(bankKey, origin, { claims: { exp: now() + 3000 } }));

/** What the server has answered; each line is written when its answer has arrived. */
interface Ledger {
  access_tokens: unknown[];
  codes: string[];
  assertions: Record<string, string>[];
  /** proofs of token requests */
  proofs: string[];
  /** headers of resource requests */
  presented: Record<'authorization' | 'dpop', string>[];
  /** queries with a request_uri: answered by a code; open, with a consent page on the screen */
  completed: string[];
  open: string[];
}

/** Pushes a request; the query with which the browser goes on. */
async function push(origin: string, ledger: Ledger, changes = {}): Promise<string> {
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank', ...changes })));
  const assertion = await assertionFor(origin);
  const headers = { ...noHeader, dpop: await proofFor(key, `${origin}/par`) };
  const { status, body } = await post(`${origin}/par`, { ...request, ...assertion }, headers);
  assert.equal(status, 201, JSON.stringify(body));
  ledger.assertions.push(assertion);
  return encode({ client_id: 'bank', request_uri: String(body['request_uri']) });
}

/** From the pushed request to the resource. */
async function runFlow(origin: string, browser: Browser, ledger: Ledger): Promise<void> {
  const query = await push(origin, ledger);
  const code = codeIn(await throughConsent(browser, query));
  ledger.completed.push(query);
  const [assertion, dpop] = [await assertionFor(origin), await proofFor(key, `${origin}/token`)];
  const { body } = await redeem(origin, code, assertion, { ...noHeader, dpop });
  const access_token = String(body['access_token'] ?? assert.fail(JSON.stringify(body)));
  ledger.codes.push(code);
  ledger.access_tokens.push(access_token);
  ledger.assertions.push(assertion);
  ledger.proofs.push(dpop);
  const proof = await proofOf(key, { method: 'GET', url: `${origin}/user`, access_token });
  const headers = { authorization: `DPoP ${access_token}`, dpop: proof };
  if ((await getWith(`${origin}/user`, headers)).status === 200) ledger.presented.push(headers);
}

async function throughConsent(browser: Browser, query: string): Promise<Page> {
  const page = await browser.visit(`/authorize?${query}`);
  if (page.status === 503) throw new Error('503');
  return page.location === undefined ? browser.submit(page, 'id="allow"') : page;
}

/** Ends when the server is gone. */
async function keepBusy(origin: string, browser: Browser, ledger: Ledger): Promise<void> {
  for (;;) {
    try {
      await runFlow(origin, browser, ledger);
      const query = await push(origin, ledger, { prompt: 'consent' });
      const page = await browser.visit(`/authorize?${query}`);
      if (page.text.includes('id="allow"')) ledger.open.push(query);
    } catch (error) {
      // what fetch throws when a connection breaks
      if (error instanceof TypeError) return;
      if (!/503|temporarily_unavailable/.test(String(error))) throw error;
    }
  }
}

test('kill -9 of the server and of Postgres under pushed requests and proofs: nothing that was answered is lost, and nothing that was used works again [F10] [A254] [A380]', async () => {
  const env = { DATA_DIR: join(scratch, 'killed'), NODE_ENV: 'production', SEED_FILE };
  const PORT = String(await findFreePort());
  const ledger: Ledger = {
    access_tokens: [],
    codes: [],
    assertions: [],
    proofs: [],
    presented: [],
    completed: [],
    open: [],
  };
  const latchkey = await startServing({ ...env, PORT });
  const browser = await signedInBrowser(latchkey.origin);
  await runFlow(latchkey.origin, browser, ledger);
  let isOver = false;
  const traffic = Promise.all([1, 2, 3, 4].map(() => keepBusy(latchkey.origin, browser, ledger)));
  const end = traffic.finally(() => {
    isOver = true;
  });
  while (ledger.open.length < few && !isOver) await Promise.race([pause(10), end]);
  latchkey.child.kill('SIGKILL');
  const pidFile = join(env.DATA_DIR, 'postgres', 'data', 'postmaster.pid');
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
  await end;
  assert.equal(await latchkey.exit, 'SIGKILL');
  const again = await startServing({ ...env, PORT });
  await assertNothingLost(again.origin, ledger);
  await assertNothingWorksAgain(again.origin, ledger);
  await again.kill();
});

const few = 20;
/** After more refusals, an address has to wait. */
const many = 100;

/** What every thing of a list is answered with. */
async function answers<T>(things: T[], ask: (thing: T) => Promise<unknown>): Promise<Set<unknown>> {
  assert.ok(things.length >= few);
  return new Set(await Promise.all(things.slice(-many).map(ask)));
}

async function assertNothingLost(origin: string, { access_tokens, open }: Ledger): Promise<void> {
  const present = async (token: unknown) => (await getBound(key, origin, token)).status;
  assert.deepEqual(await answers(access_tokens, present), new Set([200]));
  const browser = await signedInBrowser(origin);
  const answer = async (query: string) => codeIn(await throughConsent(browser, query)) !== '';
  assert.deepEqual(await answers(open, answer), new Set([true]));
}

/** A code last: its reuse ends the tokens. */
async function assertNothingWorksAgain(origin: string, ledger: Ledger): Promise<void> {
  const exchange = async (code: string, assertion?: Record<string, string>, dpop?: string) => {
    const fresh = assertion ?? (await assertionFor(origin));
    const proof = dpop ?? (await proofFor(key, `${origin}/token`));
    return (await redeem(origin, code, fresh, { ...noHeader, dpop: proof })).body['error'];
  };
  const browser = await signedInBrowser(origin);
  const complete = async (query: string) => {
    const { status, text } = await browser.visit(`/authorize?${query}`);
    return `${status} ${/id="error"><code>(\w+)/.exec(text)?.[1]}`;
  };
  const present = async (headers: Record<string, string>) => (await getWith(`${origin}/user`, headers)).body['error'];
  assert.deepEqual(await answers(ledger.completed, complete), new Set(['400 invalid_request_uri']));
  assert.deepEqual(await answers(ledger.open, complete), new Set(['400 invalid_request_uri']));
  assert.deepEqual(await answers(ledger.presented, present), new Set(['invalid_dpop_proof']));
  assert.deepEqual(
    await answers(ledger.proofs, (dpop) => exchange('x', undefined, dpop)),
    new Set(['invalid_dpop_proof']),
  );
  assert.deepEqual(
    await answers(ledger.assertions, (assertion) => exchange('x', assertion)),
    new Set(['invalid_client']),
  );
  assert.deepEqual(await answers(ledger.codes, (code) => exchange(code)), new Set(['invalid_grant']));
}
