import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { loadConfig } from '../../src/config/config.ts';
import { findClientFacts, findScopesNeverGranted } from '../../src/doctor/diagnosis.sql.ts';
import { certificateFindings, readableFindings } from '../../src/doctor/files.ts';
import { documentedSecrets, secretFindings } from '../../src/doctor/secrets.ts';
import { migrateDatabase } from '../../src/operations/database-server.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/start.ts';
import { applySeed } from '../../src/postgres/migrations.ts';
import { createCertificate, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { commandLineFor } from '../support/command-line.ts';
import { createDatabase, createLatinDatabase } from '../support/database.ts';
import { diagnose } from '../support/doctor.ts';
import { findFreePort } from '../support/free-port.ts';
import { installedFor } from '../support/installed.ts';
import { cheapHash } from '../support/latchkey.ts';
import { startPgBouncer, withoutPgBouncer, withoutPreparedStatements } from '../support/pgbouncer.ts';
import { program, startServing } from '../support/process.ts';
import { randomSource } from '../support/random.ts';
import { scratch, writeFile } from '../support/scratch.ts';

/** A certificate of id.example that was valid for the first day of 2024. */
const expired = `-----BEGIN CERTIFICATE-----
MIIBTzCB96ADAgECAgEBMAoGCCqGSM49BAMCMBUxEzARBgNVBAMMCmlkLmV4YW1w
bGUwHhcNMjQwMTAxMDAwMDAwWhcNMjQwMTAyMDAwMDAwWjAVMRMwEQYDVQQDDApp
ZC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2pMeddb7q+TgABYY
XU2vKglyz8u+wKGFKyFsUSaXB1tnUm/pfa0OHVGccaAyLE/z6gBm2+spZZqr6gcT
cFc8pKM4MDYwFQYDVR0RBA4wDIIKaWQuZXhhbXBsZTAdBgNVHQ4EFgQUV/lqisbZ
XkwY+VLArYjrB/dBo8UwCgYIKoZIzj0EAwIDRwAwRAIgK/cU9EgX3r+p6iKl5rOG
IMIdInsswAjlYEXnEbZbScICIE6aDcM18RdV6lM5NS4qAh36EV1gG4p6CrWYw6s/
q6tu
-----END CERTIFICATE-----
`;

/** The certificate of a CA for servers, valid until the year 2126. */
const forServers = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIUJpExC1flQBgqu/w4R4v6O4kdcEswCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDT2xkMCAXDTI2MTEyMzA4MjMyMloYDzIxMjYxMDMwMDgyMzIy
WjAOMQwwCgYDVQQDDANPbGQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASxA212
L+eZXBL5bGInvNyPD+b8oMAtXap6MjYdGl8hvad7irkt/SRnCEDS38swAWU5EL2I
5R+mdWWv8RrJhIBfo0cwRTAPBgNVHRMBAf8EBTADAQH/MBMGA1UdJQQMMAoGCCsG
AQUFBwMBMB0GA1UdDgQWBBRwcH1UX0pOSqBfpSE+uLDju+pi/zAKBggqhkjOPQQD
AgNJADBGAiEA6NL39eF3BioXf4SBzXcSjP72SDZoHokxH8oCX04SEMcCIQC6qPEg
RcjrjUfraGtLl7qbdlkGjE7KB43MtGxE4cPIVg==
-----END CERTIFICATE-----
`;

const mode = (path: string, bits: number) => {
  chmodSync(path, bits);
  return path;
};

const PORT = String(await findFreePort());
const secret = 'Zm9ydHktdHdvIHBvbGl0ZSB3b21iYXRzIGRhbmNl';

/** A server with an embedded database, a public client that uses all its scopes, and one user. */
const healthy = {
  DATA_DIR: join(scratch, 'healthy'),
  PORT,
  ISSUER: `http://127.0.0.1:${PORT}`,
  DEMO: 'false',
  SESSION_SECRET_FILE: mode(writeFile('session-secret', secret), 0o600),
  SEED_FILE: mode(
    writeFile(
      'healthy.sql',
      `select register_user(username => 'ada', password => '${cheapHash}', email => 'ada@example.com', name => 'Ada');
select register_client(client_id => 'app', name => 'App', site_domain => 'app.example',
  redirect_uris => array['https://app.example/cb', 'http://127.0.0.1/cb'], scopes => array['user']);
delete from grants;
insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
select user_id, 'app', '{user:name,user:email}', '{user:name,user:email}', '{}', 'always' from users;
select register_choice('usable', '{repo:read}', 'Which?', $$ select $1 as value, $1 as label union all select '**', 'Two' $$);`,
    ),
    0o600,
  ),
};
const serving = startServing(healthy);
const checkup = serving.then(() => diagnose(healthy));

