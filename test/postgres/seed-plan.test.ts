import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { deleteUser } from '../../src/accounts/leaving/deleted-users.sql.ts';
import type { Config } from '../../src/config/config.ts';
import { sealProviderSecrets } from '../../src/people/providers/provider-secrets.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { findSessionSecrets } from '../../src/postgres/settings.sql.ts';
import { commandLineFor } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { cheapHash } from '../support/latchkey.ts';

const url = await createDatabase();
const database = openDatabase({ connectionString: url }, 3);
after(() => database.end());
const { latchkey, directory } = commandLineFor(url);

const secret = 'a-secret-that-a-machine-has-made-0123456789';
const client = (
  client_id: string,
  more = '',
) => `select register_client(client_id => '${client_id}', client_secret => '${secret}',
  name => 'The ${client_id}', site_domain => 'printer.example', redirect_uris => array['https://printer.example/cb'],
  scopes => array['user']${more});\n`;
const user = (username: string, more = '') =>
  `select register_user(username => '${username}', password => '${cheapHash}', email => '${username}@example.com'${more});\n`;
const provider = (name: string) =>
  `select register_provider(name => '${name}', issuer => 'https://${name}.example', client_id => 'us', client_secret => '${secret}');\n`;
const scope = `insert into scopes (name, group_name, sentence) values ('photos:read', 'photos', 'See your photos') on conflict do nothing;\n`;
const claim = `select register_claim(name => 'groups', scope => 'user:groups', sentence => 'See your groups', query => $$ select to_jsonb($1) $$);\n`;
const choice = `select register_choice(name => 'albums', scopes => array['photos:read'], sentence => 'Which albums may {application} see?', query => $$ select $1 as value, 'Mine' as label $$);\n`;
const resource = `select register_resource(resource => 'https://api.example/', scopes => array['repo']);\n`;

function seed(text: string | Buffer, name = 'production.sql'): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

interface Change {
  action: string;
  kind: string;
  id: string;
  changes: Record<string, unknown>;
  drift?: string[];
  adopted?: boolean;
}

async function plan(text: string, ...options: string[]): Promise<Change[]> {
  const { code, out, err } = await latchkey(['seed', seed(text), '--plan', '--json', ...options]);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}
const apply = async (text: string, ...options: string[]) => {
  const outcome = await latchkey(['seed', seed(text), ...options]);
  assert.equal(outcome.code, 0, outcome.err);
  return outcome.out;
};
const brief = (changes: Change[]) => changes.map(({ action, kind, id }) => `${action} ${kind} ${id}`);

/** Everything that a plan must leave as it is: rows, sequences, roles and functions. */
async function fingerprint(): Promise<Record<string, unknown>> {
  const { rows } = await database.query(`
    select (select jsonb_agg(c order by client_id) from clients c) as clients, (select jsonb_agg(u order by user_id) from users u) as users,
      (select jsonb_agg(s order by name) from scopes s) as scopes, (select jsonb_agg(r order by resource) from resources r) as resources,
      (select jsonb_agg(p order by name) from providers p) as providers, (select jsonb_agg(s order by kind, key) from seeded_rows s) as seeded,
      (select jsonb_agg(a) from audit_events a) as events, (select jsonb_agg(s) from settings s) as settings,
      (select jsonb_object_agg(sequencename, last_value) from pg_sequences) as sequences,
      (select jsonb_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as tables,
      (select jsonb_agg(rolname order by rolname) from pg_roles) as roles`);
  return rows[0];
}

beforeEach(async () => {
  await database.query(`truncate users, clients, providers, resources, claims, choices, scope_groups cascade; delete from scopes where name = 'user:groups'; delete from scopes where name = 'photos:read';
    delete from seeded_rows; delete from settings where name = 'seed_passwords'`);
});

