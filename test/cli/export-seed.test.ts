import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { sealProviderSecrets } from '../../src/people/providers/provider-secrets.ts';
import { commandLineFor } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { basic, post, signedInBrowser } from '../support/flow.ts';
import { cheapHash, printer, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const url = await createDatabase();
const { database } = await startLatchkey({}, url);
const { latchkey, directory } = commandLineFor(url);
const elsewhere = { env: { DATABASE_URL: await createDatabase() } };
const SESSION_SECRET = 'Kq9-b_3kfh2Lw0s7Zt5vXy8QmRn4Jd6u';

const older = 'an-older-secret-of-the-printer-0123456789';
const providerSecret = 'the-secret-at-acme';
const key = `{"keys": [{"kid": "1", "kty": "EC", "crv": "P-256", "x": "EbH3QVzpw1PmBvetH3wWSH5o2dYgCedFKdktV5DcN6o", "y": "9GF3qtUoiCXgF1wLiE3MPu7zI-3AtDCxfZv6ssGOu5Y"}]}`;
const site = `site_domain => 'bank.example', redirect_uris => array['https://bank.example/callback'], scopes => array['user']`;

// of everything that a seed can register, with what is awkward to write as SQL
await database.query(`
  select register_user(username => 'ada', password => '${cheapHash}', email => 'ada@example.com', name => 'Ada "O''Neil\\" Lovelace', is_admin => true);
  select register_user(username => 'bea', subject => '8f1c', email => 'bea@example.com', email_verified => false);
  update users set disabled_at = now() where username = 'bea';
  select * from keep_person('website', 'visitor', 'visitor', null, null, false);
  insert into scopes (name, group_name, sentence, changes, sentences, acr, max_age)
  values ('photos:print', 'photos', 'Print your photos\\', true, '{"de": "Ihre Fotos drucken"}', 2, 300);
  select register_claim(name => 'groups', scope => 'user:groups', sentence => 'See your groups', query => $$ select to_jsonb('{}; it''s' || $1) $$);
  select register_choice(name => 'albums', scopes => array['photos:print'], sentence => 'Which albums may {application} print?', sentences => '{"de": "Welche Alben?"}',
    many => false, may_be_all => true, all_sentence => 'All ''of'' them', all_sentences => '{"de": "Alle"}', query => $$ select 'it''s ' || $1 as value, 'Mine \\' as label -- their own
    $$);
  select register_choice(name => 'gone', scopes => array['user:groups'], sentence => 'Which?', query => 'select $1 as value, $1 as label');
  update choices set disabled_at = now() where name = 'gone';
  select register_provider(name => 'acme', issuer => 'https://acme.example', client_id => 'us', client_secret => '${providerSecret}',
    people => 'created', domains => array['acme.example'], endpoint_hosts => array['login.acme.example'],
    on_logout => 'access', global_token_revocation => false);
  select register_provider(name => 'entra', issuer => 'https://login.microsoftonline.com/common/v2.0', client_id => 'us', client_secret => '${providerSecret}',
    tenants => array['3f2504e0-4f89-11d3-9a0c-0305e82c3301']);
  select register_provider(name => 'open', issuer => 'https://open.example', client_id => 'us', title => 'Open');
  update providers set disabled_at = now() where name = 'open';
  select describe_group(name => 'photos', sentence => 'Your photos', sentences => '{"de": "Ihre Fotos"}');`);
await registerPrinter(database, { client_secret: older, owner: 'ada' } as object);
await database.query(
  `update clients set secrets_sha256 = array[sha256($1), secrets_sha256[1]], secrets_since = array[now(), secrets_since[1]]`,
  [Buffer.from(printer.client_secret)],
);
await database.query(`
  select register_client(client_id => 'bank', name => 'Bank', ${site}, profile => 'fapi2', token_endpoint_auth_method => 'private_key_jwt', jwks => '${key}');
  select register_client(client_id => 'mac', client_secret => '${older}', name => 'Mac', ${site}, token_type => 'mac', vouched => false, scope_reasons => '{"user:name": "to say \\\\ hello"}');
  select register_client(client_id => 'first-party', client_secret => '${older}', name => 'Ours', ${site}, authorization_details_types => array['albums'], consent => 'none', required_scopes => array['user:name'], assertion_audience => 'address');
  select register_client(client_id => 'app', name => 'App', ${site}, dpop_bound_access_tokens => true, grant_types => array['authorization_code']);
  update clients set disabled_at = now() where client_id = 'app';
  select register_resource(resource => 'https://api.example/', scopes => array['repo', 'photos'], client_id => 'bank', token_format => 'jwt');`);
await sealProviderSecrets({ database, sessionSecrets: [SESSION_SECRET] });

function file(text: string, name = 'export.sql'): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

async function exported(...options: string[]): Promise<string> {
  const { code, out, err } = await latchkey(['export', ...options]);
  assert.equal(code, 0, err);
  return out;
}

test('a seed that was exported changes nothing at the same server, with people and without, and whoever runs it', async () => {
  const { rows: before } = await database.query('select * from clients order by client_id');
  for (const options of [[], ['--people'], ['--people', '--hashes']]) {
    const path = file(await exported(...options));
    for (const env of [{ SESSION_SECRET }, { SESSION_SECRET: 'nB7-another_Secret5of8this9Server0' }]) {
      const planned = await latchkey(['seed', path, '--plan', '--json'], { env });
      assert.deepEqual({ code: planned.code, out: planned.out }, { code: 0, out: '[]\n' }, planned.err);
    }
    assert.equal((await latchkey(['seed', path])).code, 0);
    assert.equal((await latchkey(['seed', path, '--plan', '--prune', '--json'])).out, '[]\n');
  }
  const { rows: after } = await database.query('select * from clients order by client_id');
  const stable = (rows: Record<string, unknown>[]) => rows.map(({ registered_secret_sha256, version, ...row }) => row);
  assert.deepEqual(stable(after), stable(before));
});

test('an export has no secret, hashes only on request, and says what it leaves out', async () => {
  const text = await exported('--people');
  for (const secret of [older, printer.client_secret, providerSecret, cheapHash, 'visitor']) {
    assert.ok(!text.includes(secret), secret);
  }
  assert.doesNotMatch(text, /password_hash/);
  assert.match(text, /^-- Not in it: secrets of providers; .*registered themselves/m);
  assert.match(text, /^-- Without --people, neither people nor who owns a client are in it/m);
  assert.match(text, /^-- the secret of "acme" is not in this file: .*needs client_secret/m);
  assert.match(text, /client_secret => 'sha256:[0-9a-f]{64} sha256:[0-9a-f]{64}'/);
  assert.doesNotMatch(await exported(), /register_user|owner =>/);
  assert.ok((await exported('--people', '--hashes')).includes(cheapHash));
  assert.equal((await latchkey(['export', '--hashes'])).code, 2);
  const listed = JSON.parse((await latchkey(['export', '--json'])).out);
  assert.deepEqual(Object.keys(listed[0]), ['kind', 'id', 'sql']);
});

test('an empty server gets the same from it, with both secrets of an application and the passwords, once it is told the secrets of providers', async () => {
  const text = await exported('--people', '--hashes');
  const refused = await latchkey(['seed', file(text)], elsewhere);
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /^export\.sql, line \d+: register_provider\('acme'\): .*needs a client_secret\nexport\.sql, line \d+: register_provider\('entra'\): .*\n$/,
  );
  const whole = text.replaceAll(
    /(client_id => 'us',\n)(?= {2}token_endpoint_auth_method => 'client)/g,
    `$1  client_secret => '${providerSecret}',\n`,
  );
  const applied = await latchkey(['seed', file(whole)], elsewhere);
  assert.equal(applied.code, 0, applied.err);
  assert.equal((await latchkey(['export', '--people', '--hashes'], elsewhere)).out, text);
  const copy = await startLatchkey({}, elsewhere.env.DATABASE_URL);
  await copy.database.query('update clients set resource_server = true where client_id = $1', [printer.client_id]);
  for (const secret of [older, printer.client_secret]) {
    const authorization = basic(printer.client_id, secret);
    assert.equal((await post(`${copy.origin}/introspect`, { token: 'x' }, { authorization })).status, 200);
  }
  assert.equal((await (await signedInBrowser(copy.origin, 'ada')).open('/account')).status, 200);
});

test('what is added below an export is refused with the reason', async () => {
  const { code, err } = await latchkey(['seed', file(`${await exported()}\nselect 1;\n`)]);
  assert.equal(code, 1);
  assert.match(err, /a commit with nothing behind it at the end/);
  assert.match(await exported(), /commit; -- add nothing below/);
});

test('the first half of an export is refused as a whole', async () => {
  const text = await exported();
  const { code, err } = await latchkey([
    'seed',
    file(text.slice(0, text.indexOf('select register_client'))),
    '--prune',
  ]);
  assert.equal(code, 1);
  assert.match(err, /cannot begin or end a transaction/);
});

test('a secret that was rotated since survives another run of the exported seed, as it does with the secret itself', async () => {
  await database.query(
    `select register_client(client_id => 'rotating', client_secret => '${older}', name => 'Rotating', ${site})`,
  );
  const path = file(await exported(), 'rotating.sql');
  assert.equal((await latchkey(['seed', path])).code, 0);
  assert.equal((await latchkey(['client', 'rotate-secret', 'rotating', '--json'])).code, 0);
  const digests = async () =>
    (await database.query(`select secrets_sha256 from clients where client_id = 'rotating'`)).rows[0].secrets_sha256;
  const rotated = await digests();
  assert.equal(rotated.length, 2);
  assert.equal((await latchkey(['seed', path])).code, 0);
  assert.deepEqual(await digests(), rotated);
});

test('an export is what was registered at one moment, whatever changes while it is read', async () => {
  const register = (name: string) =>
    database.query(`
      select register_scope(name => '${name}:scope', sentence => 'See');
      select register_client(client_id => '${name}', name => 'New', ${site.replace("'user'", `'user', '${name}:scope'`)})`);
  await register('before');
  let whole = '';
  const stdout = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      const isFirst = !/insert into scopes/.test(whole) && /insert into scopes/.test(String(chunk));
      whole += chunk;
      // the scopes have been read, and nothing else
      if (isFirst) void register('meanwhile').then(() => done(), done);
      else done();
    },
  });
  const [stdin, stderr] = [Readable.from([]), new PassThrough()];
  const process = Object.assign(new EventEmitter(), { env: { DATABASE_URL: url }, stdin, stdout, stderr });
  assert.equal(await runCommandLine(['export'], process), 0);
  assert.ok(whole.includes("'before'"));
  assert.ok(!whole.includes('meanwhile'));
});

