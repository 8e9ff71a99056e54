import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { authorizationQuery } from '../../support/flow.ts';
import { cheapHash, password, registerPeople, registerUser, startLatchkey } from '../../support/latchkey.ts';
import { json, startProvider } from '../../support/openid-provider.ts';
import { answerOf, pressButton, problemOn, registerProvider } from '../../support/providers.ts';

const { origin, database } = await startLatchkey();
// a server whose second set of addresses is that of GitHub Enterprise stands for GitHub
const github = await startLatchkey();
await registerPeople(database, ['alice']);
await registerUser(github.database, {
  username: 'octocat',
  password: cheapHash,
  email: 'octo@cat.example',
  name: 'Octo Cat',
});
const client_secret = 'a-secret-that-a-machine-has-made-0123456789';
await github.database.query(
  `select register_client(client_id => 'latchkey', client_secret => $1, name => 'Latchkey', site_domain => 'localhost',
     redirect_uris => array[$2], scopes => array['user'])`,
  [client_secret, `${origin}/login/provider/github/callback`],
);
const { rows } = await github.database.query(`select user_id from users where username = 'octocat'`);
const number = String(rows[0].user_id);

beforeEach(async () => {
  await database.query('delete from providers');
  await database.query('delete from identities');
  await database.query(`delete from users where source <> 'here'`);
});

const register = (changes: Record<string, unknown> = {}) =>
  registerProvider(database, { name: 'github', kind: 'github', issuer: github.origin, client_secret, ...changes });

/** Signs in as octocat and allows it, as at GitHub. */
async function answer(at: Browser): Promise<string> {
  const url = await pressButton(at, '', 'github');
  const there = new Browser(github.origin);
  const login = await there.visit(url.pathname + url.search);
  const consent = await there.submit(login, 'id="login"', { username: 'octocat', password });
  const page = consent.location === undefined ? await there.submit(consent, 'id="allow"') : consent;
  assert.ok(page.location, page.text);
  return page.location;
}

test('a person signs in at GitHub, and is known by the number there', async () => {
  await register();
  await database.query('select link_identity($1, $2, $3)', ['alice', github.origin, number]);
  const browser = new Browser(origin);
  const page = await browser.visit(await answer(browser));
  assert.equal(problemOn(page), undefined, page.text);
  assert.match((await browser.visit('/account')).text, /alice/);
});

test('whoever gets an account from GitHub has the primary verified address there', async () => {
  await register({ people: 'created', domains: ['cat.example'] });
  const browser = new Browser(origin);
  const page = await browser.visit(await answer(browser));
  assert.equal(problemOn(page), undefined, page.text);
  const made = await database.query(
    `select username, email, email_verified, name from users where source = 'provider:github'`,
  );
  assert.deepEqual(made.rows, [
    { username: 'octocat', email: 'octo@cat.example', email_verified: true, name: 'Octo Cat' },
  ]);
});

test('GitHub cannot say when somebody has signed in, so nobody is sent there for an application that asks', async () => {
  await register();
  await database.query(
    `select register_client(client_id => 'photo-printer', name => 'Photo Printer', site_domain => 'printer.example',
       redirect_uris => array['https://printer.example/callback'], scopes => array['user'])`,
  );
  for (const demand of [{ prompt: 'login' }, { max_age: '60' }]) {
    const browser = new Browser(origin);
    const login = await browser.visit(`/authorize?${authorizationQuery(demand)}`);
    const page = await browser.submit(login, 'value="github"');
    assert.equal(problemOn(page), 'not_confirmed');
  }
});

test('GitHub cannot say when somebody has signed in, so a change that needs to know sends nobody there once more', async () => {
  await register({ people: 'created' });
  const browser = new Browser(origin);
  await browser.visit(await answer(browser));
  // as if GitHub had stated no address: only then one can be entered here
  await database.query(`update users set kept_there = '{}' where source = 'provider:github'`);
  for (const path of ['/account', '/account/delete', '/account/connect/github']) {
    const page = await browser.visit(path);
    assert.match(page.text, /does not say when it last checked who you are.*contact the operator/s, path);
    assert.doesNotMatch(page.text, /15 minutes/, path);
  }
});

test('what GitHub says is refused unless it names a number', async () => {
  const fake = await startProvider();
  const users: unknown[] = [
    { login: 'octocat' },
    { id: '7' },
    { id: 0 },
    { id: -7 },
    { id: 1.5 },
    { id: 2 ** 60 },
    [],
    'x',
  ];
  for (const user of users) {
    fake.answers.set('/login/oauth/authorize', (res) => {
      const query = fake.requests.at(-1)?.query;
      res.writeHead(302, { location: `${query?.get('redirect_uri')}?code=c&state=${query?.get('state')}` }).end();
    });
    fake.answers.set('/login/oauth/access_token', (res) => json(res, { access_token: 'gho_x', token_type: 'bearer' }));
    fake.answers.set('/api/v3/user', (res) => json(res, user));
    await register({ issuer: fake.issuer, people: 'created' });
    const browser = new Browser(origin);
    const page = await browser.visit(await answerOf(await pressButton(browser, '', 'github')));
    assert.equal(problemOn(page), 'provider_wrong', JSON.stringify(user));
  }
  // GitHub answers a wrong code with status 200
  fake.answers.set('/login/oauth/access_token', (res) => json(res, { error: 'bad_verification_code' }));
  const browser = new Browser(origin);
  const page = await browser.visit(await answerOf(await pressButton(browser, '', 'github')));
  assert.equal(problemOn(page), 'provider_wrong');
});