test('of a server that is configured well the doctor has nothing to say', async () => {
  const clean = await checkup;
  assert.deepEqual([clean.code, clean.findings], [0, []]);
  assert.deepEqual(await installedFor('')(['doctor'], { env: { NODE_ENV: '', ...healthy } }), {
    code: 0,
    out: '0 errors, 0 warnings, 0 notes\n',
    err: '',
  });
  assert.doesNotMatch((await serving).output(), /"level":[4-6]0/, 'nor does its start');
});

// a second Postgres, which trades durability for speed
const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'));
const fragile = await startEmbeddedPostgres({ dataDir, durable: false, announce: () => {} });
const { host, port, user } = fragile.connection;
const ill = openDatabase(fragile.connection, 2);
after(async () => {
  await ill.end();
  await fragile.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
/** Registers what is wrong, and sets the clock wrong. */
async function makeIll(): Promise<void> {
  await migrateDatabase(fragile.connection, () => {});
  await applySeed(fragile.connection, 'migrations/seeds/demo.sql');
  await ill.query(`select register_user(username => 'ada', password => 'correct horse battery', email => 'ada@example.com');
    select register_client(client_id => 'photo-printer', client_secret => 'at-least-32-characters-that-a-machine-made',
      name => 'P', site_domain => 'p.example', redirect_uris => '{https://p.example/}', scopes => '{user,repo:read}');
    select register_client(client_id => 'http', name => 'H', site_domain => 'h.example',
      redirect_uris => '{https://h.example/}', scopes => '{user}');
    select register_client(client_id => 'playground', name => 'Playground', site_domain => 'localhost',
      redirect_uris => '{http://localhost/playground/callback}', scopes => '{user}');
    update clients set redirect_uris = '{http://h.example/,http://localhost.h.example/,http://localhost/}' where client_id = 'http';
    update clients set jwks = '{"keys":[{"kty":"RSA","n":"${'w'.repeat(342)}","e":"AQ"}]}' where client_id = 'http';
    update clients set jwks_uri = 'https://keys.internal/jwks' where client_id = 'playground';
    update clients set created_at = now() - interval '181 days' where client_id = 'photo-printer';
    insert into users (username, password_hash) values
      ('phpass-1', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'), ('phpass-2', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'),
      ('django', 'pbkdf2_sha256$600000$salt$${'A'.repeat(43)}='), ('dear', '$argon2id$v=19$m=4194304,t=1,p=1$c2FsdHNhbHQ$${'A'.repeat(43)}'),
      ('hollow', '$6$salt$'), ('long', 'bcrypt_sha256$$2b$12$${'a'.repeat(53)}'), ('seeded', 'bcrypt_sha256$$2a$12$${'a'.repeat(53)}'), ('other', 'md5');
    update clients set is_demo = true where client_id = 'playground';
    update clients set token_endpoint_auth_method = 'private_key_jwt', assertion_audience = 'address' where client_id = 'http';
    insert into overdue_audit_partitions values ('audit_events_2001_01', now() - interval '3 days 1 hour');
    insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
    select user_id, 'photo-printer', '{user:name,user:email}', '{user:name,user:email}', '{}', 'always' from users where username = 'ada';
    create table secrets as select 's' as secret;
    grant select on secrets to latchkey_reader;
    select register_choice('odd', '{repo:read,nobody:knows}', 'Which?', $$ select unnest(array['*', '', null, repeat('x', 256), 'good', $1]) as value, null as label $$);
    select register_choice('secret', '{user:write}', 'Which?', $$ select secret as value, $1 as label from secrets $$);
    revoke select on secrets from latchkey_reader;
    select register_scope('slow:read', 'Wait');
    select register_choice('slow', '{slow:read}', 'Which?', $$ select 'x' as value, $1 as label from pg_sleep(1) $$);
    select register_choice('bare', '{repo:write}', 'Which?', $$ select $1 as value, $1 as label $$);
    drop function "choice bare"(text, text[]);
    create function public.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() + interval '2 minutes' $$;
    alter database postgres set search_path = public, pg_catalog;`);
}

const DATABASE_URL = `postgres://${user}:latchkey@localhost:${port}/postgres?host=${encodeURIComponent(host)}`;
const sick = {
  DATABASE_URL,
  SESSION_SECRET: `${secret},change-me-change-me-change-me-change-me`,
  SEED_FILE: mode(writeFile('sick.sql', `select register_user('eve', 'plain password');\n\nselect nonsense();`), 0o644),
  TLS_CERT_FILE: writeFile('expired.pem', expired),
  TLS_KEY_FILE: mode(writeFile('expired.key', 'any'), 0o644),
  ISSUER: `https://localhost:${await findFreePort()}`,
  MTLS_PORT: String(await findFreePort()),
  CLIENT_CA_FILE: writeFile('for-servers.pem', forServers),
  DEMO: 'false',
  TRUST_PROXY: 'true',
  SESION_SECRET: 'x',
  TWO_FACTORS_ELSEWHERE: 'provider:acme:amr=mfa,website:acr=2',
};
const examination = makeIll().then(() => diagnose(sick, ['--instances', '30']));

const faults: [check: string, severity: string, value: RegExp, change: RegExp][] = [
  ['database_fsync', 'error', /^fsync = off$/, /^alter system set fsync = on;/],
  ['database_full_page_writes', 'warning', /^full_page_writes = off$/, /^alter system set full_page_writes = on;/],
  ['database_synchronous_commit', 'error', /^synchronous_commit = off$/, /^alter database "postgres" set/],
  ['database_connections', 'error', /^up to 540 for 30 × WEB_CONCURRENCY 1, .* 400$/, /max_connections = 560/],
  ['database_clock', 'error', /^the database is 1[12]\d s ahead$/, /timedatectl/],
  ['audit_overdue', 'warning', /^due for 3 days$/, /^let a server run for a day/],
  ['database_password_usual', 'warning', /^the password in DATABASE_URL$/, /^alter role "latchkey" password/],
  ['session_secret_guessable', 'error', /^SESSION_SECRET, entry 2 of 2$/, /openssl rand -hex 32/],
  ['certificate_expiry', 'error', /^valid until Jan {2}2 00:00:00 2024 GMT$/, /expired\.pem/],
  ['certificate_host', 'note', /^ISSUER https:\/\/localhost:\d+, TRUST_PROXY is set$/, /expired\.pem/],
  ['certificate_unusable', 'error', /^TLS_CERT_FILE \S+expired\.pem with TLS_KEY_FILE \S+expired\.key: /, /in PEM/],
  ['certificate_authority', 'error', /^CN=Old: its extended key usage lacks clientAuth$/, /^CLIENT_CA_FILE=…/],
  ['file_readable', 'warning', /^TLS_KEY_FILE \S+expired\.key$/, /^chmod o-r \S+expired\.key$/],
  ['variable_unknown', 'warning', /^SESION_SECRET$/, /^SESSION_SECRET=…$/],
  ['proxy_trusts_all', 'warning', /^TRUST_PROXY=true$/, /^TRUST_PROXY=1,/],
  ['provider_unknown', 'warning', /^provider:acme:amr=mfa$/, /^the name of a provider/],
  ['provider_unknown', 'warning', /^website:acr=2$/, /^SIGN_IN_URL=…$/],
  ['client_http_redirect', 'error', /^http$/, /^select register_client/],
  ['client_key_unusable', 'error', /^http: jwks contains an RSA key whose exponent/, /jwks => …\) with another key$/],
  [
    'client_key_unusable',
    'error',
    /^playground: from the jwks_uri 'https:\/\/keys\.internal\/jwks' nothing is fetched/,
    /jwks_uri => …\) with another address$/,
  ],
  ['client_unused', 'warning', /^photo-printer$/, /^latchkey client disable ID$/],
  ['client_without_pkce', 'note', /^http, photo-printer$/, /profile => 'fapi2'/],
  ['client_assertion_audience', 'note', /^http$/, /assertion_audience => 'issuer'/],
  ['client_scopes_never_granted', 'note', /^photo-printer: repo:read$/, /client_id => 'photo-printer'/],
  ['client_secret_documented', 'error', /^photo-printer$/, /^latchkey client rotate-secret photo-printer --now$/],
  ['user_password_documented', 'error', /^ada|alice$/, /^latchkey user set-password (ada|alice)$/],
  ['choice_function', 'error', /^bare$/, /^register_choice again/],
  ['choice_query', 'error', /^secret: permission denied for table secrets$/, /^grant select on … to latchkey_reader/],
  ['choice_query', 'error', /^slow: canceling statement due to statement timeout$/, /an index on the column/],
  ['choice_values', 'warning', /^odd: 12 of the people who came last$/, /^register_choice with a query/],
  ['choice_scope', 'warning', /^odd: nobody:knows$/, /^register_scope/],
  ['user_hash_weak', 'warning', /^phpass \$P\$9: 2$/, /sign in/],
  ['user_hash_foreign', 'note', /^Django pbkdf2 pbkdf2_sha256\$600000\$: 1$/, /^nothing$/],
  [
    'user_hash_unusable',
    'error',
    /^argon2 .*m=4194304.*: 1, among the first of which are 1$/,
    /^latchkey user set-password/,
  ],
  ['demo_client', 'warning', /^playground$/, /^latchkey client disable playground$/],
  ['seed_plain_password', 'warning', /^SEED_FILE \S+sick\.sql, line 1$/, /\$2b\$12\$/],
  ['seed_fails', 'error', /^sick\.sql, line 3: .*nonsense/, /SEED_FILE/],
  ['issuer_unreachable', 'warning', /^ISSUER https:\/\/localhost:\d+: ECONNREFUSED$/, /^start the server/],
];