test('a plan lists row by row what a seed would create, and changes nothing, sequences neither', async () => {
  await apply(user('somebody'));
  const before = await fingerprint();
  const text = scope + provider('acme') + user('ada') + client('printer', `, owner => 'ada'`) + resource;
  const changes = await plan(text);
  assert.deepEqual(await fingerprint(), before);
  assert.deepEqual(brief(changes), [
    'create scope photos:read',
    'create provider acme',
    'create user ada',
    'create client printer',
    'create resource https://api.example/',
  ]);
  assert.deepEqual(changes[2]?.changes, {
    username: 'ada',
    email: 'ada@example.com',
    email_verified: true,
    password: 'set',
  });
  assert.equal(changes[3]?.changes['client_secret'], 'set');
  assert.equal(changes[3]?.changes['owner'], 'ada');
  const { out, code } = await latchkey(['seed', seed(text), '--plan']);
  assert.equal(code, 0);
  assert.match(out, /^create client printer: .*name "The printer"/m);
  assert.match(out, /5 to create, 0 to update, 0 to disable\. Nothing was changed\.\n$/);
  assert.doesNotMatch(out, new RegExp(`${secret}|\\$2b\\$`));
});

test('after a seed its plan is empty, and names what changes in the file with the new values only', async () => {
  const text = scope + provider('acme') + user('ada') + client('printer') + resource;
  assert.match(await apply(text), /^create user ada/m);
  assert.deepEqual(await plan(text), []);
  assert.match(await apply(text), /^Applied \S+\n$/);
  const changed = text
    .replace("'The printer'", "'Printer'")
    .replace(secret, 'another-secret-that-a-machine-has-made-0')
    .replace("array['repo']", "array['repo:read']");
  const changes = await plan(changed);
  assert.deepEqual(changes, [
    { action: 'update', kind: 'provider', id: 'acme', changes: { client_secret: 'another' } },
    { action: 'update', kind: 'client', id: 'printer', changes: { name: 'Printer' } },
    { action: 'update', kind: 'resource', id: 'https://api.example/', changes: { scopes: ['repo:read'] } },
  ]);
});

test('a plan knows the encrypted secret of a provider, and a person by the changes that SQL of the file makes', async () => {
  const env = { SESSION_SECRET: 'Kq9-b_3kfh2Lw0s7Zt5vXy8QmRn4Jd6u' };
  const text = provider('acme') + user('ada');
  await apply(text);
  await sealProviderSecrets({ database, sessionSecrets: [env.SESSION_SECRET] });
  const planned = await latchkey(['seed', seed(text), '--plan', '--json'], { env });
  assert.equal(planned.out, '[]\n');
  const other = await latchkey(['seed', seed(text.replace(secret, `${secret}-2`)), '--plan', '--json'], { env });
  assert.deepEqual(JSON.parse(other.out)[0].changes, { client_secret: 'another' });
  assert.deepEqual(await plan(`update users set name = 'Countess' where username = 'ada';`), [
    { action: 'update', kind: 'user', id: 'ada', changes: { name: 'Countess' } },
  ]);
});

test('what others have changed since is named in the plan, and the seed restores the values in it', async () => {
  const text = user('ada') + client('printer');
  await apply(text);
  await database.query(`select change_client('printer', '{"name": "Mine"}', by_admin => false)`);
  await database.query(`update users set name = 'Countess' where username = 'ada'`);
  assert.deepEqual(await plan(text), [
    { action: 'update', kind: 'user', id: 'ada', changes: { name: null }, drift: ['name'] },
    { action: 'update', kind: 'client', id: 'printer', changes: { name: 'The printer' }, drift: ['name'] },
  ]);
  assert.match(
    await apply(text),
    /^update client printer: name "The printer" \(changed by others since the last run: name\)$/m,
  );
  assert.deepEqual(await plan(text), []);
});

test('a row that others made, or another seed, is named when a seed takes it over', async () => {
  await database.query(client('printer'));
  const { out, err } = await latchkey(['seed', seed(client('printer')), '--plan', '--json']);
  assert.equal(out, '[]\n');
  assert.match(err, /^take over client printer: it did not come from this seed\n$/);
  await apply(client('printer'));
  const other = seed(client('printer', `, vouched => false`), 'other.sql');
  const [change] = JSON.parse((await latchkey(['seed', other, '--plan', '--json'])).out);
  assert.deepEqual(change, {
    action: 'update',
    kind: 'client',
    id: 'printer',
    changes: { vouched: false },
    adopted: true,
  });
});

