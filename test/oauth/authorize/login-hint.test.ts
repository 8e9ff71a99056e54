import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, obtainCode, post, redeem, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

// For whom an authorization request is [OpenID Connect Core §3.1.2.1].

const { origin, database } = await startLatchkey();
await registerPeople(database, ['alice', 'bob', 'carol']);
await registerPrinter(database);

const request = (login_hint: string | undefined, changes = {}) =>
  `/authorize?${authorizationQuery({ login_hint, ...changes })}`;
const errorIn = ({ location = '' }: Page) => new URL(location, origin).searchParams.get('error');
const isChoice = ({ location, text }: Page) => location === undefined && text.includes('name="continue"');

/** alice, signed in, with a grant that is remembered: nothing but the hint stands between her and the code. */
async function aliceWithGrant(): Promise<Browser> {
  const alice = await signedInBrowser(origin);
  await obtainCode(alice);
  return alice;
}

async function personOf(page: Page): Promise<unknown> {
  const { body } = await redeem(origin, codeIn(page));
  return (await post(`${origin}/introspect`, { token: String(body['access_token']) })).body['username'];
}

test('a hint that names the person who is signed in changes nothing: by name, address or number', async () => {
  const alice = await aliceWithGrant();
  for (const hint of ['alice', 'alice@example.com', 'ALICE@example.com', '1']) {
    assert.ok(codeIn(await alice.visit(request(hint))), hint);
    assert.ok(codeIn(await alice.visit(request(hint, { prompt: 'none' }))), hint);
  }
});

for (const path of ['/authorize', '/login/oauth/authorize']) {
  test(`a hint that names somebody else shows the choice of account, with that name filled in: ${path}`, async () => {
    const alice = await aliceWithGrant();
    await obtainCode(alice, { prompt: 'consent' }, {}, path);
    const choice = await alice.visit(request('bob').replace('/authorize', path));
    assert.ok(isChoice(choice));
    assert.match(choice.text, /name="username"[^>]* value="bob"/);
    const bob = await alice.submit(choice, 'id="login"', { username: 'bob', password });
    assert.equal(await personOf(await alice.submit(bob, 'id="allow"')), 'bob');
  });
}

test('the person may stay with the account that is signed in, or sign in as a third one, and is not asked again', async () => {
  const alice = await aliceWithGrant();
  const choice = await alice.visit(request('bob'));
  assert.equal(await personOf(await alice.submit(choice, 'name="continue"')), 'alice');
  const again = await alice.visit(request('bob'));
  assert.ok(isChoice(again), 'nothing remembers that for the next request');
  const consent = await alice.submit(again, 'id="login"', { username: 'carol', password });
  assert.match(consent.text, /id="allow"/);
  assert.equal(await personOf(await alice.submit(consent, 'id="allow"')), 'carol');
});

test('with prompt=none it is login_required, the same for a name that exists as for one that does not', async () => {
  const alice = await aliceWithGrant();
  for (const hint of ['bob', 'nobody', 'Alicia', 'bob@example.com']) {
    assert.equal(errorIn(await alice.visit(request(hint, { prompt: 'none' }))), 'login_required', hint);
  }
  for (const hint of ['alice', ' Alice']) {
    assert.ok(codeIn(await alice.visit(request(hint, { prompt: 'none' }))), hint);
  }
});

test('a pushed hint counts, one beside it does not; what cannot be a name is no hint', async () => {
  const alice = await aliceWithGrant();
  const push = async (login_hint: string | undefined) => {
    const parameters = Object.fromEntries(new URLSearchParams(authorizationQuery({ login_hint })));
    const { body } = await post(`${origin}/par`, parameters);
    return `/authorize?client_id=photo-printer&request_uri=${encodeURIComponent(String(body['request_uri']))}`;
  };
  assert.ok(isChoice(await alice.visit(await push('bob'))));
  assert.ok(codeIn(await alice.visit(`${await push(undefined)}&login_hint=bob`)));
  for (const hint of ['x'.repeat(201), 'a\nb', '']) assert.ok(codeIn(await alice.visit(request(hint))));
  assert.ok(codeIn(await alice.visit(`${request('bob')}&login_hint=carol`)), 'sent twice');
});
