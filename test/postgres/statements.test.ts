import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest } from '../support/browser.ts';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, getBound, proofFor, redeemWith, refreshWith } from '../support/dpop.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../support/flow.ts';
import {
  password,
  printer,
  registerJwtResource,
  registerPeople,
  registerPrinter,
  startWithPrinter,
} from '../support/latchkey.ts';
import { invite, metadata, register, sendJson } from '../support/self-registration.ts';

const { origin, database } = await startWithPrinter({ REGISTRATION_ENDPOINT: 'open' });
const browser = await signedInBrowser(origin);
const code = await obtainCode(browser);
await getUser(origin, (await redeem(origin, code)).body['access_token']);

const key = await createDpopKey();
const bank = createClientKey('bank');
await registerKeyClient(database, { keys: [bank] });

/** Every statement that was seen, by its name. */
const seen = new Map<string, string>();

/** What runs once in some seconds or minutes, whatever is asked: it is not counted. */
const uncounted = new Set(['list_scopes', 'list_choices', 'find_resource_of_jwts', 'list_signing_keys', 'touch_grant']);

/** The names of the statements that a request runs. */
async function statementsOf<T>(request: () => Promise<T>): Promise<{ names: string[]; answer: T }> {
  const names: string[] = [];
  const { query } = database;
  const counted = (statement: { name: string; text: string }, ...rest: unknown[]) => {
    seen.set(statement.name, statement.text);
    if (!uncounted.has(statement.name)) names.push(statement.name);
    return Reflect.apply(query, database, [statement, ...rest]);
  };
  database.query = counted as typeof query;
  try {
    return { answer: await request(), names };
  } finally {
    database.query = query;
  }
}

test('a code exchange, a refresh and a resource request take one statement each', async () => {
  const code = await obtainCode(browser);
  const exchange = await statementsOf(() => redeem(origin, code));
  assert.deepEqual([exchange.answer.status, exchange.names], [200, ['redeem_authorization_code']]);
  const renewal = await statementsOf(() => refresh(origin, exchange.answer.body['refresh_token']));
  assert.deepEqual([renewal.answer.status, renewal.names], [200, ['rotate_refresh_token']]);
  const token = renewal.answer.body['access_token'];
  await getUser(origin, token);
  const resource = await statementsOf(() => getUser(origin, token));
  assert.deepEqual([resource.answer.status, resource.names], [200, ['find_active_access_token']]);
});

const asBank = async () => withAssertion(await sign(bank, origin));

test('neither a DPoP proof nor an assertion adds a statement', async () => {
  const code = await obtainCode(browser);
  const exchange = await statementsOf(() => redeemWith(key, origin, code));
  assert.deepEqual([exchange.answer.status, exchange.names], [200, ['redeem_authorization_code_with_proofs']]);
  const renewal = await statementsOf(() => refreshWith(key, origin, exchange.answer.body['refresh_token']));
  assert.deepEqual([renewal.answer.status, renewal.names], [200, ['rotate_refresh_token_with_proofs']]);
  const token = renewal.answer.body['access_token'];
  await getBound(key, origin, token);
  const resource = await statementsOf(() => getBound(key, origin, token));
  assert.deepEqual([resource.answer.status, resource.names], [200, ['find_active_access_token_with_proof']]);

  // the first reads the key of the client, the second reads it again, because the first use of the client is noted in its row
  for (let time = 0; time < 2; time += 1) {
    await redeem(origin, await obtainCode(browser, { client_id: 'bank' }), await asBank(), { authorization: '' });
  }
  const bankCode = await obtainCode(browser, { client_id: 'bank' });
  const proof = await asBank();
  const both = await statementsOf(() => redeemWith(key, origin, bankCode, proof, { authorization: '' }));
  assert.deepEqual([both.answer.status, both.names], [200, ['redeem_authorization_code_with_proofs']]);
});

test('a pushed request takes two statements with a secret, and one with an assertion and a DPoP proof', async () => {
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank' })));
  const [proof, dpop] = [await asBank(), await proofFor(key, `${origin}/par`)];
  const push = () => post(`${origin}/par`, { ...request, ...proof }, { authorization: '', dpop });
  const { names, answer } = await statementsOf(push);
  assert.equal(answer.status, 201);
  assert.deepEqual(names, ['register_pushed_request_with_proofs']);
  const repeated = await statementsOf(push);
  assert.equal(repeated.answer.status, 400);
  assert.deepEqual(repeated.names.slice(0, 2), ['register_pushed_request_with_proofs', 'use_proofs_of_client']);
  const plain = Object.fromEntries(new URLSearchParams(authorizationQuery()));
  const withSecret = await statementsOf(() => post(`${origin}/par`, plain));
  assert.equal(withSecret.answer.status, 201);
  assert.deepEqual(withSecret.names, ['authenticate_client', 'register_pushed_request']);
});

test('an authorization request with remembered consent takes three statements: session, client with grant, code', async () => {
  const { names, answer } = await statementsOf(() => browser.open(`/authorize?${authorizationQuery()}`));
  assert.ok(codeIn(answer));
  assert.deepEqual(names, ['find_session', 'find_client_and_grant', 'issue_authorization_code']);
});

test('a mistyped token takes no statement', async () => {
  const { names } = await statementsOf(() => getUser(origin, `lk_at_${'x'.repeat(49)}`));
  assert.deepEqual(names, []);
});