test('prune disables what this seed no longer names, by name and with an event, deletes nothing, and leaves the rows of others', async () => {
  await database.query(client('of-sql') + user('of-sql'));
  await latchkey(['seed', seed(client('of-another'), 'another.sql')]);
  const kept = client('kept') + user('kept');
  await apply(kept + client('gone') + user('gone') + provider('gone') + scope + resource + claim + choice);
  const planned = await plan(kept, '--prune');
  assert.deepEqual(brief(planned), [
    'disable provider gone',
    'disable claim groups',
    'disable choice albums',
    'disable user gone',
    'disable client gone',
    'disable resource https://api.example/',
  ]);
  assert.deepEqual(planned[4]?.changes, { disabled: true });
  assert.deepEqual(brief(await plan(kept)), []);
  const said = await apply(kept, '--prune');
  assert.match(said, /^disable client gone: disabled true$/m);
  assert.match(
    said,
    /^leave scope photos:read: the file no longer names it, and a scope cannot be disabled\. Once nothing uses it, latchkey scope delete photos:read deletes it$/m,
  );
  assert.doesNotMatch(said, /^leave (?!scope)/m);
  const { rows } = await database.query(`
    select client_id as name from clients where disabled_at is not null union all
    select username from users where disabled_at is not null union all
    select name from providers where disabled_at is not null union all
    select resource from resources where disabled_at is not null union all
    select name from claims where disabled_at is not null union all
    select name from choices where disabled_at is not null`);
  assert.deepEqual(rows.map(({ name }) => name).sort(), [
    'albums',
    'gone',
    'gone',
    'gone',
    'groups',
    'https://api.example/',
  ]);
  const { rows: events } = await database.query(
    `select event from audit_events where detail like '%the seed production.sql no longer names it' order by event`,
  );
  assert.deepEqual(
    events.map(({ event }) => event),
    ['choice', 'claim', 'client', 'provider', 'resource', 'user'].map((kind) => `${kind}_disabled`),
  );
  assert.deepEqual(await plan(kept, '--prune'), []);
});

test('a run that names a pruned row again enables it, unless an operator has disabled it', async () => {
  const all = client('kept') + client('one') + client('two') + user('one') + user('kept');
  await apply(all);
  await apply(client('kept') + user('kept'), '--prune');
  await latchkey(['client', 'disable', 'two']);
  assert.deepEqual(await plan(all), [
    { action: 'update', kind: 'user', id: 'one', changes: { disabled: false } },
    { action: 'update', kind: 'client', id: 'one', changes: { disabled: false } },
  ]);
  await apply(all);
  const { rows } = await database.query('select client_id from clients where disabled_at is not null');
  assert.deepEqual(rows, [{ client_id: 'two' }]);
});

test('a resource, a claim and a choice that a seed has pruned are there again when a file names them, or somebody registers them', async () => {
  const kept = client('kept');
  await apply(kept + scope + resource + claim + choice);
  await apply(kept + scope, '--prune');
  const [listed] = JSON.parse((await latchkey(['resource', 'list', '--json'])).out);
  assert.equal(listed.disabled, true);
  assert.deepEqual(
    (await plan(kept + scope + resource + claim + choice)).map(({ action, id, changes }) => [action, id, changes]),
    [
      ['update', 'groups', { disabled: false }],
      ['update', 'albums', { disabled: false }],
      ['update', 'https://api.example/', { disabled: false }],
    ],
  );
  await database.query(resource + claim + choice);
  const { rows } = await database.query(
    'select disabled_at from resources union all select disabled_at from claims union all select disabled_at from choices',
  );
  assert.deepEqual(rows, Array(3).fill({ disabled_at: null }));
});

