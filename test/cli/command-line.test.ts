import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import bcrypt from 'bcrypt';
import { digestOf, isSecret } from '../../src/lib/secrets.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/start.ts';
import { createClientKey } from '../support/client-assertion.ts';
import { assertRefused, commandLineFor, registration } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { installedFor } from '../support/installed.ts';

const url = await createDatabase();
const { latchkey, directory } = commandLineFor(url);
const installed = installedFor(url);
const database = openDatabase({ connectionString: url }, 2);
after(() => database.end());

async function secretsOf(client_id: string): Promise<Buffer[]> {
  const { rows } = await database.query('select secrets_sha256 from clients where client_id = $1', [client_id]);
  return rows[0]?.secrets_sha256;
}

test('the command line manages applications and users', { concurrency: 3 }, async (t) => {
  await Promise.all([
    t.test('makes the secret of a client, shows it once, and keeps the digest only', async () => {
      const { code, out } = await installed(registration('made'));
      const secret = out.match(/lk_cs_\S+/)?.[0] ?? '';
      assert.equal(code, 0);
      assert.ok(isSecret('client_secret', secret));
      assert.deepEqual(await secretsOf('made'), [digestOf(secret)]);
      const shown = await latchkey(['client', 'show', 'made']);
      assert.match(shown.out, /^name: +Photo Printer$/m);
      assert.doesNotMatch(shown.out, /position/);
      assert.doesNotMatch(shown.out, new RegExp(`${secret}|${digestOf(secret).toString('hex')}|sha256`));
      assertRefused(await installed(registration('made')), 1, /There is already a client "made"/);
      assert.deepEqual(await secretsOf('made'), [digestOf(secret)]);
    }),

    t.test('takes a secret from standard input, and does not show it', async () => {
      const secret = 'a-secret-that-came-out-of-a-vault-0123456789';
      const { code, out } = await installed(registration('vault', '--secret-stdin', '--json'), {
        input: `${secret}\n`,
      });
      assert.equal(code, 0);
      assert.equal('client_secret' in JSON.parse(out), false);
      assert.deepEqual(await secretsOf('vault'), [digestOf(secret)]);
    }),

    t.test('registers a client that proves a key, without a secret, and for the profile fapi2', async () => {
      const { jwk } = createClientKey('one');
      const file = join(directory, 'keys.json');
      writeFileSync(file, JSON.stringify({ keys: [jwk] }));
      const keyed = ['--token-endpoint-auth-method', 'private_key_jwt', '--jwks', file, '--profile', 'fapi2'];
      const demands = ['--require-signed-request-object', '--request-object-signing-alg', 'ES256'];
      const { code, out } = await latchkey(registration('keyed', ...keyed, ...demands, '--json'));
      assert.equal(code, 0);
      const { jwks, profile, token_binding, valid_secrets, public: isPublic, ...rest } = JSON.parse(out);
      assert.deepEqual(
        { jwks, profile, token_binding, valid_secrets, isPublic },
        { jwks: { keys: [jwk] }, profile: 'fapi2', token_binding: 'dpop', valid_secrets: 0, isPublic: false },
      );
      assert.deepEqual(
        [rest.require_signed_request_object, rest.request_object_signing_alg, 'client_secret' in rest],
        [true, 'ES256', false],
      );
    }),

    t.test('registers every other demand of a client', async () => {
      for (const [id, options, expected] of [
        ['named', ['--tls-client-auth-subject-dn', 'CN=app'], { tls_client_auth_subject_dn: 'CN=app' }],
        ['hosted', ['--tls-client-auth-san-dns', 'app.example'], { tls_client_auth_san_dns: 'app.example' }],
        ['dpop', ['--dpop-bound-access-tokens'], { token_binding: 'dpop' }],
        ['certified', ['--tls-client-certificate-bound-access-tokens'], { token_binding: 'certificate' }],
        ['mac', ['--token-type', 'mac'], { token_binding: 'mac' }],
        ['pushing', ['--require-pushed-authorization-requests'], { require_pushed_authorization_requests: true }],
        ['publishing', ['--jwks-uri', 'https://a.example/jwks'], { jwks_uri: 'https://a.example/jwks' }],
      ] as const) {
        const isNamed = options[0].startsWith('--tls-client-auth-');
        const method = isNamed ? ['--token-endpoint-auth-method', 'tls_client_auth'] : [];
        const { code, out, err } = await latchkey(registration(id, ...method, ...options, '--json'));
        assert.equal(code, 0, err);
        const client = JSON.parse(out);
        for (const [member, value] of Object.entries(expected)) assert.equal(client[member], value, id);
        assert.equal('client_secret' in client, method.length === 0, id);
      }
    }),

    t.test('rotates a secret: the one before stays valid until the next rotation', async () => {
      const first = JSON.parse((await latchkey(registration('rotating', '--json'))).out);
      const second = JSON.parse((await latchkey(['client', 'rotate-secret', 'rotating', '--json'])).out);
      const digests = [second, first].map(({ client_secret }) => digestOf(client_secret));
      assert.deepEqual(await secretsOf('rotating'), digests);
      await latchkey(['client', 'rotate-secret', 'rotating']);
      assert.deepEqual((await secretsOf('rotating'))[1], digestOf(second.client_secret));
    }),

    t.test('lists as many as asked for, and says how to go on', async () => {
      await database.query(`select register_client(client_id => 'list-' || n, name => 'One of many', site_domain => 'printer.example',
        redirect_uris => '{https://printer.example/callback}', scopes => '{user}') from generate_series(1, 3) n`);
      const list = (...more: string[]) => latchkey(['client', 'list', '--after', 'list-', '--limit', '2', ...more]);
      const { out } = await list();
      assert.match(out, /^list-1 [\s\S]*^list-2 .*\n\nThere are more: --after 'list-2'\n$/m);
      assert.deepEqual(
        JSON.parse((await list('--json')).out).map(({ client_id }: { client_id: string }) => client_id),
        ['list-1', 'list-2'],
      );
      assert.match((await latchkey(['client', 'list', '--after', 'list-2', '--limit', '1'])).out, /^list-3 /m);
      assertRefused(await latchkey(['user', 'list', '--limit', '0']), 2, /--limit is not a number from 1 to 100000/);
    }),

    t.test('registers a public client without a secret and disables it', async () => {
      const { public: isPublic, scopes } = JSON.parse(
        (await latchkey(registration('public', '--public', '--json'))).out,
      );
      assert.deepEqual({ isPublic, scopes }, { isPublic: true, scopes: ['user:name', 'user:email', 'repo:read'] });
      assertRefused(await latchkey(['client', 'rotate-secret', 'public']), 1, /"public" is public: it has no secret/);
      assert.equal((await latchkey(['client', 'disable', 'public'])).code, 0);
      assert.match(
        (await latchkey(['client', 'list'])).out,
        /^public +Photo Printer +printer\.example +public +disabled/m,
      );
    }),

    t.test(
      'keeps a rotated secret when the same seed runs again, takes a new secret from a changed seed, and enables a disabled client again',
      async () => {
        const seed = (secret: string) =>
          database.query(
            `select register_client(client_id => 'seeded', client_secret => $1, name => 'Seeded',
          site_domain => 'printer.example', redirect_uris => array['https://printer.example/cb'], scopes => array['user'])`,
            [secret],
          );
        const digests = async () =>
          (
            await database.query(`select secrets_sha256 from clients where client_id = 'seeded'`)
          ).rows[0].secrets_sha256.map(String);
        await seed('the-first-secret-of-the-seed-0123456789');
        const [first] = await digests();
        await latchkey(['client', 'rotate-secret', 'seeded']);
        await latchkey(['client', 'rotate-secret', 'seeded']);
        const rotated = await digests();
        await seed('the-first-secret-of-the-seed-0123456789');
        assert.deepEqual(await digests(), rotated);
        assert.ok(!rotated.includes(first));
        await seed('the-second-secret-of-the-seed-0123456789');
        assert.equal((await digests()).length, 1);
        await latchkey(['client', 'disable', 'seeded']);
        assert.equal((await latchkey(['client', 'enable', 'seeded'])).code, 0);
        assert.match((await latchkey(['client', 'list'])).out, /^seeded .* active +yes /m);
        await latchkey(['client', 'unvouch', 'seeded']);
        await seed('the-second-secret-of-the-seed-0123456789');
        assert.match((await latchkey(['client', 'list'])).out, /^seeded .* active +no /m);
        assert.match((await latchkey(['client', 'vouch', 'seeded'])).out, /"seeded" is vouched for/);
        assert.match((await latchkey(['client', 'show', 'seeded'])).out, /^vouched: +yes$/m);
      },
    ),

    t.test('shows the sentence of the database about a registration that is not right', async () => {
      const outcome = await latchkey(registration('strayed', '--redirect-uri', 'https://evil.example/'));
      assertRefused(
        outcome,
        1,
        /redirect URI 'https:\/\/evil\.example\/' lies outside the site domain 'printer\.example'/,
      );
      const suffix = ['--site-domain', 'github.io', '--redirect-uri', 'https://me.github.io/', '--scope', 'user'];
      assertRefused(
        await latchkey(['client', 'create', 'suffix', '--name', 'Suffix', ...suffix]),
        1,
        /site_domain 'github\.io' is a public suffix/,
      );
    }),

    t.test('invites applications to register themselves, lists the invitations and withdraws them', async () => {
      const made = await latchkey(['client', 'invite']);
      const [, token = ''] = /^Initial access token \(shown only once\):\n(lk_it_[\w-]+)\n/.exec(made.out) ?? [];
      assert.match(made.out, /Invitation \d+, for one application, expires in 7 days\.\n$/);
      assert.match(
        (await latchkey(['client', 'invite', '--uses', '2', '--expires', '1'])).out,
        /for 2 applications, expires in one day\.\n$/,
      );
      const more = JSON.parse((await latchkey(['client', 'invite', '--uses', '3', '--expires', '1', '--json'])).out);
      assert.match(more.initial_access_token, /^lk_it_/);
      const { out } = await latchkey(['client', 'invitations', '--json']);
      assert.doesNotMatch(out, /lk_it_|sha256/);
      const listed = JSON.parse(out).find((one: { invitation_id: number }) => one.invitation_id === more.invitation_id);
      assert.equal(listed.uses_left, 3);
      assert.ok(Math.abs(Date.parse(listed.expires_at) - Date.now() - 86_400_000) < 60_000);
      const stored = await database.query('select uses_left from invitations where token_sha256 = $1', [
        digestOf(token),
      ]);
      assert.deepEqual(stored.rows, [{ uses_left: 1 }]);
      const number = String(more.invitation_id);
      assert.equal((await latchkey(['client', 'uninvite', number])).code, 0);
      assertRefused(await latchkey(['client', 'uninvite', number]), 1, /no invitation/);
      for (const wrong of ['0', '1e3', '-1', 'x']) {
        assertRefused(await latchkey(['client', 'invite', `--uses=${wrong}`]), 2, /--uses is not a number from 1 to/);
      }
    }),

    t.test('registers a person whose password comes from standard input, as bcrypt of cost 12', async () => {
      const words = ['user', 'create', 'ada', '--email', 'ada@example.com', '--name', 'Ada', '--admin', '--json'];
      const user = JSON.parse((await latchkey(words, { input: 'analytical engine\n' })).out);
      assert.equal(user.is_admin, true);
      const { rows } = await database.query(`select * from users where username = 'ada'`);
      assert.match(rows[0].password_bcrypt, /^\$2b\$12\$/);
      assert.ok(await bcrypt.compare('analytical engine', rows[0].password_bcrypt));
      const list = await latchkey(['user', 'list']);
      assert.match(list.out, /^\d+ +ada +ada@example\.com +yes +Ada +yes +yes +0 +active$/m);
      assert.doesNotMatch(list.out, /\$2b\$/);
      assertRefused(await latchkey(words, { input: 'analytical engine' }), 1, /There is already a user "ada"/);
    }),

    t.test('ends the sessions of a person whose password it sets, and of one it disables', async () => {
      const session = `insert into sessions (sid_sha256, user_id, data)
        select convert_to(username, 'UTF8'), user_id, '{}' from users where username in ('bob', 'eve')`;
      const hash = '$2b$04$egjOucnIr8Rof0KLj4JhauniB0pJYD4NJJXf3CKkAocE0nzl89CcS';
      await database.query(`select register_user(u, '${hash}') from unnest(array['bob', 'eve']) u`);
      await database.query(session);
      assert.equal((await latchkey(['user', 'set-password', 'bob'], { input: 'new password\n' })).code, 0);
      assert.equal((await latchkey(['user', 'disable', 'eve'])).code, 0);
      assert.equal((await latchkey(['user', 'enable', 'bob'])).code, 0);
      const { rows } = await database.query(`select username, password_bcrypt, disabled_at,
        exists (select from sessions where sessions.user_id = users.user_id) as is_signed_in
        from users where username in ('bob', 'eve') order by username`);
      assert.ok(await bcrypt.compare('new password', rows[0].password_bcrypt));
      assert.ok(rows[1].disabled_at);
      assert.deepEqual(
        rows.map(({ is_signed_in }) => is_signed_in),
        [false, false],
      );
    }),

    t.test('works on the embedded database, beside the process that runs it and without one', async () => {
      const dataDir = join(directory, 'data');
      const env = { DATABASE_URL: '', DATA_DIR: dataDir };
      const server = await startEmbeddedPostgres({ dataDir, durable: false, announce: () => {} });
      const beside = await latchkey(['user', 'create', 'ada'], { input: 'analytical engine', env });
      await server.stop();
      assert.equal(beside.code, 0, beside.err);
      assert.match((await latchkey(['user', 'list'], { env })).out, /^1 +ada /m);
    }),
  ]);

  await t.test('shows in the audit trail what the commands above have done', async () => {
    const { out } = await latchkey(['audit', '--json', '--limit', '100']);
    const events = new Set((JSON.parse(out) as { event: string }[]).map(({ event }) => event));
    for (const event of [
      'client_registered',
      'client_secret_added',
      'client_disabled',
      'user_registered',
      'password_changed',
      'user_disabled',
    ]) {
      assert.ok(events.has(event), event);
    }
    assertRefused(await latchkey(['audit', '--limit', '0']), 2, /--limit is not a number from 1/);
  });
});