for (const [check, severity, value, change] of faults) {
  test(`the doctor finds ${check}, with the value and what to change, and not where it is absent`, async () => {
    const [bad, clean] = [await examination, await checkup];
    const all = bad.findings.filter((one) => one.check === check);
    const one = all.find((other) => value.test(other.value));
    assert.ok(one, JSON.stringify(all));
    assert.equal(one.severity, severity);
    assert.match(one.change, change);
    assert.ok(!clean.found.has(check));
  });
}

test('the doctor finds both accounts and both files, leaves the rest alone, and shows no secret', async () => {
  const bad = await examination;
  const named = new Set(faults.map(([check]) => check));
  assert.deepEqual(
    bad.findings.filter(({ check }) => !named.has(check)),
    [],
  );
  const values = (check: string) => bad.findings.filter((one) => one.check === check).map(({ value }) => value);
  assert.deepEqual(values('user_password_documented').sort(), ['ada', 'alice']);
  const kindsOf = (check: string) => values(check).map((value) => value.split(':')[0]);
  assert.deepEqual(kindsOf('user_hash_unusable').sort(), [
    'argon2 $argon2id$v=19$m=4194304,t=1,p=1$',
    'sha2-crypt $6$',
    'unknown ?',
  ]);
  assert.deepEqual(kindsOf('user_hash_foreign').sort(), ['Django pbkdf2 pbkdf2_sha256$600000$', 'sha2-crypt $6$']);
  assert.deepEqual(
    values('file_readable').map((value) => value.split(' ')[0]),
    ['TLS_KEY_FILE', 'SEED_FILE'],
  );
  assert.doesNotMatch(bad.out, new RegExp(`change-me|${secret}|plain password|correct horse|wonderland|at-least-32`));
  const { rows } = await ill.query(`select username from users where username = 'eve'`);
  assert.deepEqual(rows, [], 'the seed was rolled back');
});

