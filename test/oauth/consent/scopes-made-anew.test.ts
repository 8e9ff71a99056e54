import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteScope } from '../../../src/catalogue/scopes.sql.ts';
import { authorizationQuery, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, registerResource, startLatchkey } from '../../support/latchkey.ts';
import { recorded } from '../../support/recorded.ts';

// A person has allowed what a scope said when they were asked. If it says or reveals something else, nobody has allowed it.

const { origin, database } = await startLatchkey();
await registerPeople(database);
const resource = 'https://api.example/';
const scope = 'user:name photos photos:all';
const make = (name: string, sentence: string) => database.query('select register_scope($1, $2)', [name, sentence]);
const register = (...more: string[]) => registerPrinter(database, { scopes: ['user:name', ...more] });
await make('photos', 'See your photos');
await make('photos:all', 'See all photos');
await register('photos', 'photos:all');

test('a scope that was deleted and made anew with another sentence is asked for again, and no token of before has it', async () => {
  await registerResource(database, resource, ['photos', 'photos:all']);
  const alice = await signedInBrowser(origin);
  const tokens = (await redeem(origin, await obtainCode(alice, { scope }))).body;
  await obtainCode(alice, { scope: 'photos photos:all', resource });
  const silently = async (asked: string, at?: string) => {
    const { location } = await alice.visit(
      `/authorize?${authorizationQuery({ scope: asked, prompt: 'none', resource: at })}`,
    );
    const { searchParams } = new URL(location ?? '');
    return searchParams.get('error') ?? 'allowed';
  };
  assert.deepEqual([await silently('photos'), await silently('photos photos:all', resource)], ['allowed', 'allowed']);

  await registerResource(database, resource, ['photos:all']);
  await register('photos:all');
  assert.ok(await deleteScope(database, 'photos', recorded('scope_deleted')));
  await make('photos', 'Delete your photos');
  await register('photos', 'photos:all');
  await registerResource(database, resource, ['photos', 'photos:all']);

  assert.equal(await silently('photos'), 'consent_required');
  assert.equal(await silently('photos', resource), 'consent_required');
  assert.equal(await silently('photos:all', resource), 'allowed', 'another scope stays allowed');
  const again = await refresh(origin, tokens['refresh_token']);
  assert.equal(again.body['scope'], 'user:name photos:all');
  const asked = await alice.visit(`/authorize?${authorizationQuery({ scope: 'photos' })}`);
  assert.match(asked.text, /name="scope" value="photos"/);
  await alice.submit(asked, 'id="allow"');
  assert.equal(await silently('photos'), 'allowed');
});

test('a scope that reveals another claim is asked for again, and one whose claims are registered again is not', async () => {
  const claim = (name: string, of = 'user:groups') =>
    database.query(
      `select register_claim(name => $1, scope => $2, sentence => 'See your groups', query => 'select to_jsonb($1)')`,
      [name, of],
    );
  await claim('groups');
  await claim('salary', 'user:salary');
  await register('user:groups', 'user:salary');
  const alice = await signedInBrowser(origin);
  const tokens = (await redeem(origin, await obtainCode(alice, { scope: 'user:groups' }))).body;
  const revealed = async () => Object.keys((await getUser(origin, tokens['access_token'])).body);
  assert.ok((await revealed()).includes('groups'));
  await claim('groups');
  assert.ok((await revealed()).includes('groups'), 'a seed that runs again changes nothing');

  // a new claim, and one of another scope
  for (const more of ['rooms', 'salary']) {
    await claim(more);
    assert.deepEqual(
      (await revealed()).filter((name) => ['groups', more].includes(name)),
      [],
    );
    const page = await alice.visit(`/authorize?${authorizationQuery({ scope: 'user:groups' })}`);
    assert.match(page.text, /id="allow"/, 'asks again');
    await alice.submit(page, 'id="allow"');
    assert.ok((await revealed()).includes('groups'));
  }
});
