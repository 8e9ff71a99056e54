import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printer, startWithPrinter } from '../../support/latchkey.ts';

const { database } = await startWithPrinter();

type Resource = Record<string, string | readonly string[] | null>;
const api = { resource: 'https://api.example', scopes: ['repo'], client_id: printer.client_id };

function register(changes: Resource = {}) {
  const values = { ...api, ...changes };
  const names = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  return database.query(`select register_resource(${names.join(', ')})`, Object.values(values));
}

const registered = async () =>
  (await database.query('select resource, scopes, client_id, token_format from resources where disabled_at is null'))
    .rows;

test('a resource is registered with the members of its scopes, and again to change it', async () => {
  await register();
  const row = { ...api, scopes: ['repo:read', 'repo:write'], token_format: 'opaque' };
  assert.deepEqual(await registered(), [row]);
  await register({ scopes: ['user:name'], token_format: 'jwt', client_id: null });
  assert.deepEqual(await registered(), [{ ...row, scopes: ['user:name'], token_format: 'jwt', client_id: null }]);
  await database.query('delete from resources');
});

test('https with a port, path or query is accepted, http only on a loopback address', async () => {
  const accepted = ['https://api.example/', 'https://api.example:8443/v1?tenant=a', 'http://localhost:8080/mcp'];
  for (const resource of [...accepted, 'http://127.0.0.1', 'http://[::1]:1/']) {
    await register({ resource });
    assert.equal((await registered())[0].resource, resource);
    await database.query('delete from resources');
  }
});

for (const [problem, changes, sentence] of [
  ...[
    'api.example',
    '/v1',
    '//api.example',
    '',
    'self',
    'urn:x',
    'javascript:1',
    'https://',
    'https://api.example/#x',
    'https://api.example/#',
    'https://user@api.example/',
    'HTTPS://api.example/',
    'https://API.example/',
    'https://api.example:70000/',
    'https://api.example/a b',
    'https://api.example/\u202e',
    'https://api.example/"x',
    'https://*.api.example/',
  ].map((resource) => [`the resource ${JSON.stringify(resource)}`, { resource }, /is not of the form https/] as const),
  ['plain http', { resource: 'http://api.example/' }, /'http:\/\/api.example\/' is not https/],
  ['a very long resource', { resource: `https://api.example/${'x'.repeat(500)}` }, /longer than 500/],
  ['no resource', { resource: null }, /resource is missing/],
  ['no scopes', { scopes: [] }, /scopes is empty/],
  ['an unknown scope', { scopes: ['repo', 'nope'] }, /there is no scope 'nope'/],
  ['an unknown client', { client_id: 'nobody' }, /'nobody' is no registered client/],
  ['an unknown format', { token_format: 'paseto' }, /'paseto' is neither opaque nor jwt/],
  ['no format', { token_format: null }, /token_format/],
] as const) {
  test(`register_resource refuses ${problem} in a sentence, and stores nothing`, async () => {
    await assert.rejects(register(changes), (error: Error) => {
      assert.match(error.message, /^register_resource\(/);
      assert.match(error.message, sentence);
      return true;
    });
    assert.deepEqual(await registered(), []);
  });
}

test('a client that is deleted takes no resource with it', async () => {
  await register();
  await database.query('delete from clients');
  assert.deepEqual((await registered())[0].client_id, null);
});
