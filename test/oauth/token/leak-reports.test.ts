import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecret, credentialKey } from '../../../src/lib/secrets.ts';
import { eventsOf, familyKeyOf, freshTokens } from '../../support/attack.ts';
import { lengthenWaits } from '../../support/attempts.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter({ TRUST_PROXY: '1' });
await registerPrinter(database, { client_id: 'other' });
const browser = await signedInBrowser(origin);
const forgetAttempts = () => database.query('delete from attempts');
await lengthenWaits(database);

type Tokens = Awaited<ReturnType<typeof freshTokens>>;

const leak = (token: string, headers: Record<string, string> = {}) =>
  post(`${origin}/leaked`, { token }, { authorization: '', ...headers });

test('reporting a live token revokes its family, without client authentication', async () => {
  for (const kind of ['access_token', 'refresh_token'] as const) {
    const tokens = await freshTokens(origin, browser, {});
    assert.equal((await leak(tokens[kind])).status, 200);
    assert.equal((await getUser(origin, tokens.access_token)).status, 401);
    assert.equal((await refresh(origin, tokens.refresh_token)).body['error'], 'invalid_grant');
  }
  const code = await obtainCode(browser);
  await leak(code);
  assert.equal((await redeem(origin, code)).body['error'], 'invalid_grant');
});

test('reporting a used code, as found in browser histories, revokes nothing [6819 §4.4.1.12]', async () => {
  const code = await obtainCode(browser);
  const { body } = await redeem(origin, code);
  assert.equal((await leak(code)).status, 200);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
});

const digestIs = (column: string) => `where ${column} = $1`;

const endings: [what: string, spoil: (tokens: Tokens) => Promise<unknown>, reported: keyof Tokens][] = [
  [
    'an expired access token',
    ({ access_token }) =>
      database.query(`update access_tokens set expires_at = now() ${digestIs('access_token_sha256')}`, [
        credentialKey(access_token),
      ]),
    'access_token',
  ],
  ['a revoked access token', ({ access_token }) => post(`${origin}/revoke`, { token: access_token }), 'access_token'],
  [
    'a refresh token rotated before the grace period',
    ({ refresh_token }) =>
      database.query(
        `update authorization_codes set refresh_issued_at = refresh_issued_at - interval '61 seconds' ${digestIs('code_sha256')}`,
        [familyKeyOf(refresh_token)],
      ),
    'refresh_token',
  ],
];

for (const [what, end, reported] of endings) {
  test(`reporting ${what} revokes nothing`, async () => {
    const tokens = await freshTokens(origin, browser, {});
    const { body } = await refresh(origin, tokens.refresh_token);
    await end(tokens);
    assert.equal((await leak(tokens[reported])).status, 200);
    assert.equal((await getUser(origin, body['access_token'])).status, 200);
    assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
  });
}

test('reporting a refresh token whose successor was used revokes nothing, even within the grace period', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  const { body: second } = await refresh(origin, refresh_token);
  const { body: third } = await refresh(origin, second['refresh_token']);
  await leak(refresh_token);
  assert.equal((await refresh(origin, third['refresh_token'])).status, 200);
});

test('reporting a refresh token that would still be repeated revokes its family', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  const { body } = await refresh(origin, refresh_token);
  await leak(refresh_token);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
});

test('reporting an expired code or refresh token revokes nothing and leaves no audit event', async () => {
  const code = await obtainCode(browser);
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  await database.query('update authorization_codes set expires_at = now() where redeemed_at is null');
  await database.query('update authorization_codes set refresh_expires_at = now()');
  const before = (await eventsOf(database, 'token_leaked')).length;
  for (const token of [code, refresh_token]) await leak(token);
  assert.equal((await getUser(origin, access_token)).status, 200);
  assert.equal((await eventsOf(database, 'token_leaked')).length, before);
});

test('other families of the same user and client stay valid', async () => {
  const [one, other] = [await freshTokens(origin, browser, {}), await freshTokens(origin, browser, {})];
  await leak(one.refresh_token);
  assert.equal((await getUser(origin, other.access_token)).status, 200);
});

test('the answer is the same for live, dead, foreign, unknown and malformed tokens', async () => {
  await forgetAttempts();
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const answers = [];
  for (const token of [
    access_token,
    access_token,
    refresh_token,
    createSecret('access_token'),
    createSecret('client_secret'),
    `${access_token}x`,
    'nonsense',
    "' or 1=1--",
  ]) {
    const { status, headers, body } = await leak(token);
    const names = [...headers.keys()].filter((name) => name !== 'date').sort();
    answers.push(JSON.stringify([status, names, body]));
  }
  assert.equal(new Set(answers).size, 1, answers.join('\n'));
});

test('reports are limited by address, and for IPv6 by network, however it is written', async () => {
  const burst = async (addresses: string[]) => {
    await forgetAttempts();
    const statuses = [];
    for (const address of addresses) {
      statuses.push((await leak('nonsense', { 'x-forwarded-for': address })).status);
    }
    return [statuses.filter((status) => status === 200).length, statuses.at(-1)];
  };
  const hosts = Array.from({ length: 40 }, (_, index) => index + 1);
  assert.deepEqual(await burst(hosts.map(() => '192.0.2.1')), [30, 429]);
  assert.deepEqual(await burst(hosts.map((host) => `2001:db8::${host.toString(16)}`)), [30, 429]);
  assert.deepEqual(await burst(hosts.map((host) => `2001:db8:0:0:${host}::1`)), [30, 429]);
  assert.deepEqual(await burst(hosts.map((host) => `192.0.2.${host}`)), [40, 200]);
});

test('wrong secrets and unknown clients are limited by address, and the right secret always passes', async () => {
  await forgetAttempts();
  const wrong = (client_id: string, address: string) =>
    post(
      `${origin}/token`,
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { authorization: basic(client_id, 'wrong'), 'x-forwarded-for': address },
    );
  const statuses = [];
  for (let index = 0; index < 210; index += 1) {
    statuses.push((await wrong(index % 2 ? printer.client_id : `nobody-${index}`, '192.0.2.1')).status);
  }
  assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [200, 429]);
  const refused = await wrong(printer.client_id, '192.0.2.1');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(refused.body['error'], 'too_many_requests');
  assert.equal((await wrong('other', '192.0.2.1')).status, 429, 'another client');
  assert.equal((await wrong(printer.client_id, '192.0.2.2')).status, 401, 'another address');
  const code = await obtainCode(browser);
  assert.equal((await redeem(origin, code, {}, { 'x-forwarded-for': '192.0.2.1' })).status, 200);
});