test('a plan shows a choice with its query, its drift, whose it was, and in how many grants people are asked again', async () => {
  const text = scope + user('ada') + user('bea') + client('printer');
  await apply(text);
  await database.query(`insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
    select user_id, 'printer', array['photos:read', 'user:name'], array['photos:read', 'user:name'], '{}', 'always' from users`);
  const before = await fingerprint();
  const { out } = await latchkey(['seed', seed(text + choice), '--plan']);
  assert.match(
    out,
    /^create choice albums: .*query " select \$1 as value, 'Mine' as label ".*scopes \["photos:read"\].*sentence "Which albums may/m,
  );
  assert.match(out, /^ask again for scope photos:read: what people have allowed of it ends in 2 grants$/m);
  assert.deepEqual(await fingerprint(), before);
  await apply(text + choice);
  const { rows } = await database.query('select distinct scopes, decided from grants');
  assert.deepEqual(rows, [{ scopes: ['user:name'], decided: ['user:name'] }]);
  assert.deepEqual(await plan(text + choice), []);
  await database.query(`update choices set may_be_all = true`);
  assert.deepEqual(await plan(text + choice), [
    { action: 'update', kind: 'choice', id: 'albums', changes: { may_be_all: false }, drift: ['may_be_all'] },
  ]);
  const changed = choice.replace('$1 as value', 'upper($1) as value').replace('Which albums', 'Which of your albums');
  assert.deepEqual((await plan(text + changed))[0]?.changes, {
    query: " select upper($1) as value, 'Mine' as label ",
    sentence: 'Which of your albums may {application} see?',
    may_be_all: false,
  });
  const other = await latchkey(['seed', seed(choice, 'other.sql'), '--plan', '--json']);
  assert.deepEqual(JSON.parse(other.out), [
    { action: 'update', kind: 'choice', id: 'albums', changes: { may_be_all: false }, adopted: true },
  ]);
  assert.deepEqual(brief(await plan(`${text}delete from choices;`)), ['delete choice albums']);
  const wrong = await latchkey(['seed', seed(text + choice.replace('$1 as', '$2 as')), '--plan']);
  assert.match(wrong.err, /register_choice\('albums'\): query has another parameter than \$1/);
  const closed = choice.replace("$1 as value, 'Mine' as label", `id as value, $1 as label from closed`);
  const unreadable = await latchkey(['seed', seed(`create table closed (id text);\n${text}${closed}`), '--plan']);
  assert.match(
    unreadable.err,
    /register_choice\('albums'\): .*permission denied for table closed; first grant select on/,
  );
  const group = await latchkey(['seed', seed(text + choice.replace('photos:read', 'photos')), '--plan']);
  assert.match(group.err, /register_choice\('albums'\): scopes has a group, which no token has: name the scopes in it/);
});

test('a choice that a seed names as it is, and any plan, holds up nobody who decides meanwhile', async () => {
  await apply(scope + user('ada') + client('printer') + choice);
  const locks = async (settings: string, sql: string) => {
    const connection = await database.connect();
    try {
      await connection.query(`begin; ${settings}; ${sql}`);
      const { rows } = await connection.query(
        `select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and mode = 'ExclusiveLock'`,
      );
      return rows.length;
    } finally {
      await connection.query('rollback');
      connection.release();
    }
  };
  const moved = choice.replace('photos:read', 'user:name');
  assert.equal(await locks('select 1', choice), 0);
  assert.equal(await locks('select 1', moved), 1);
  assert.equal(await locks('select 1', 'delete from choices'), 1);
  assert.equal(await locks(`set local latchkey.plan = 'on'`, moved), 0);
});

test('what a group of permissions is called is a row of the seed, in its plan and with its drift', async () => {
  const group = `select describe_group(name => 'photos', sentence => 'Your photos');\n`;
  assert.deepEqual(brief(await plan(scope + group)), ['create scope photos:read', 'create group photos']);
  await apply(scope + group);
  await latchkey(['scope', 'describe', 'photos', '--group', '--sentence', 'Pictures']);
  assert.deepEqual(await plan(scope + group), [
    { action: 'update', kind: 'group', id: 'photos', changes: { sentence: 'Your photos' }, drift: ['sentence'] },
  ]);
  assert.match(await apply(scope, '--prune'), /^Applied/m);
});

test('a run that is told which plan somebody has read changes that or nothing [A538]', async () => {
  await apply(client('printer'));
  const file = seed(client('printer', `, vouched => false`));
  const planned = await latchkey(['seed', file, '--plan']);
  const [, digest = ''] = /^Plan (\w{32}): /m.exec(planned.out) ?? assert.fail(planned.out);
  await database.query(`select change_client('printer', '{"name": "Mine"}', by_admin => false)`);
  const refused = await latchkey(['seed', file, '--expect', digest]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^production\.sql would not change what the plan \w{32} said: read its plan of now/);
  await database.query(`select change_client('printer', '{"name": "The printer"}', by_admin => false)`);
  assert.equal((await latchkey(['seed', file, '--expect', digest])).code, 0);
});