test('an unknown client, a disabled client and a wrong secret take the same statements at every endpoint that authenticates clients', async () => {
  await registerPrinter(database, { client_id: 'switched-off' });
  await database.query("update clients set disabled_at = now() where client_id = 'switched-off'");
  const { refresh_token } = (await redeem(origin, await obtainCode(browser))).body;
  const token = String(refresh_token);
  for (const [path, form] of [
    ['/token', { grant_type: 'refresh_token', refresh_token: token }],
    [
      '/token',
      { grant_type: 'authorization_code', code: await obtainCode(browser), redirect_uri: printer.redirect_uri },
    ],
    ['/introspect', { token }],
    ['/revoke', { token }],
  ] as const) {
    const asked = [];
    for (const client_id of [printer.client_id, 'switched-off', 'nobody']) {
      const headers = { authorization: basic(client_id, 'wrong') };
      const { names, answer } = await statementsOf(() => post(origin + path, form, headers));
      const { request_id, ...body } = answer.body;
      asked.push({ names: names.filter((name) => name !== 'register_refusal'), status: answer.status, body });
    }
    assert.equal(asked[0]?.status, 401);
    assert.ok(asked[0]?.names.includes('count_attempts'));
    assert.deepEqual(asked[1], asked[0], path);
    assert.deepEqual(asked[2], asked[0], path);
  }
  assert.equal((await refresh(origin, token)).status, 200);
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** Small enough to be read whole, whatever happens. */
const alwaysSmall = new Set(['scopes', 'choices', 'signing_keys', 'claims']);

/** The steps of a plan that go through a table as a whole, with or without the help of an index. */
function slowSteps(plan: Plan): string[] {
  const { 'Node Type': step, 'Relation Name': table = '', 'Index Cond': condition } = plan;
  const isWhole = /^Index.* Scan$/.test(step) && condition === undefined;
  const isSlow = (isWhole || /^(Seq Scan|Bitmap|Hash|Merge|Materialize)/.test(step)) && !alwaysSmall.has(table);
  return [...(isSlow ? [`${step} ${table}`] : []), ...(plan.Plans ?? []).flatMap(slowSteps)];
}

test('every statement, including those of refusals, replays and repeats, uses an index, even if it was planned on small tables', async () => {
  const code = await obtainCode(browser);
  const resource = 'https://jwt.example/';
  await registerJwtResource(database, resource, ['user']);
  await statementsOf(async () => {
    const signed = await redeem(origin, await obtainCode(browser, { resource }));
    await post(`${origin}/introspect`, { token: String(signed.body['access_token']) });
    const { body } = await redeem(origin, code);
    await refresh(origin, body['refresh_token']);
    await refresh(origin, body['refresh_token'], { scope: 'user:name' });
    await redeem(origin, code);
    await post(`${origin}/leaked`, { token: String(body['access_token']) }, { authorization: '' });
    const { body: client } = await register(origin);
    const uri = client.registration_client_uri;
    const token = client.registration_access_token;
    await sendJson(uri, 'PUT', { ...metadata, client_id: client.client_id }, token);
    await sendJson(uri, 'DELETE', undefined, token);
    await post(`${origin}/leaked`, { token }, { authorization: '' });
    await post(`${origin}/leaked`, { token: await invite(database) }, { authorization: '' });
    const bound = await redeemWith(key, origin, await obtainCode(browser));
    await getBound(key, origin, bound.body['access_token']);
    await fetch(`${origin}/token`, { method: 'POST', headers: { origin: 'https://app.example' } });
  });
  for (const name of ['find_access_token_facts', 'find_resources', 'register_grant', 'use_proofs_of_client'])
    assert.ok(seen.has(name), name);
  const planned = async (state: string) => {
    const client = await database.connect();
    try {
      await client.query('set plan_cache_mode = force_generic_plan');
      for (const [name, text] of seen) {
        await client.query(`prepare seen_${name} as ${text}`);
        const values = [...new Set(text.match(/\$\d+/g))].map(() => 'null').join(', ');
        const { rows } = await client.query(`explain (format json) execute seen_${name}${values && `(${values})`}`);
        assert.deepEqual(slowSteps(rows[0]['QUERY PLAN'][0].Plan), [], `${name}, ${state}`);
      }
    } finally {
      client.release(true);
    }
  };
  await planned('never analyzed');
  for (const rows of ['a few rows', 'some rows']) {
    for (let n = 0; n < 5; n += 1) {
      const username = `${rows.replaceAll(' ', '-')}-${n}`;
      await registerPeople(database, [username]);
      await registerPrinter(database, { client_id: `printer-of-${username}` });
      await redeem(origin, await obtainCode(await signedInBrowser(origin, username)));
    }
    await database.query('vacuum analyze');
    await planned(rows);
  }
  for (const shortLived of [
    'used_proofs',
    'used_tickets',
    'consent_decisions',
    'started_sign_ins',
    'pushed_requests',
  ]) {
    await database.query(`delete from ${shortLived}`);
  }
  await database.query('vacuum analyze');
  await planned('after a sweep');
});

test('a sign-in stores its session once, also if it replaces another one', async () => {
  const person = new Browser(origin);
  const signIn = async (query: Record<string, string>) => {
    const login = await person.visit(`/login?${authorizationQuery(query)}`);
    const post = () => person.open(...formRequest(login, 'id="login"', { username: 'alice', password }));
    return (await statementsOf(post)).names.filter((name) => name.endsWith('_session'));
  };
  assert.deepEqual(await signIn({}), ['delete_session', 'register_session']);
  // the session is looked for with the headers and with the body
  const looked = ['find_session', 'find_session'];
  assert.deepEqual(await signIn({ prompt: 'login' }), [...looked, 'delete_session', 'register_session']);
});