test('a start says the same errors, as far as they cost no time', async () => {
  await examination;
  const { SEED_FILE, TLS_CERT_FILE, TLS_KEY_FILE, ISSUER, MTLS_PORT, CLIENT_CA_FILE, ...rest } = sick;
  await ill.query(`update users set disabled_at = now() where username = 'alice'`);
  const starting = await startServing(rest);
  await ill.query(`update users set disabled_at = null, is_demo = true where username = 'alice'`);
  const said = starting.output();
  for (const value of ['fsync = off', 'synchronous_commit = off', 'SESSION_SECRET, entry 2 of 2']) {
    assert.match(said, new RegExp(`"level":50.*\\(${value}\\); to change it: `));
  }
  assert.equal(said.match(/"level":50/g)?.length, 3);
  await starting.kill();
});

test('without DATABASE_URL and data, and with a secret of the database, there are notes only; with the demo for everybody, an error', async () => {
  const empty = { DATA_DIR: join(scratch, 'nothing-here') };
  const first = await diagnose(empty);
  assert.deepEqual(
    first.findings.map(({ check, severity }) => [check, severity]),
    [
      ['session_secret_missing', 'note'],
      ['database_missing', 'note'],
    ],
  );
  const one = await commandLineFor('').latchkey(['doctor'], {
    env: { NODE_ENV: '', ...empty, SESSION_SECRET: secret },
  });
  assert.match(one.out, /\n0 errors, 0 warnings, 1 note\n$/);
  const shown = await diagnose({ ...empty, DEMO: 'true', ISSUER: 'https://id.example' });
  assert.equal(shown.found.get('demo_public')?.severity, 'error');
  assert.equal(shown.found.get('demo_public')?.value, 'ISSUER https://id.example');
  const insecure = await diagnose({ ...empty, NODE_ENV: 'production', ISSUER: 'http://localhost' });
  assert.equal(insecure.found.get('cookies_not_secure')?.severity, 'warning');
});

