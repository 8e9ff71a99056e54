import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, type Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, getUser, redeem } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { problemOn, registerProvider } from '../../support/providers.ts';
import { startRealProvider } from '../../support/real-provider.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);
await registerPrinter(database);
const op = await startRealProvider(`${origin}/login/provider/acme/callback`);
const { issuer, client_id, client_secret } = op;
await registerProvider(database, { issuer, client_id, client_secret, people: 'created' });

/** A browser here and there, as cookies go by host and port in these tests. */
const open = () => ({ here: new Browser(origin), there: new Browser(issuer) });
type Browsers = ReturnType<typeof open>;

async function go({ here, there }: Browsers, query: string, button = 'id="there"'): Promise<Page> {
  const login = await here.visit(`/authorize?${query}`);
  const sent = await here.submit(login, 'value="acme"');
  assert.ok(sent.location?.startsWith(issuer), sent.text);
  const page = await there.visit(sent.location ?? '');
  const back = page.location === undefined ? await there.submit(page, button) : page;
  assert.ok(back.location?.startsWith(origin), `${back.status} ${back.text}`);
  return here.visit(back.location ?? '');
}

async function userOf(browser: Browser, page: Page) {
  const answer = page.location === undefined ? await browser.submit(page, 'id="allow"') : page;
  const { body } = await redeem(origin, codeIn(answer));
  return (await getUser(origin, body['access_token'])).body;
}

test('node-oidc-provider is a provider at which people get an account and enter it again', async () => {
  op.account = { sub: 'ada-there', email: 'ada@acme.example', email_verified: true, preferred_username: 'ada' };
  const browsers = open();
  const first = await userOf(browsers.here, await go(browsers, authorizationQuery()));
  assert.deepEqual([first['username'], first['email']], ['ada', 'ada@acme.example']);
  const again = open();
  const second = await userOf(again.here, await go(again, authorizationQuery()));
  assert.equal(second['sub'], first['sub']);
});

test('node-oidc-provider asks the person again for prompt=login and an old max_age, and proves it', async () => {
  const browsers = open();
  await go(browsers, authorizationQuery());
  for (const demand of [{ prompt: 'login' }, { max_age: '0' }]) {
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const page = await go(browsers, authorizationQuery(demand));
    assert.equal(problemOn(page), undefined, page.text);
  }
});

test('whoever cancels at node-oidc-provider is refused by the application', async () => {
  const page = await go(open(), authorizationQuery(), 'id="cancel"');
  assert.equal(new URL(page.location ?? '').searchParams.get('error'), 'access_denied');
});

test('with a wrong client secret nobody enters', async () => {
  await registerProvider(database, {
    issuer,
    client_id,
    client_secret: 'a secret of somebody else',
    people: 'created',
  });
  const page = await go(open(), authorizationQuery());
  assert.equal(problemOn(page), 'provider_wrong');
});
