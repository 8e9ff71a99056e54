import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, type Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, getUser, redeem } from '../../support/flow.ts';
import { client, person, skip, startKeycloak } from '../../support/keycloak.ts';
import { registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { problemOn, registerProvider } from '../../support/providers.ts';

test('Keycloak is a provider: people get an account, enter it again, and prove who they are where that is demanded', {
  skip,
}, async () => {
  const { origin, database } = await startLatchkey();
  await registerPrinter(database);
  const issuer = await startKeycloak(`${origin}/login/provider/acme/callback`);
  await registerProvider(database, { issuer, ...client, people: 'created' });

  /** Through the sign-in page of Keycloak, which a browser that is signed in there sees only where it is demanded. */
  const go = async (here: Browser, there: Browser, query: string): Promise<[page: Page, wasAsked: boolean]> => {
    const sent = await here.submit(await here.visit(`/authorize?${query}`), 'value="acme"');
    const page = await there.visit(sent.location ?? '');
    const wasAsked = page.location === undefined;
    const back = wasAsked ? await there.submit(page, 'name="login"', person) : page;
    assert.ok(back.location?.startsWith(origin), `${back.status} ${back.text}`);
    return [await here.visit(back.location ?? ''), wasAsked];
  };
  const userOf = async (browser: Browser, page: Page) => {
    const answer = page.location === undefined ? await browser.submit(page, 'id="allow"') : page;
    const { body } = await redeem(origin, codeIn(answer));
    return (await getUser(origin, body['access_token'])).body;
  };

  const [here, there] = [new Browser(origin), new Browser(new URL(issuer).origin)];
  const [page] = await go(here, there, authorizationQuery());
  const first = await userOf(here, page);
  assert.deepEqual([first['username'], first['email'], first['email_verified']], ['ada', person.email, true]);

  const again = new Browser(origin);
  const [entered, wasAsked] = await go(again, there, authorizationQuery());
  assert.equal(wasAsked, false);
  assert.equal((await userOf(again, entered))['sub'], first['sub']);

  await new Promise((resolve) => setTimeout(resolve, 2100));
  for (const demand of [{ prompt: 'login' }, { max_age: '1' }]) {
    const [proved, isAsked] = await go(again, there, authorizationQuery(demand));
    assert.equal(problemOn(proved), undefined, proved.text);
    assert.equal(isAsked, true, JSON.stringify(demand));
    await new Promise((resolve) => setTimeout(resolve, 2100));
  }
});
