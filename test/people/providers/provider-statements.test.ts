import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxIdentities } from '../../../src/people/providers/identities.sql.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { registerProvider } from '../../support/providers.ts';

const { database } = await startLatchkey();
await registerPeople(database, ['alice', 'bob']);
const tenant = '11111111-2222-4333-8444-555555555555';

/** Each spoils one argument of a registration that is accepted. */
const refused: [Record<string, unknown>, RegExp][] = [
  [{ name: null }, /name is missing/],
  [{ name: 'Acme' }, /name 'Acme' is not made of/],
  [{ name: 'a/../b' }, /is not made of/],
  [{ name: 'x'.repeat(33) }, /is not made of/],
  [{ name: '-acme' }, /is not made of/],
  [{ issuer: null }, /issuer is missing/],
  [{ issuer: 'http://login.acme.example' }, /is not https/],
  [{ issuer: 'http://localhost.evil.example' }, /is not https/],
  [{ issuer: 'https://LOGIN.acme.example' }, /is not of the form/],
  [{ issuer: 'https://login.acme.example:443' }, /is not of the form/],
  [{ issuer: 'https://login.acme.example:443/a' }, /is not of the form/],
  [{ issuer: 'https://login.acme.example?tenant=1' }, /is not of the form/],
  [{ issuer: 'https://login.acme.example/#x' }, /is not of the form/],
  [{ issuer: 'https://user@login.acme.example' }, /is not of the form/],
  [{ issuer: ' https://login.acme.example' }, /is not of the form/],
  [{ issuer: 'javascript:alert(1)' }, /is not of the form/],
  [{ issuer: `https://login.acme.example/${'x'.repeat(300)}` }, /longer than 300/],
  [{ client_id: '' }, /client_id is missing/],
  [{ client_id: 'ä' }, /is not ASCII/],
  [{ client_secret: 'short' }, /fewer than 8/],
  [{ client_secret: 'with a line\nbreak' }, /control character/],
  [{ client_secret: null, token_endpoint_auth_method: 'client_secret_post' }, /needs a client_secret/],
  [{ token_endpoint_auth_method: 'none' }, /is not used with/],
  [{ token_endpoint_auth_method: 'client_secret_jwt' }, /is none of/],
  [{ token_endpoint_auth_method: 'private_key_jwt' }, /is none of/],
  [{ id_token_signed_response_alg: 'HS256' }, /is none of RS256/],
  [{ id_token_signed_response_alg: 'none' }, /is none of RS256/],
  [{ id_token_signed_response_alg: null }, /is none of RS256/],
  [{ people: 'everybody' }, /is neither registered nor created/],
  [{ people: null }, /is neither registered nor created/],
  [{ domains: ['acme.example'] }, /need people => 'created'/],
  [{ people: 'created', domains: ['@acme.example'] }, /domain '@acme.example' is not a host name/],
  [{ people: 'created', domains: ['ACME.example'] }, /is not a host name/],
  [{ people: 'created', domains: [null] }, /is not a host name/],
  [{ title: '' }, /title is empty/],
  [{ title: 'x'.repeat(61) }, /longer than 60/],
  [{ kind: 'saml' }, /kind 'saml' is none of/],
  [{ tenants: [tenant] }, /only with an issuer that they share/],
  [{ issuer: 'https://login.microsoftonline.com/common/v2.0' }, /is shared by all tenants/],
  [
    { issuer: 'https://login.microsoftonline.com/organizations/v2.0', tenants: ['acme'] },
    /tenant 'acme' is not a UUID/,
  ],
  [{ scopes: ['email'] }, /lacks openid/],
  [{ scopes: ['openid', 'a b'] }, /scope 'a b' contains/],
  [{ endpoint_hosts: ['https://login.acme.example'] }, /endpoint host/],
  [{ on_logout: 'everything' }, /is neither sessions nor access/],
  [{ global_token_revocation: true, kind: 'github' }, /is for providers of kind 'openid'/],
  [{ on_logout: null }, /is neither sessions nor access/],
  [{ on_logout: 'access', kind: 'github' }, /GitHub tells of no logout/],
];

for (const [changes, message] of refused) {
  test(`a provider is not registered with ${JSON.stringify(changes).slice(0, 100)}`, async () => {
    await assert.rejects(
      registerProvider(database, { name: 'other', issuer: 'https://other.example', ...changes }),
      (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /the secret of latchkey/);
        return true;
      },
    );
    const { rows } = await database.query(`select name from providers where name = 'other'`);
    assert.deepEqual(rows, []);
  });
}