test('makes no embedded database where another DATA_DIR is meant, except to migrate, to seed and to register', async () => {
  const DATA_DIR = join(directory, 'elsewhere');
  const env = { DATABASE_URL: '', DATA_DIR };
  for (const words of [
    ['user', 'find', 'ada'],
    ['user', 'disable', 'ada'],
    ['client', 'list'],
    ['audit'],
    ['seed', 'people.sql', '--plan'],
    ['backup', join(directory, 'b')],
  ]) {
    assertRefused(
      await latchkey(words, { env, input: 'analytical engine' }),
      1,
      /^There is no database in DATA_DIR \S+elsewhere: set DATA_DIR/,
    );
  }
  assert.equal(existsSync(DATA_DIR), false);
  const seed = join(directory, 'first.sql');
  writeFileSync(seed, "select register_user('ada', 'analytical engine');");
  assert.equal((await latchkey(['seed', seed], { env })).code, 0);
  assert.match((await latchkey(['user', 'find', 'ada'], { env })).out, /ada/);
  const another = { DATABASE_URL: '', DATA_DIR: join(directory, 'new') };
  const made = await latchkey(['user', 'create', 'ada'], { env: another, input: 'analytical engine' });
  assert.match(made.out, /Registered the user "ada"/);
});

test('rotate-secret --now ends the secrets of before at once', async () => {
  const made = JSON.parse((await latchkey(registration('leaky', '--json'))).out);
  const rotate = async (...more: string[]) =>
    JSON.parse((await latchkey(['client', 'rotate-secret', 'leaky', '--json', ...more])).out);
  const valid = async () =>
    (await database.query("select secrets_sha256 from clients where client_id = 'leaky'")).rows[0].secrets_sha256;
  const second = await rotate();
  assert.deepEqual(await valid(), [digestOf(second.client_secret), digestOf(made.client_secret)]);
  const third = await rotate('--now');
  assert.deepEqual(await valid(), [digestOf(third.client_secret)]);
});