test('the digest of a plan is another one for another secret, which it does not print', async () => {
  const digestOf = async (text: string) => {
    const { out, err } = await latchkey(['seed', seed(text), '--plan']);
    const [, digest = ''] = /^Plan (\w{32}): /m.exec(out) ?? assert.fail(err);
    return digest;
  };
  const plain = (password: string) => `select register_user(username => 'ada', password => '${password}');\n`;
  const hashed = (hash: string) => `select register_user(username => 'ada', password_hash => '${hash}');\n`;
  const direct = (hash: string) => `${user('ada')}update users set password_bcrypt = '${hash}';\n`;
  const otherHash = `${cheapHash.slice(0, -1)}${cheapHash.endsWith('e') ? 'u' : 'e'}`;
  const phpass = '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0';
  const pairs = [
    [client('printer'), client('printer').replace(secret, `${secret}0`)],
    [provider('acme'), provider('acme').replace(secret, `${secret}0`)],
    [plain('a password of the seed'), plain('another password of it')],
    [user('ada'), user('ada').replace(cheapHash, otherHash)],
    [hashed(phpass), hashed(phpass.replace('L0', 'L1'))],
    [direct(cheapHash), direct(otherHash)],
  ];
  for (const [read = '', exchanged = ''] of pairs) {
    const digest = await digestOf(read);
    assert.equal(await digestOf(read), digest, read);
    const refused = await latchkey(['seed', seed(exchanged), '--expect', digest]);
    assert.match(refused.err, /would not change what the plan/, exchanged);
    assert.equal((await latchkey(['seed', seed(read), '--expect', digest])).code, 0, read);
    // of the next step, too, when there is an earlier secret
    assert.notEqual(await digestOf(exchanged), digest);
  }
});

test('a run that has changed something leaves an event with its file, the digest of its plan and the user of the system', async () => {
  const { rows: clock } = await database.query('select clock_timestamp() as since');
  const text = client('printer') + user('ada') + provider('acme');
  const planned = await latchkey(['seed', seed(text), '--plan']);
  const [, digest = ''] = /^Plan (\w{32}): /m.exec(planned.out) ?? assert.fail(planned.err);
  await apply(text);
  await sealProviderSecrets({ database, sessionSecrets: await findSessionSecrets({} as Config, database) });
  await apply(text);
  await plan(client('printer'), '--prune');
  await apply(client('printer'), '--prune');
  const { rows } = await database.query(
    'select event, detail, by_system_user from audit_events where happened_at > $1 order by event, happened_at',
    [clock[0].since],
  );
  const by_system_user = userInfo().username;
  const applied = rows.filter(({ event }) => event === 'seed_applied');
  assert.deepEqual(applied[0], {
    event: 'seed_applied',
    detail: `production.sql: 3 rows, plan ${digest}`,
    by_system_user,
  });
  assert.match(applied[1].detail, /^production\.sql: 2 rows, plan \w{32}$/);
  assert.deepEqual(
    rows.map((row) => [row.event, row.by_system_user]),
    ['provider_disabled', 'seed_applied', 'seed_applied', 'user_disabled'].map((event) => [event, by_system_user]),
  );
});

test('a seed cannot truncate what it registers, which its plan would not name [A538]', async () => {
  await apply(client('printer'));
  for (const option of ['--plan', '--prune']) {
    const { code, err } = await latchkey(['seed', seed(`\ntruncate clients cascade;`), option]);
    assert.equal(code, 1);
    assert.match(err, /^production\.sql, line 2: a seed cannot truncate clients: delete from it\n$/);
  }
  assert.equal((await database.query('select from clients')).rowCount, 1);
});

test('a seed cannot hide what it changes, nor write files, and no error repeats a secret in the wrong quotation marks [A535] [A538]', async () => {
  await apply(client('printer'));
  for (const statement of [
    `set local latchkey.seed = ''`,
    'set session_replication_role = replica',
    'alter table clients disable trigger all',
    'drop table if exists company, public.claims cascade',
    'drop table choices cascade',
  ]) {
    const { code, err } = await latchkey(['seed', seed(`select 1; ${statement};`), '--plan']);
    assert.equal(code, 1, statement);
    assert.match(err, /^production\.sql, line 1: a seed cannot change how this server stores and notes/);
  }
  const { err } = await latchkey(['seed', seed(`copy users to '/tmp/people.csv';`), '--plan']);
  assert.match(err, /a seed cannot write files/);
  const own = `create table company (id integer references users); alter table company add name text; drop table company;`;
  assert.equal((await latchkey(['seed', seed(own), '--plan'])).code, 0);
  const quoted = await latchkey(['seed', seed(client('other').replaceAll(`'${secret}'`, `"${secret}"`))]);
  assert.match(quoted.err, /column "…" does not exist/);
  assert.ok(!quoted.err.includes(secret));
});