test('a database that cannot be reached is an error within seconds, a migration that is missing a warning', async () => {
  const nowhere = await diagnose({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/db', SESSION_SECRET: secret });
  assert.equal(nowhere.found.get('database_unusable')?.severity, 'error');
  assert.match(nowhere.found.get('database_unusable')?.value ?? '', /ECONNREFUSED/);
  assert.doesNotMatch(nowhere.out, /hunter2/);
  const encoded = await diagnose({ DATABASE_URL: await createLatinDatabase(), SESSION_SECRET: secret });
  assert.match(encoded.found.get('database_unusable')?.value ?? '', /encoding LATIN1/);
  const unmigrated = await createDatabase({ migrated: false });
  const before = await diagnose({ DATABASE_URL: unmigrated, SESSION_SECRET: secret });
  assert.match(before.found.get('database_migrations')?.value ?? '', /^001_people\.sql, .* more$/);
  assert.equal(before.found.get('database_migrations')?.severity, 'warning');
});

test('the doctor does not wait for a process that migrates: it notes that it has not tried the seed', async () => {
  const DATABASE_URL = await createDatabase();
  const migrating = new pg.Client(DATABASE_URL);
  await migrating.connect();
  const env = { DATABASE_URL, SESSION_SECRET: secret, SEED_FILE: mode(writeFile('waiting.sql', 'select 1;'), 0o600) };
  await migrating.query(`select pg_advisory_lock(x'6c617463686b6579'::bigint)`);
  const { found } = await diagnose(env);
  assert.equal(found.get('seed_not_tried')?.severity, 'note');
  assert.equal(found.get('seed_not_tried')?.value, `SEED_FILE ${env.SEED_FILE}`);
  assert.ok(!found.has('seed_fails'));
  await migrating.end();
  const later = await diagnose(env);
  assert.ok(!later.found.has('seed_not_tried'));
});

test('a lock that another transaction holds is no mistake of the seed: the doctor notes that it has not tried it', async () => {
  const DATABASE_URL = await createDatabase();
  const holder = new pg.Client(DATABASE_URL);
  await holder.connect();
  const text = 'delete from used_tickets;';
  const env = { DATABASE_URL, SESSION_SECRET: secret, SEED_FILE: mode(writeFile('locked.sql', text), 0o600) };
  await holder.query('begin; lock table used_tickets');
  const { found } = await diagnose(env);
  assert.equal(found.get('seed_not_tried')?.severity, 'note');
  assert.match(found.get('seed_not_tried')?.what ?? '', /another transaction holds a lock/);
  assert.ok(!found.has('seed_fails'));
  await holder.end();
  const later = await diagnose(env);
  assert.deepEqual([later.found.has('seed_not_tried'), later.found.has('seed_fails')], [false, false]);
});

for (const pool_mode of ['session', 'transaction'] as const) {
  const skip = pool_mode === 'session' ? withoutPgBouncer : withoutPreparedStatements;
  test(`the doctor notes a pooler in the mode ${pool_mode}`, { skip }, async () => {
    const mode = { session: { server_reset_query: 'DISCARD ALL' }, transaction: { max_prepared_statements: 100 } };
    const settings = { pool_mode, ...mode[pool_mode] };
    const pooled = await startPgBouncer(await createDatabase(), settings);
    const { found } = await diagnose({ DATABASE_URL: pooled, SESSION_SECRET: secret });
    assert.deepEqual([found.get('pooler')?.severity, found.get('pooler')?.value], ['note', `pool_mode ${pool_mode}`]);
  });
}

const mounts = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test('a nearly full disk of the embedded database is a warning', { skip: mounts ? false : 'needs to mount' }, () => {
  const DATA_DIR = join(scratch, 'small-disk');
  mkdirSync(DATA_DIR);
  const cli = join(dirname(program), 'cli.js');
  const script = `mount -t tmpfs -o size=900m none ${DATA_DIR} && "$0" ${cli} migrate >&2 && "$0" ${cli} doctor --json`;
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR, SESSION_SECRET: secret };
  const options = { env, encoding: 'utf8', timeout: 120_000 } as const;
  const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script, process.execPath], options);
  assert.match(stdout, /"check": "disk_space",\s+"severity": "warning"/, stderr);
  assert.match(stdout, new RegExp(`MiB left in DATA_DIR ${DATA_DIR}"`));
});

