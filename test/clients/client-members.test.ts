import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClientMember, clientMemberNames, clientMembers } from '../../src/lib/client-members.ts';
import { clientMethods, methodNames } from '../../src/lib/client-methods.ts';
import { createClientKey } from '../support/client-assertion.ts';
import { startLatchkey } from '../support/latchkey.ts';

// the table of what can be registered about a client, compared with what the database has

const { database } = await startLatchkey();
await database.query(`
  select register_scope('own:read', 'See what is yours');
  select register_choice('own', '{own:read}', 'Which?', $$ select $1 as value, $1 as label $$)`);

/** The arguments of register_client, in the order that seeds may rely on. */
async function readArguments(): Promise<{ name: string; type: string; default: unknown; is_required: boolean }[]> {
  const { rows } = await database.query<{ arguments: string }>(
    "select pg_get_function_arguments('register_client'::regproc) as arguments",
  );
  const read = async (argument: string) => {
    const [, name = '', type = '', value] = /^(\w+) (\S+)(?: DEFAULT (.+))?$/.exec(argument) ?? [];
    const { rows: values } = await database.query(`select to_jsonb((${value ?? 'null'})::${type}) as value`);
    return { name, type, default: values[0].value, is_required: value === undefined };
  };
  return Promise.all((rows[0]?.arguments ?? '').split(/, (?=\w+ \S+ DEFAULT )/).map(read));
}

async function readColumns(): Promise<Map<string, string>> {
  const { rows } = await database.query(
    `select attname as name, format_type(atttypid, null) as type
     from pg_attribute
     where attrelid = 'clients'::regclass
       and attnum > 0
       and not attisdropped`,
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

test('register_client takes every member of a client, with the type and default of the table, and nothing else', async () => {
  const found = await readArguments();
  const expected = clientMemberNames.map((name) => {
    const { type, default: value = null } = clientMembers[name];
    return { name, type, default: value, is_required: name === 'client_id' };
  });
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  assert.deepEqual(found.sort(byName), expected.sort(byName));
});

test('every member has a column of its type, or is stored in another one', async () => {
  const columns = await readColumns();
  for (const name of clientMemberNames) {
    const { type, column } = clientMembers[name];
    if (column === undefined) assert.equal(columns.get(name), type, name);
    else assert.ok(columns.has(column) && !columns.has(name), name);
  }
});

/** What this server keeps about a client besides what is registered. */
const state = [
  ...[
    'secrets_since',
    'registered_secret_sha256',
    'created_at',
    'last_used_at',
    'renamed_at',
    'assertions_not_before',
    'tokens_not_before',
  ],
  ...[
    'disabled_at',
    'disabled_by_owner',
    'deleted_at',
    'is_demo',
    'origin',
    'has_fixed_scopes',
    'offered_methods',
    'only_for',
    'version',
  ],
];

test('every column of a client is a member, holds members, or is state of this server', async () => {
  const members = clientMemberNames.map((name) => clientMembers[name].column ?? name);
  assert.deepEqual([...(await readColumns()).keys()].sort(), [...new Set([...members, ...state])].sort());
});

/** Bodies of functions by their names. */
async function sourceOf(name: string): Promise<string> {
  const { rows } = await database.query('select prosrc from pg_proc where proname = $1', [name]);
  return rows[0].prosrc;
}

test('the rules of a member are in the function that the table names, and in no other', async () => {
  const functions = ['check_registration', 'check_client_security'] as const;
  const sources = await Promise.all(functions.map(sourceOf));
  const checks = (name: ClientMember) => functions.filter((_, at) => sources[at]?.includes(`('${name}',`));
  for (const name of clientMemberNames) {
    const { rule } = clientMembers[name];
    assert.deepEqual(checks(name), rule === undefined ? [] : [rule], name);
  }
});

test('a member that is stated is stored, and one that is left out has its default again', async () => {
  const base = { client_id: 'member', name: 'Member', site_domain: 'a.example', redirect_uris: ['https://a.example/'] };
  const stated = { ...base, scopes: ['user:name'] };
  const changes = {
    required_scopes: ['user:name'],
    homepage_uri: 'https://a.example/home',
    logo_uri: 'https://a.example/logo',
    policy_uri: 'https://a.example/policy',
    tos_uri: 'https://a.example/tos',
    grant_types: ['authorization_code'],
    resource_server: true,
    scope_reasons: { 'user:name': 'to greet you' },
    vouched: false,
    token_endpoint_auth_method: 'tls_client_auth',
    jwks_uri: 'https://a.example/jwks',
    tls_client_auth_san_dns: 'a.example',
    require_pushed_authorization_requests: true,
    require_signed_request_object: true,
    request_object_signing_alg: 'PS256',
    token_endpoint_auth_signing_alg: 'PS256',
    authorization_details_types: ['own'],
    assertion_audience: 'address',
    consent: null,
    profile: 'fapi2',
  };
  const registered = async (members: Record<string, unknown>) => {
    const names = Object.keys(members);
    const given = names.map((name, at) => `${name} => $${at + 1}`).join(', ');
    await database.query(`select register_client(${given})`, Object.values(members));
    const { version: _, ...row } = (await database.query("select * from clients where client_id = 'member'")).rows[0];
    return row;
  };
  const before = await registered(stated);
  const after = await registered({ ...stated, ...changes });
  for (const [name, value] of Object.entries(changes)) assert.deepEqual(after[name], value, name);
  const { vouched, assertion_audience, ...rest } = await registered(stated);
  assert.deepEqual({ ...rest, vouched: true, assertion_audience: 'issuer' }, before);
  assert.equal(assertion_audience, 'address', 'that of a client which is there stays');
  assert.equal(vouched, false, 'only an operator who says so vouches for it again');
});

const samples = {
  jwks: { keys: [createClientKey('one').jwk] },
  jwks_uri: 'https://app.example/jwks',
  tls_client_auth_subject_dn: 'CN=app,O=Acme',
  tls_client_auth_san_dns: 'app.example',
};

async function problemsOf(stated: object): Promise<string[]> {
  const { rows } = await database.query('select field, rule from check_client_security($1)', [stated]);
  return rows.map(({ field, rule }) => `${field} ${rule}`);
}

for (const token_endpoint_auth_method of methodNames) {
  test(`the database registers ${token_endpoint_auth_method} with exactly one of the members that it needs`, async () => {
    const { proof, needs = [] } = clientMethods[token_endpoint_auth_method];
    const client_secret = proof === 'secret' ? 'at-least-32-characters-that-a-machine-made' : null;
    const stated = { token_endpoint_auth_method, client_secret };
    const [first = '', second = ''] = needs;
    const chosen = (names: readonly string[]) => Object.entries(samples).filter(([name]) => names.includes(name));
    assert.deepEqual(
      (await problemsOf(stated)).map((problem) => problem.split(' ')[0]),
      needs.slice(0, 1),
    );
    if (needs.length === 0) return;
    for (const name of [first, second]) {
      assert.deepEqual(await problemsOf({ ...stated, ...Object.fromEntries(chosen([name])) }), []);
    }
    assert.notDeepEqual(await problemsOf({ ...stated, ...Object.fromEntries(chosen(needs)) }), []);
  });
}

test('the database registers no other method', async () => {
  const problems = await problemsOf({ token_endpoint_auth_method: 'client_secret_jwt' });
  assert.deepEqual(problems, ['token_endpoint_auth_method unknown']);
});
