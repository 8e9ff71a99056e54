import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { cheapHash, password, registerJwtResource, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database } = await startLatchkey({ TRUST_PROXY: '1' });
await lengthenWaits(database);
await registerPrinter(database);
const resource = 'https://api.example/';
await registerJwtResource(database, resource, ['user']);

async function register(user: Record<string, unknown>): Promise<void> {
  const parameters = Object.keys(user).map((name, index) => `${name} => $${index + 1}`);
  await database.query(`select register_user(${parameters.join(', ')})`, Object.values(user));
}

await register({
  subject: '8f1c-2b',
  username: 'grace',
  password: cheapHash,
  email: 'Grace@Example.com',
  name: 'Grace Hopper',
});
await register({ subject: 'nobody-s', username: 'elsewhere', email: 'elsewhere@example.com' });
await register({ subject: '42', username: 'ada@lovelace.example', password: cheapHash, email: 'ada@lovelace.example' });

const signIn = async (username: string, word = password, from = '192.0.2.1') => {
  const browser = new Browser(origin);
  const [path, init] = formRequest(await browser.visit('/login'), 'id="login"', { username, password: word });
  const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': from };
  return (await browser.open(path, { ...init, headers })).status;
};

const introspect = async (token: unknown) =>
  (await post(`${origin}/introspect`, { token: String(token) }, { authorization: basic() })).body;

test('sub is the subject that the operator states: at /user, in introspection, in JWTs, and after a refresh', async () => {
  const browser = await signedInBrowser(origin, 'grace');
  const { body } = await redeem(origin, await obtainCode(browser));
  const { sub, id } = (await getUser(origin, body['access_token'])).body;
  assert.equal(sub, '8f1c-2b');
  assert.equal(typeof id, 'number');
  for (const token of [body['access_token'], body['refresh_token']]) {
    assert.equal((await introspect(token))['sub'], '8f1c-2b');
  }
  const { body: at } = await redeem(origin, await obtainCode(browser, { resource }));
  assert.equal(decodeJwt(String(at['access_token'])).sub, '8f1c-2b');
  const { body: later } = await refresh(origin, at['refresh_token']);
  assert.equal(decodeJwt(String(later['access_token'])).sub, '8f1c-2b');
  const { body: repeated } = await refresh(origin, at['refresh_token']);
  const [first, second] = [later, repeated].map(({ access_token }) => decodeJwt(String(access_token)));
  assert.deepEqual(second, first, 'the same answer again');
  assert.equal((await introspect(later['access_token']))['active'], true);
});

test('a person signs in by the username or the verified address, in any case and with spaces around it', async () => {
  for (const name of ['grace', 'GRACE', ' grace ', 'grace@example.com', 'GRACE@EXAMPLE.COM', '\uff47race']) {
    assert.equal(await signIn(name), 302, name);
  }
  for (const name of ['grac\u00e9', 'grace@example.com.', 'grace@example', 'Grace Hopper', '8f1c-2b']) {
    assert.equal(await signIn(name), 401, name);
  }
});

test('an address that the person has only claimed signs nobody in', async () => {
  await register({ username: 'claims', password: cheapHash, email: 'claimed@example.com', email_verified: false });
  assert.equal(await signIn('claimed@example.com'), 401);
  assert.equal(await signIn('claims'), 302);
});

test('wrong passwords are counted for the person, whichever name and spelling they come with, and no answer tells that two names are of one person', async () => {
  await register({ username: 'linus', password: cheapHash, email: 'linus@example.com' });
  await database.query('delete from attempts');
  const spellings = ['linus', 'LINUS', ' linus', 'linus@example.com', 'Linus@EXAMPLE.com'];
  const tried = [];
  for (let index = 0; index < 10; index += 1) tried.push(await signIn(spellings[index % 5] ?? '', 'wrong password'));
  // six of them by the username, and only that name has a wait of its own
  assert.deepEqual(tried, [401, 401, 401, 401, 401, 401, 401, 429, 401, 401]);
  assert.equal(await signIn('LINUS@example.com'), 401);
  await database.query('delete from attempts');
  assert.equal(await signIn('LINUS@example.com'), 302);
});

test('a person without a password signs in with none, not even an empty one', async () => {
  await database.query('delete from attempts');
  for (const word of ['', 'wonderland', 'null']) assert.equal(await signIn('elsewhere', word), 401, word);
});

test('a username that is an address is told only to an application that may see the address; others get the subject', async () => {
  const browser = await signedInBrowser(origin, 'ada@lovelace.example');
  const told = async (scope: string) => {
    const { body } = await redeem(origin, await obtainCode(browser, { scope, prompt: 'consent' }));
    const user = (await getUser(origin, body['access_token'])).body;
    return [user['username'], (await introspect(body['access_token']))['username']];
  };
  assert.deepEqual(await told('user:name'), ['42', '42']);
  assert.deepEqual(await told('user:name user:email'), ['ada@lovelace.example', 'ada@lovelace.example']);
  await database.query(`update users set email_verified = false where username = 'ada@lovelace.example'`);
  assert.deepEqual(await told('user:name user:email'), ['42', '42']);
});