test('what a seed has pruned is not in an export, which would enable it', async () => {
  const client = `select register_client(client_id => 'pruned', name => 'Pruned', ${site});`;
  const resource = `select register_resource(resource => 'https://pruned.example/', scopes => array['repo']);`;
  const kept = client.replaceAll("'pruned'", "'kept'");
  await latchkey(['seed', file(client + resource + kept, 'two.sql')]);
  await latchkey(['seed', file(kept, 'two.sql'), '--prune']);
  const text = await exported();
  assert.doesNotMatch(text, /'pruned'|pruned\.example/);
  assert.equal((await latchkey(['seed', file(text, 'two.sql'), '--plan', '--json'])).out, '[]\n');
});

const repository = join(import.meta.dirname, '../..');

test('what the demo and the documents register comes back from an export, and the plan of that says that nothing would change', async () => {
  const statements = (path: string) =>
    [...readFileSync(join(repository, path), 'utf8').matchAll(/^```sql\n(.*?)^```/gms)]
      .map(([, sql]) => sql)
      .join('\n');
  const seeds = {
    'demo.sql': readFileSync(join(repository, 'migrations/seeds/demo.sql'), 'utf8'),
    'seeds.sql': statements('migrations/seeds/README.md'),
    'profile.sql': statements('src/oauth/interface.md'),
    'choices.sql': statements('src/operations/choices.md'),
    'providers.sql': statements('src/operations/providers.md'),
  };
  for (const [name, sql] of Object.entries(seeds)) {
    const env = { DATABASE_URL: await createDatabase() };
    const applied = await latchkey(['seed', file(sql, name)], { env });
    assert.equal(applied.code, 0, `${name}: ${applied.err}`);
    const { out } = await latchkey(['export', '--people', '--hashes'], { env });
    assert.match(out, /^select register_|^insert into scopes/m, name);
    const planned = await latchkey(['seed', file(out), '--plan', '--json'], { env });
    assert.deepEqual([planned.code, planned.out], [0, '[]\n'], `${name}: ${planned.err}`);
  }
});

