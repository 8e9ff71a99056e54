import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rulesFor } from '../../src/lib/security-profile.ts';
import { authorizationQuery, post } from '../support/flow.ts';
import { startLatchkey, startWithPrinter } from '../support/latchkey.ts';
import { repository } from './documents.ts';

const readme = readFileSync(join(repository, 'src/oauth/interface.md'), 'utf8');
const [section = ''] = /(?<=\n## The profile fapi2\n).*?(?=\n##)/s.exec(readme) ?? [];
const rows = new Map(
  [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name = '', ...cells]) => [name, cells]),
);

type Rules = ReturnType<typeof rulesFor>;

/** The row about a rule, and what its cell says for a value. A rule without an entry here does not compile. */
const said: { [Rule in keyof Rules]: [row: string, words: (value: Rules[Rule]) => string] } = {
  max_code_ttl: [
    'authorization codes',
    (seconds) => (Number.isFinite(seconds) ? `at most ${seconds} seconds` : '`AUTHORIZATION_CODE_TTL`'),
  ],
  always_needs_pkce: ['PKCE', (always) => (always ? 'needed' : 'needed by public clients')],
  always_needs_redirect_uri: [
    'authorization requests',
    (always) => (always ? 'always with `redirect_uri`' : '`redirect_uri` may be omitted'),
  ],
  asks_each_time: ['consent', (asks) => (asks ? 'asked for each time' : 'remembered')],
  rotates_refresh_tokens: ['refresh tokens', (rotates) => (rotates ? 'replaced at each use' : 'kept')],
  answers_wider_refresh: [
    'refresh tokens',
    (answers) => (answers ? 'what was refused may be named again' : 'naming what was refused is an error'),
  ],
  accepts_addresses_as_audience: [
    'authentication',
    (accepts) =>
      accepts ? '[may name an address of this server](#clients-that-prove-a-key)' : 'an assertion names the issuer',
  ],
  accepts_rs256: ['authentication', (accepts) => (accepts ? 'or be signed by RS256' : 'never signed by RS256')],
};

for (const [column, profile] of ([null, 'fapi2'] as const).entries()) {
  test(`the README says of every rule what holds ${profile ? 'with the profile fapi2' : 'without a profile'}`, () => {
    for (const [rule, value] of Object.entries(rulesFor({ profile })) as [keyof Rules, never][]) {
      const [row, words] = said[rule];
      const cell = rows.get(row)?.[column] ?? assert.fail(`no row "${row}" about ${rule}`);
      assert.ok(cell.includes(words(value)), `${rule}: "${cell}" does not say "${words(value)}"`);
    }
  });
}

test('PKCE is needed by all clients of the profile, not only by public ones', () => {
  assert.deepEqual(rows.get('PKCE'), ['needed by public clients', 'needed']);
});

test('the registrations in the README are complete, and their tokens are bound as it says', async () => {
  const { database } = await startLatchkey();
  const [, statements = ''] = /```sql\n-- banks\.sql\n(.*?)```/s.exec(section) ?? [];
  await database.query(statements);
  const { rows: clients } = await database.query(
    `select client_id, token_endpoint_auth_method as method, token_binding, jwks is not null as has_keys,
       require_pushed_authorization_requests as pushes, require_signed_request_object as signs
     from clients where profile = 'fapi2' order by client_id`,
  );
  const bank = { pushes: true, signs: false, has_keys: true };
  assert.deepEqual(clients, [
    { ...bank, client_id: 'bank-that-signs', method: 'tls_client_auth', token_binding: 'certificate', signs: true },
    {
      ...bank,
      client_id: 'bank-with-certificate',
      method: 'tls_client_auth',
      token_binding: 'certificate',
      has_keys: false,
    },
    { ...bank, client_id: 'bank-with-key', method: 'private_key_jwt', token_binding: 'dpop' },
  ]);
});

test('a request_uri lives for as long as the README says', async () => {
  const [, seconds = ''] = /A `request_uri` lives for (\d+) seconds/.exec(section) ?? [];
  const { database, origin } = await startWithPrinter();
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery()));
  const { status, body } = await post(`${origin}/par`, request);
  assert.deepEqual([status, String(body['expires_in'])], [201, seconds]);
  const { rows: pushed } = await database.query(
    'select extract(epoch from expires_at - now())::float8 as left from pushed_requests',
  );
  assert.ok(pushed[0].left <= Number(seconds) && pushed[0].left > 0);
});