test('all problems of a provider are said at once', async () => {
  await assert.rejects(
    registerProvider(database, { name: 'A', issuer: 'http://acme.example', people: 'x' }),
    /register_provider\('A'\): .*name.*; .*issuer.*; .*people/,
  );
});

test('a registration is repeatable, updates, and keeps what an operator has switched off', async () => {
  await registerProvider(database, { title: 'Acme' });
  await database.query(`update providers set disabled_at = now() where name = 'acme'`);
  await registerProvider(database, { title: 'Acme Staff', people: 'created', domains: ['acme.example'] });
  const { rows } = await database.query(
    `select title, people, domains, kind, token_endpoint_auth_method, disabled_at is null as enabled from providers where name = 'acme'`,
  );
  assert.deepEqual(rows, [
    {
      title: 'Acme Staff',
      people: 'created',
      domains: ['acme.example'],
      kind: 'openid',
      token_endpoint_auth_method: 'client_secret_basic',
      enabled: false,
    },
  ]);
  await assert.rejects(registerProvider(database, { name: 'twin' }), /is that of another provider/);
});

test('Entra and GitHub are known by their addresses', async () => {
  const shared = 'https://login.microsoftonline.com/organizations/v2.0';
  await registerProvider(database, { name: 'entra', issuer: shared, tenants: [tenant] });
  await registerProvider(database, { name: 'github', issuer: 'https://github.com' });
  const { rows } = await database.query(
    `select name, kind, issuers, scopes from providers where name in ('entra', 'github') order by name`,
  );
  assert.deepEqual(rows, [
    {
      name: 'entra',
      kind: 'entra',
      issuers: [`https://login.microsoftonline.com/${tenant}/v2.0`],
      scopes: ['openid', 'profile', 'email'],
    },
    { name: 'github', kind: 'github', issuers: ['https://github.com'], scopes: ['read:user', 'user:email'] },
  ]);
});

test('an operator links an identity once, and is told whose it is', async () => {
  const issuer = 'https://login.acme.example';
  const link = (username: unknown, at: unknown, subject: unknown) =>
    database.query('select link_identity(username => $1, issuer => $2, subject => $3)', [username, at, subject]);
  await registerProvider(database, {});
  await link('alice', issuer, 'x|7');
  await link('alice', issuer, 'x|7');
  await assert.rejects(link('bob', issuer, 'x|7'), /is the identity of 'alice' already/);
  await assert.rejects(link('carol', issuer, 'x|8'), /there is no user 'carol'/);
  await assert.rejects(link('bob', 'https://unknown.example', 'x|8'), /that of no registered provider/);
  await assert.rejects(link('bob', `${issuer}/`, 'x|8'), /that of no registered provider/);
  for (const subject of ['', 'a b', 'ä', 'x'.repeat(256)]) {
    await assert.rejects(link('bob', issuer, subject), /subject is not made of/);
  }
  await assert.rejects(link('bob', issuer, null), /subject is missing/);
  const { rows } = await database.query(
    'select username, identities.subject from identities join users using (user_id)',
  );
  assert.deepEqual(
    rows.filter(({ subject: one }) => one.startsWith('x|')),
    rows,
  );
  assert.deepEqual(
    rows.map(({ username }) => username),
    ['alice'],
  );
});

test('a person has as many identities as the account page shows, also by an operator', async () => {
  const link = (subject: string) =>
    database.query(`select link_identity('bob', 'https://login.acme.example', $1)`, [subject]);
  for (let index = 0; index < maxIdentities; index += 1) await link(`bob-${index}`);
  await assert.rejects(link('one-too-many'), /the user 'bob' has 20 identities already/);
  await link('bob-7');
  await database.query(`delete from identities where subject = 'bob-7'`);
  await link('one-too-many');
  await database.query('delete from identities');
});

test('a person who is deleted leaves no identity', async () => {
  await database.query(`select link_identity('bob', 'https://login.acme.example', 'bob-there')`);
  const { deleteUser } = await import('../../../src/accounts/leaving/deleted-users.sql.ts');
  const { rows } = await database.query(`select user_id from users where username = 'bob'`);
  const deletion = { user_id: rows[0].user_id, password_hash: null, request_id: 'test', address: null };
  assert.ok(await deleteUser(database, deletion));
  const left = await database.query(`select from identities where subject = 'bob-there'`);
  assert.equal(left.rows.length, 0);
});