test('an export refers to nothing that it leaves out, and has the banned sites, so that another server takes all of it', async () => {
  const env = { DATABASE_URL: await createDatabase() };
  const source = await startLatchkey({}, env.DATABASE_URL);
  const register = (client_id: string, host: string, more: string) =>
    `select register_client(client_id => '${client_id}', name => 'App', site_domain => '${host}', redirect_uris => array['https://${host}/cb'], scopes => array['user'], ${more});`;
  const kept = `select register_user(username => 'kim');`;
  await latchkey(['seed', file(`${kept} select register_user(username => 'olga');`, 'people.sql')], { env });
  await latchkey(['seed', file(kept, 'people.sql'), '--prune'], { env });
  await source.database.query(`
    ${register('owned', 'owned.example', `owner => 'olga'`)}
    ${register('dynamic', 'dynamic.example', 'vouched => false')}
    insert into self_registrations (client_id) values ('dynamic');
    select register_resource(resource => 'https://dynamic.example/', scopes => array['repo'], client_id => 'dynamic');
    select register_resource(resource => 'https://owned.example/', scopes => array['repo'], client_id => 'owned');
    ${register('evil', 'app.evil.example', 'vouched => false')}
    ${register('good', 'good.evil.example', 'vouched => true')}`);
  await latchkey(['site', 'ban', 'evil.example'], { env });
  for (const options of [[], ['--people']]) {
    const { out } = await latchkey(['export', ...options], { env });
    assert.doesNotMatch(out, /olga|dynamic|'evil'/);
    const same = await latchkey(['seed', file(out), '--plan', '--json'], { env });
    assert.deepEqual([same.code, same.out], [0, '[]\n'], same.err);
    const other = { DATABASE_URL: await createDatabase() };
    const applied = await latchkey(['seed', file(out)], { env: other });
    assert.equal(applied.code, 0, applied.err);
    const banned = await latchkey(['seed', file(register('worse', 'worse.evil.example', 'vouched => false'))], {
      env: other,
    });
    assert.match(banned.err, /site_domain 'worse\.evil\.example' is banned here/);
    assert.match((await latchkey(['client', 'list'], { env: other })).out, /good/);
    assert.match((await latchkey(['resource', 'list'], { env: other })).out, /owned\.example/);
  }
});