test('no error repeats what stands in quotation marks only, however short it is, and every other name', async () => {
  const refused = async (text: string) => (await latchkey(['seed', seed(text)])).err;
  for (const statement of [
    `select register_user(username => 'ada', password => "hunter22");`,
    `select register_user(username => 'ada', password => "hunter 22's");`,
    `select register_user(username => 'ada', is_admin => 'hunter22');`,
    `select register_user('ada', 'secret', is_admin => E'hunter\\x32\\x32');`,
    `select register_client(client_id => 'x', redirect_uris => 'hunter22');`,
  ]) {
    assert.match(await refused(statement), /line 1: .*"…"/);
    assert.doesNotMatch(await refused(statement), /hunter/);
  }
  assert.match(await refused('select nme from users;'), /column "nme" does not exist/);
  assert.match(await refused(`select register_usr('ada');`), /function register_usr/);
});

test('revoked tokens of a client are no change since the last run of its seed, and every column is declared or kept by the server', async () => {
  await apply(client('printer'));
  assert.equal((await latchkey(['client', 'revoke-tokens', 'printer'])).code, 0);
  assert.deepEqual(await plan(client('printer')), []);
  const { rows: changed } = await database.query(
    `select left_value.key from seeded_rows, jsonb_each(state) left_value
     where left_value.value is distinct from seeded_state(kind, row_of_seed(kind, seeded_rows.key)) -> left_value.key`,
  );
  assert.deepEqual(changed, []);
  const kept: Record<string, string[]> = {
    clients: [
      ...[
        'secrets_sha256',
        'secrets_since',
        'registered_secret_sha256',
        'assertions_not_before',
        'tokens_not_before',
        'version',
      ],
      ...[
        'owner_id',
        'is_demo',
        'only_for',
        'origin',
        'offered_methods',
        'created_at',
        'last_used_at',
        'renamed_at',
        'disabled_at',
        'disabled_by_owner',
        'has_fixed_scopes',
        'deleted_at',
      ],
    ],
    providers: ['issuers', 'sealed_client_secret', 'created_at', 'disabled_at'],
    resources: ['disabled_at'],
    claims: ['disabled_at'],
    choices: ['disabled_at'],
    scopes: ['position'],
    scope_groups: [],
  };
  const kinds = {
    clients: 'client',
    providers: 'provider',
    resources: 'resource',
    claims: 'claim',
    choices: 'choice',
    scopes: 'scope',
    scope_groups: 'group',
  };
  for (const [table, kind] of Object.entries(kinds)) {
    const { rows } = await database.query(
      `select column_name as name, declared_values($2, (select jsonb_object_agg(c.column_name, null) from information_schema.columns c where c.table_name = $1)
         || '{"issuers": [], "secrets_sha256": []}') ? column_name as is_declared
       from information_schema.columns
       where table_schema = current_schema()
         and table_name = $1`,
      [table, kind],
    );
    const undeclared = rows.filter(({ is_declared }) => !is_declared).map(({ name }) => name);
    assert.deepEqual(undeclared.sort(), (kept[table] ?? []).sort(), table);
  }
});

test('a file of more than fifty megabytes is refused before it is read as SQL [A538]', async () => {
  const { code, err } = await latchkey(['seed', seed(Buffer.alloc(50_000_001, ' ')), '--plan']);
  assert.deepEqual([code, err], [1, 'production.sql has more than 50 MB\n']);
});