test('the doctor warns of a certificate that expires within two weeks, and of a secret file that everybody can read', {
  skip: noOpenssl,
}, () => {
  const files = createCertificate();
  const SESSION_SECRET_FILE = mode(writeFile('open-secret', secret), 0o644);
  const env = { ...files, SESSION_SECRET_FILE, ISSUER: 'https://localhost' };
  chmodSync(files.TLS_KEY_FILE, 0o600);
  const certificate = certificateFindings(loadConfig(env));
  assert.deepEqual(
    certificate.map(({ check, severity }) => [check, severity]),
    [['certificate_expiry', 'warning']],
  );
  const readable = readableFindings(loadConfig(env), env);
  assert.deepEqual(
    readable.map(({ value }) => value),
    [`SESSION_SECRET_FILE ${SESSION_SECRET_FILE}`],
  );
  chmodSync(SESSION_SECRET_FILE, 0o640);
  assert.deepEqual(readableFindings(loadConfig(env), env), []);
});

test('the doctor names a certificate that is none, and one that is for another key or host; behind a proxy the host is only noted', {
  skip: noOpenssl,
}, async () => {
  const none = writeFile('none.pem', 'no certificate');
  const files = createCertificate();
  const { found } = await diagnose({ ...files, TLS_CERT_FILE: none, DATA_DIR: join(scratch, 'nothing-here') });
  assert.match(found.get('certificate_unusable')?.value ?? '', new RegExp(`^TLS_CERT_FILE ${none}: .*PEM`));
  assert.ok(found.has('database_missing'), 'and goes on');
  const findings = (env: Record<string, string>) =>
    certificateFindings(loadConfig({ ...files, ISSUER: 'https://localhost', ...env }))
      .filter(({ check }) => check !== 'certificate_expiry')
      .map(({ check, severity }) => [check, severity]);
  assert.deepEqual(findings({}), []);
  const TLS_KEY_FILE = writeFile('other.key', issueCertificate('/CN=other').key);
  assert.deepEqual(findings({ TLS_KEY_FILE }), [['certificate_unusable', 'error']]);
  const ISSUER = 'https://id.example';
  assert.deepEqual(findings({ ISSUER }), [['certificate_host', 'error']]);
  assert.deepEqual(findings({ ISSUER, TRUST_PROXY: '0' }), [['certificate_host', 'error']]);
  assert.deepEqual(findings({ ISSUER, TRUST_PROXY: '1' }), [['certificate_host', 'note']]);
});

