import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/postgres/database.ts';
import { badKeys } from '../support/bad-keys.ts';
import { assertRefused, commandLineFor, registration } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { installedFor } from '../support/installed.ts';

const url = await createDatabase();
const { latchkey, directory } = commandLineFor(url);
const installed = installedFor(url);
const database = openDatabase({ connectionString: url }, 2);
after(() => database.end());

test('the command line explains its usage and its refusals', { concurrency: 3 }, async (t) => {
  await Promise.all([
    t.test('refuses a password that is too long in bytes, too short, or holds a NUL', async () => {
      const create = ['user', 'create', 'mallory'];
      assertRefused(await latchkey(create, { input: 'ü'.repeat(37) }), 1, /has 74 bytes; bcrypt reads no more than 72/);
      assertRefused(await latchkey(create, { input: '🙂🙂🙂🙂🙂🙂🙂' }), 1, /fewer than 8 characters/);
      assertRefused(await latchkey(create, { input: 'pass\0word' }), 1, /contains a control character/);
      assertRefused(await latchkey(create, { input: Buffer.from('passw\xffrd', 'latin1') }), 1, /not UTF-8/);
    }),

    t.test('names all problems of a registration at once, also beside a site that is a public suffix', async () => {
      const words = [
        'client',
        'create',
        'bad id',
        '--name',
        'X',
        '--site-domain',
        'com',
        '--redirect-uri',
        'https://a.com/cb',
      ];
      const refused = await latchkey([...words, '--scope', 'zzz']);
      assertRefused(refused, 1, /'com' is a public suffix/);
      assert.match(refused.err, /client_id must be 1 to 200 printable ASCII characters/);
      assert.match(refused.err, /zzz/);
    }),

    t.test('names the id that is unknown', async () => {
      assertRefused(await latchkey(['client', 'show', 'nobody']), 1, /no client "nobody"/);
      assertRefused(await latchkey(['client', 'disable', 'nobody']), 1, /no client "nobody"/);
      assertRefused(await latchkey(['user', 'disable', 'nobody']), 1, /no user "nobody"/);
      assertRefused(
        await latchkey(['user', 'set-password', 'nobody'], { input: 'long enough' }),
        1,
        /no user "nobody"/,
      );
    }),

    t.test('exits with 2 when it is used wrongly, and never repeats what may be a secret', async () => {
      const hunter = await latchkey(['user', 'create', 'ada', 'hunter22']);
      assertRefused(hunter, 2, /secrets are never arguments/);
      assert.doesNotMatch(hunter.err, /hunter22/);
      const token = await latchkey(['token', 'show', 'lk_at_secret']);
      assertRefused(
        token,
        2,
        /history of your shell keeps: type the code or token when asked, or pipe it to standard input/,
      );
      assert.doesNotMatch(token.err, /lk_at_secret/);
      assertRefused(
        await latchkey(['user', 'create', 'ada', '--password=hunter22']),
        2,
        /'--password': secrets are never arg/,
      );
      assertRefused(await latchkey(['client', 'create', 'x', '--name', 'X']), 2, /--site-domain is missing/);
      assertRefused(
        await latchkey(['client', 'launch']),
        2,
        /one of create, find, list, show, update, rotate-secret, delete-secret, disable/,
      );
      assertRefused(await latchkey(registration('x', '--public', '--resource-server')), 2, /cannot be --public/);
      assertRefused(await installed([]), 2, /a command is missing/);
    }),

    t.test('refuses keys that cannot be used, and does not quote them', async () => {
      const keyed = (name: string, content: string) => {
        const file = join(directory, name);
        writeFileSync(file, content);
        return registration('keyed', '--token-endpoint-auth-method', 'private_key_jwt', '--jwks', file);
      };
      const none = ['--token-endpoint-auth-method', 'private_key_jwt'];
      assertRefused(await latchkey(registration('keyed', ...none)), 1, /needs jwks or jwks_uri/);
      assertRefused(await latchkey(registration('keyed', '--public', ...none)), 2, /a --public client has no/);
      assertRefused(await latchkey(registration('keyed', '--jwks', 'nowhere.json')), 1, /jwks cannot be read.*ENOENT/);
      const secret = { keys: [{ kty: 'EC', d: 'a-private-part' }] };
      for (const [content, sentence] of [
        ['-----BEGIN a-private-part', /is not JSON/],
        [JSON.stringify(secret), /jwks contains a private or symmetric key/],
        [
          JSON.stringify({ keys: [badKeys['the point (0, 0)']?.jwk] }),
          /jwks contains a key that is no point of its curve/,
        ],
      ] as const) {
        const outcome = await latchkey(keyed('secret.json', content));
        assertRefused(outcome, 1, sentence);
        assert.doesNotMatch(outcome.err, /a-private-part/);
      }
    }),

    t.test('tells how it is used, and needs no database for that', async () => {
      const env = { DATABASE_URL: 'nonsense' };
      assert.match((await latchkey(['--help'], { env })).out, /^ {2}client rotate-secret {2}Generate/m);
      assert.match((await latchkey(['client', 'create', '--help'], { env })).out, /--secret-stdin +read the secret/);
      assert.match((await latchkey(['--version'], { env })).out, /^latchkey \d+\.\d+\.\d+(-dev)?\n$/);
      const { code, err } = await installed(['client', 'list'], { env });
      assert.deepEqual({ code, isNamed: /DATABASE_URL: must begin with/.test(err) }, { code: 1, isNamed: true });
    }),

    t.test('applies a seed as a whole, or names the line and applies nothing', async () => {
      const file = join(directory, 'seed.sql');
      const row = (name: string) => `insert into settings values ('${name}', '')`;
      writeFileSync(file, `${row('half')};\nselect nonsense;\n`);
      assertRefused(await latchkey(['seed', file]), 1, /seed\.sql, line 2: column "nonsense" does not exist/);
      assertRefused(await latchkey(['seed', join(directory, 'none.sql')]), 1, /none\.sql cannot be read/);
      const whole = join(directory, 'whole.sql');
      writeFileSync(whole, `${row('whole')};`);
      assert.equal((await latchkey(['seed', whole])).code, 0);
      const { rows } = await database.query(`select name from settings where name in ('half', 'whole')`);
      assert.deepEqual(rows, [{ name: 'whole' }]);
    }),

    t.test('plans migrations without applying them, and refuses to work without them', async () => {
      const env = { DATABASE_URL: await createDatabase({ migrated: false }) };
      const { pending } = JSON.parse((await latchkey(['migrate', '--plan', '--json'], { env })).out);
      assert.equal(pending[0], '001_people.sql');
      const first =
        /^Run latchkey migrate first: the database lacks \d+ migrations \(001_people\.sql to \S+\) and \d+ SQL functions\.$/m;
      assertRefused(await latchkey(['client', 'list'], { env }), 1, first);
      const { applied } = JSON.parse((await latchkey(['migrate', '--json'], { env })).out);
      assert.deepEqual(applied, pending);
      assert.match((await latchkey(['migrate', '--plan'], { env })).out, /up to date/);
    }),

    t.test('says in one line what it has migrated, after a bar on a terminal', async () => {
      for (const isTerminal of [false, true]) {
        const env = { DATABASE_URL: await createDatabase({ migrated: false }) };
        const { out, err } = await latchkey(['migrate'], { env, isTerminal });
        assert.match(out, /^Applied \d+ migrations \(001_people\.sql to \S+\) and \d+ SQL functions\.\n$/);
        if (isTerminal) assert.match(JSON.stringify(err), /^"\\r█?░+ 1 of (\d+)\\r.*█+░+ \d+ of \1\\r\\u001b\[K"$/);
        else assert.equal(err, '');
      }
    }),
  ]);
});