test('prune refuses to disable all, or more than half of more than ten, unless it is forced', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `client-${String(at).padStart(2, '0')}`);
  const first = (count: number) =>
    names
      .slice(0, count)
      .map((name) => client(name))
      .join('');
  await apply(first(20));
  for (const [text, counts] of [
    ['', /production\.sql names 0 of the 20 .*--force disables the other 20/],
    [user('somebody'), /names 0 of the 20/],
    [first(9), /names 9 of the 20/],
  ] as const) {
    for (const option of ['--plan', '--prune']) {
      const refused = await latchkey(['seed', seed(text), '--prune', option]);
      assert.deepEqual({ code: refused.code, out: refused.out }, { code: 1, out: '' });
      assert.match(refused.err, counts);
    }
  }
  assert.equal((await database.query('select from clients where disabled_at is null')).rowCount, 20);
  await apply(first(10), '--prune');
  assert.equal((await database.query('select from clients where disabled_at is null')).rowCount, 10);
  await apply('', '--prune', '--force');
  assert.equal((await database.query('select from clients where disabled_at is null')).rowCount, 0);
  assert.equal((await latchkey(['seed', seed(''), '--force'])).code, 2);
});

test('all problems of a seed are named with their lines, in a plan and in a run, and nothing is applied', async () => {
  const text = `-- a seed\n${user('ada')}\nselect nonsense;\n/* ; */ select ';', $$;$$;\n${'\n'.repeat(60)}set role postgres;\ncommit;
select register_client(client_id => 'a b', client_secret => 'short-secret-in-the-seed');
create function f() returns integer language sql begin atomic; select case 1 when 1 then 2 end; end;
copy users to program 'cat';\nselect 'the-last-secret`;
  const before = await fingerprint();
  for (const option of ['--plan', '--prune']) {
    const { code, out, err } = await latchkey(['seed', seed(text), option]);
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    const problems = err.trimEnd().split('\n');
    assert.deepEqual(
      problems.map((line) => /^production\.sql, line (\d+): /.exec(line)?.[1]),
      ['4', '66', '67', '68', '70', '71'],
      err,
    );
    for (const [at, sentence] of [
      [0, /column "nonsense" does not exist/],
      [1, /cannot change roles/],
      [2, /cannot begin or end a transaction/],
      [3, /register_client\('a b'\): .*client_id/],
      [4, /cannot start programs/],
      [5, /unterminated quoted string/],
    ] as const) {
      assert.match(problems[at] ?? '', sentence);
    }
    assert.doesNotMatch(err, /short-secret|last-secret/);
    const after = await fingerprint();
    // a number that a failed run has drawn is not given back
    assert.deepEqual(option === '--plan' ? after : { ...after, sequences: before['sequences'] }, before);
  }
});

test('a digest with a slip in it is refused with its line, and is not taken for the secret itself; nor is a bcrypt hash for the password', async () => {
  const digest = createHash('sha256').update(secret).digest('hex');
  const stating = (text: string) => client('printer').replace(secret, text);
  const slips = [
    digest.slice(2),
    `${digest}0`,
    `zz${digest.slice(2)}`,
    '',
    `${digest} ${digest}`,
    `${digest}  sha256:${digest}`,
  ];
  for (const text of [...slips.map((slip) => `sha256:${slip}`), ` sha256:${digest}`, `SHA256:${digest}`]) {
    const { code, err } = await latchkey(['seed', seed(`\n${stating(text)}`)]);
    assert.equal(code, 1, text);
    assert.match(
      err,
      /^production\.sql, line 2: register_client\('printer'\): client_secret begins with sha256: and is no digest/,
    );
    assert.ok(!err.includes(digest.slice(10, 40)), err);
  }
  const hash = await latchkey(['seed', seed(user('ada').replace(cheapHash, cheapHash.slice(0, -1)))]);
  assert.match(
    hash.err,
    /^production\.sql, line 1: register_user\('ada'\): the password begins like a bcrypt hash and is none/,
  );
  const create = [
    'client',
    'create',
    'printer',
    '--name',
    'Printer',
    '--site-domain',
    'printer.example',
    '--secret-stdin',
  ];
  const where = ['--redirect-uri', 'https://printer.example/cb', '--scope', 'user'];
  const byCommand = await latchkey([...create, ...where], { input: `sha256:${digest.slice(2)}\n` });
  assert.match(byCommand.err, /client_secret begins with sha256: and is no digest/);
  assert.equal((await database.query('select from clients')).rowCount, 0);
  // as other programs print it
  await apply(stating(`sha256:${digest.toUpperCase()}`));
  assert.deepEqual(await plan(client('printer')), []);
});