test('deletes a person, says which applications that disables, and keeps the last administrator', async () => {
  const hash = '$2b$04$egjOucnIr8Rof0KLj4JhauniB0pJYD4NJJXf3CKkAocE0nzl89CcS';
  await database.query('update users set is_admin = false where deleted_at is null');
  await database.query(
    `select register_user('leaving', '${hash}'), register_user('chief', '${hash}', is_admin => true)`,
  );
  await database.query(`select register_client(client_id => 'of-leaving', name => 'Left', site_domain => 'printer.example',
    redirect_uris => '{https://printer.example/callback}', scopes => '{user}', owner => 'leaving')`);
  const { code, out } = await latchkey(['user', 'delete', 'leaving']);
  assert.equal(code, 0);
  assert.equal(out, 'Deleted the user "leaving".\nDisabled the application "of-leaving", which they owned.\n');
  assertRefused(await latchkey(['user', 'delete', 'leaving']), 1, /There is no user "leaving"\./);
  assert.doesNotMatch((await latchkey(['user', 'list'])).out, /leaving|null|deleted/);
  assertRefused(
    await latchkey(['user', 'delete', 'chief']),
    1,
    /"chief" is the last administrator: register another one \(latchkey user create NAME --admin\) and try again\./,
  );
  await database.query(`select register_user('deputy', '${hash}', is_admin => true)`);
  assert.deepEqual(JSON.parse((await latchkey(['user', 'delete', 'chief', '--json'])).out), {
    username: 'chief',
    deleted: true,
    disabled_clients: [],
  });
  assert.match((await latchkey(['audit'])).out, /user_deleted/);
});

test('a command leaves no timer behind, which would keep its process from ending', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  assert.equal((await latchkey(['client', 'list'])).code, 0);
  assert.ok(timers() <= before, `${timers()} timers, ${before} before`);
});
