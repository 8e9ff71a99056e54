import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { createClientKey } from '../../support/client-assertion.ts';
import { assertRefused, commandLineFor } from '../../support/command-line.ts';
import { authorizationQuery, basic, codeIn, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { registerPrinter } from '../../support/latchkey.ts';
import { signRequest } from '../../support/request-object.ts';
import { register, sendJson } from '../../support/self-registration.ts';

// Which choices a client may name [9396 §10]: authorization_details_types.

const { origin, database, url, registerChoice } = await startWithOrganizations({ REGISTRATION_ENDPOINT: 'open' });
const { latchkey } = commandLineFor(url);
const browser = await signedInBrowser(origin);
const key = createClientKey('one');
const scopes = ['user:name', 'org:read', 'photos:read'];
const scope = scopes.join(' ');
await database.query(`select register_scope('photos:read', 'See your photos', changes => false)`);
await registerChoice({
  name: 'albums',
  scopes: ['photos:read'],
  query: `select n::text as value, 'Album ' || n as label, null as hint from generate_series(1, 3) n where $1 <> ''`,
});
const limited = (types: string[] | null) =>
  registerPrinter(database, { scopes, jwks: { keys: [key.jwk] }, authorization_details_types: types });
const details = (type: string, identifier: string) => [{ type, identifier }];
const asked = (type: string, identifier: string) => ({
  authorization_details: JSON.stringify(details(type, identifier)),
});
const pushed = (request: object) =>
  post(`${origin}/par`, request as Record<string, string>, { authorization: basic() });
const errorAt = (location: string | undefined) => new URL(location ?? '').searchParams.get('error');

test('a client names only the choices that it is registered for; people are asked for all that its scopes need', async () => {
  await limited(['albums']);
  const foreign = { scope, ...asked('organizations', '12') };
  const refusal = await browser.visit(`/authorize?${authorizationQuery(foreign)}`);
  assert.equal(errorAt(refusal.location), 'invalid_authorization_details');
  const request = (claims: object) => signRequest(key, origin, { claims: { scope, ...claims } });
  const objects = [
    Object.fromEntries(new URLSearchParams(authorizationQuery(foreign))),
    {
      client_id: 'photo-printer',
      request: await request({ authorization_details: details('organizations', '12') }),
    },
  ];
  for (const sent of objects) {
    const { status, body } = await pushed(sent);
    assert.deepEqual([status, body['error']], [400, 'invalid_authorization_details']);
    assert.match(String(body['error_description']), /a type that this client cannot ask for/);
  }
  const own = await request({ authorization_details: details('albums', '2') });
  assert.equal((await pushed({ client_id: 'photo-printer', request: own })).status, 201);

  const page = await browser.visit(`/authorize?${authorizationQuery({ scope, ...asked('albums', '2') })}`);
  assert.doesNotMatch(page.text, /Album 1/);
  const form = { scope: scopes, [chosen]: ['12', '13'] };
  const code = codeIn(await browser.submit(page, 'id="allow"', form));
  const atOnce = await redeem(origin, code, asked('organizations', '12'));
  assert.deepEqual([atOnce.status, atOnce.body['error']], [400, 'invalid_authorization_details']);
  const { body } = await redeem(origin, code);
  const all = [...details('albums', '2'), ...identifiers('12', '13')];
  assert.deepEqual(body['authorization_details'], all);
  const narrowed = await refresh(origin, body['refresh_token'], asked('organizations', '12'));
  assert.deepEqual([narrowed.status, narrowed.body['error']], [400, 'invalid_authorization_details']);
  const next = await refresh(origin, body['refresh_token'], asked('albums', '2'));
  assert.deepEqual([next.status, next.body['authorization_details']], [200, all]);

  for (const types of [[], null]) {
    await limited(types);
    const { status, body: both } = await pushed(Object.fromEntries(new URLSearchParams(authorizationQuery(foreign))));
    assert.equal(status, 201, JSON.stringify(both));
  }
});

test('a client states the choices at /register; an unknown name is refused, and one that is disabled later stays', async () => {
  const types = ['organizations', 'albums'];
  const { status, body } = await register(origin, { authorization_details_types: types });
  assert.deepEqual([status, body['authorization_details_types']], [201, types]);
  const { client_id, registration_client_uri: uri, registration_access_token: token } = body;
  for (const wrong of [['other'], ['organizations', 'other'], 'organizations', [1], [null]]) {
    const refused = await register(origin, { authorization_details_types: wrong });
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_client_metadata'], String(wrong));
    assert.match(String(refused.body['error_description']), /^authorization_details_types/);
  }
  const metadata = { client_id, redirect_uris: ['https://app.example/cb'], token_endpoint_auth_method: 'none' };
  const change = (members: object) => sendJson(uri, 'PUT', { ...metadata, scope: 'user:name', ...members }, token);
  assert.equal((await change({ authorization_details_types: ['other'] })).body['error'], 'invalid_client_metadata');
  await database.query(`update choices set disabled_at = now() where name = 'albums'`);
  try {
    const kept = await change({ authorization_details_types: types });
    assert.deepEqual([kept.status, kept.body['authorization_details_types']], [200, types]);
    const late = await register(origin, { authorization_details_types: types });
    assert.equal(late.body['error'], 'invalid_client_metadata');
  } finally {
    await database.query(`update choices set disabled_at = null where name = 'albums'`);
  }
  const without = await change({});
  assert.deepEqual([without.status, without.body['authorization_details_types']], [200, undefined]);
});

test('a seed and a command name the choice that is not registered', async () => {
  await assert.rejects(
    limited(['albums', 'other']),
    /register_client\('photo-printer'\): authorization_details_types 'other': there is no such choice/,
  );
  const update = (types: string) =>
    latchkey(['client', 'update', 'photo-printer', '--authorization-details-types', types]);
  assertRefused(await update('albums other'), 1, /authorization_details_types 'other': there is no such choice/);
  const typesNow = async () => {
    const { out } = await latchkey(['client', 'show', 'photo-printer', '--json']);
    return JSON.parse(out).authorization_details_types;
  };
  for (const [typed, types] of [
    ['albums organizations', ['albums', 'organizations']],
    ['', null],
  ] as const) {
    const { code, err } = await update(typed);
    assert.equal(code, 0, err);
    assert.deepEqual(await typesNow(), types);
  }
  const words = ['--name', 'Two', '--site-domain', 'two.example', '--redirect-uri', 'https://two.example/'];
  const member = ['--authorization-details-types', 'albums'];
  const made = await latchkey(['client', 'create', 'two', ...words, '--scope', 'photos:read', ...member, '--json']);
  assert.equal(made.code, 0, made.err);
  const { out } = await latchkey(['client', 'show', 'two', '--json']);
  assert.deepEqual(JSON.parse(out).authorization_details_types, ['albums']);
});