test('secrets that a person made up count as guessable, those of a machine do not', () => {
  const isFound = (value: string) =>
    secretFindings(loadConfig({ SESSION_SECRET: value })).some(({ check }) => check === 'session_secret_guessable');
  for (const value of [
    'a'.repeat(32),
    'abc123'.repeat(6),
    'My-Company-Session-Secret-2026-x',
    'changeme-changeme-changeme-abcdef',
    '0101101001011010010110100101101a',
    'test 4711 0815 and some more numbers',
  ]) {
    assert.ok(isFound(value), value);
  }
  // the same bytes in each run: of a million secrets in base64, one contains `qwert` by chance
  const { next } = randomSource(1);
  for (let tries = 0; tries < 200; tries += 1) {
    const bytes = Buffer.from(Array.from({ length: 32 }, () => Math.floor(next() * 256)));
    for (const encoding of ['hex', 'base64', 'base64url'] as const) assert.ok(!isFound(bytes.toString(encoding)));
  }
});

test('the document names every finding with its severities, and no other; it quotes the secrets that the doctor knows', () => {
  const directory = new URL('../../src/', import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, directory), 'utf8');
  const sources = ['cli/doctor.ts', ...readdirSync(new URL('doctor', directory)).map((name) => `doctor/${name}`)];
  const names =
    /(?:finding|some|report)\([^;{]*?'((?:audit|certificate|check|choice|claim|client|cookies|database|demo|disk|file|issuer|mail|pooler|provider|proxy|second|seed|session|user|variable|view|website)_?\w*)'/g;
  const known = new Set(sources.flatMap((name) => [...read(name).matchAll(names)].map(([, check = '']) => check)));
  const rows = [...read('operations/watching.md').matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (?:error|warning|note)/gm)];
  const documented = rows.flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  assert.ok(known.size > 25);
  assert.deepEqual(documented.sort(), [...known].sort());
  const { client, user: person } = documentedSecrets;
  for (const quoted of [client.client_secret, person.password]) assert.ok(read('../README.md').includes(quoted));
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

/** How many rows of a table a plan has read. */
const readOf = (table: string, plan: Plan): number =>
  (plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, part) => sum + readOf(table, part), 0);

test('the doctor reads the newest 10,000 clients, and 200 grants of each of the newest 1000, however many there are', async () => {
  const database = openDatabase({ connectionString: await createDatabase() }, 1);
  await database.query(`
    insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types, secrets_sha256, secrets_since, created_at)
    select 'c' || n, 'C', 'c.example', '{http://c.example/}', '{user:name,user:email}', '{}', '{authorization_code}', '{}', '{}', now() - n * interval '1 minute'
    from generate_series(1, 12000) n;
    insert into users (username, password_bcrypt) select 'u' || n, '${cheapHash}' from generate_series(1, 1000) n;
    insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
    select user_id, 'c1', '{user:name}', '{user:name}', '{}', 'always' from users;
    analyze`);
  const seen: string[] = [];
  const { query } = database;
  database.query = ((statement: { text: string }, ...rest: unknown[]) => {
    seen.push(statement.text);
    return Reflect.apply(query, database, [statement, ...rest]);
  }) as typeof query;
  assert.equal((await findClientFacts(database)).http_redirect.count, 10_000);
  assert.deepEqual(await findScopesNeverGranted(database), [{ client_id: 'c1', scopes: ['user:email'] }]);
  database.query = query;
  const plans = await Promise.all(seen.map((text) => database.query(`explain (analyze, format json) ${text}`)));
  const [facts, scopes] = plans.map(({ rows }): Plan => rows[0]['QUERY PLAN'][0].Plan);
  assert.ok(facts && readOf('clients', facts) <= 10_000);
  assert.ok(scopes && readOf('clients', scopes) <= 1000);
  assert.ok(scopes && readOf('grants', scopes) <= 1000 + 200);
  await database.end();
});