test('a file that is no text is refused with a sentence; one with a byte order mark is not', async () => {
  for (const [content, sentence] of [
    [Buffer.from("select 'a\0b';"), /production\.sql contains a NUL character/],
    [Buffer.from([0xff, 0xfe, 0x00]), /production\.sql is not UTF-8/],
  ] as const) {
    const { code, err } = await latchkey(['seed', seed(content), '--plan']);
    assert.equal(code, 1);
    assert.match(err, sentence);
  }
  assert.deepEqual(brief(await plan(`\ufeff${client('printer')}`)), ['create client printer']);
});

test('a plan leaves the sequences from which the file draws, and what a role or a setting was', async () => {
  await database.query('create sequence if not exists invoices');
  const before = await fingerprint();
  await plan(
    `select nextval('invoices'); select setval('invoices', 700); notify somebody; select random(), now(); set local work_mem = '1MB';`,
  );
  assert.deepEqual(await fingerprint(), before);
});

test('a seed that waits for another one, or for a lock, gives up with a sentence', async () => {
  const holder = await database.connect();
  await apply(client('printer'));
  try {
    await holder.query(`begin; select pg_advisory_xact_lock(x'6c617463686b6579'::bigint)`);
    const { code, err } = await latchkey(['seed', seed(client('printer')), '--plan']);
    assert.equal(code, 1);
    assert.match(err, /^production\.sql was not run, because another process migrates or seeds: try again/);
    await holder.query(`rollback; begin; select from clients for update`);
    const locked = await latchkey(['seed', seed(client('printer')), '--plan']);
    assert.equal(locked.code, 1);
    assert.match(locked.err, /^production\.sql was not run, because another transaction holds a lock/);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

test('what two seeds do at once is what they do one after the other', async () => {
  const one = seed(client('one') + user('ada'), 'one.sql');
  const two = seed(client('two') + user('ada'), 'two.sql');
  const outcomes = await Promise.all([one, two, one, two].map((file) => latchkey(['seed', file])));
  assert.deepEqual(
    outcomes.map(({ code }) => code),
    [0, 0, 0, 0],
  );
  const { rows } = await database.query(`select key, seed from seeded_rows where kind = 'client' order by key`);
  assert.deepEqual(rows, [
    { key: 'one', seed: 'one.sql' },
    { key: 'two', seed: 'two.sql' },
  ]);
});

test('what is stated does not say where a client came from, and a deleted row is of no seed', async () => {
  await apply(client('printer') + user('ada'));
  const stated = `select to_jsonb(c) || '{"origin": "console", "seed": "x", "name": "Forged", "client_id": "forged"}' as stated from clients c`;
  await database.query(`select keep_client(stated || '{"client_secret": "${secret}"}') from (${stated}) s`);
  const { rows } = await database.query(`select origin from clients where client_id = 'forged'`);
  assert.deepEqual(rows, [{ origin: null }]);
  const { rows: people } = await database.query(`select user_id from users where username = 'ada'`);
  await deleteUser(database, { user_id: people[0].user_id, password_hash: null, request_id: 'r', address: null });
  await database.query(`delete from clients where client_id = 'printer'`);
  assert.equal((await database.query('select from seeded_rows')).rowCount, 0);
});

test('a plan counts what the file itself deletes, and says without --prune what it would disable', async () => {
  await apply(user('ada') + user('bob') + client('printer'));
  const deleting = await latchkey(['seed', seed(`${user('ada')}delete from clients;\n`), '--plan']);
  assert.match(deleting.out, /^delete client printer/m);
  assert.match(deleting.out, /0 to create, 0 to update, 0 to disable, 1 to delete\. Nothing was changed\.$/m);
  const less = await latchkey(['seed', seed(user('ada')), '--plan']);
  assert.match(less.out, /^leave client printer: the file no longer names it; --prune disables it$/m);
  assert.match(less.out, /^leave user bob: the file no longer names it; --prune disables it$/m);
  assert.doesNotMatch(less.out, /to delete/);
  assert.doesNotMatch((await latchkey(['seed', seed(user('ada')), '--plan', '--prune', '--force'])).out, /^leave/m);
});
