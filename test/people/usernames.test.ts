import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { cheapHash, password, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { startProvider } from '../support/openid-provider.ts';
import { registerFake, signInAt } from '../support/providers.ts';
import { answerTo, returnWith, sentToWebsite, sharedSecret } from '../support/website.ts';

const website = { SIGN_IN_URL: 'https://www.provider.example/sign-in', SIGN_IN_SECRET: sharedSecret };
const env = { SIGN_UP: 'invited', BRAND_NAME: 'Acme Bank', ...website };
const { origin, database, url } = await startLatchkey(env);
const { latchkey, directory } = commandLineFor(url);
const op = await startProvider();
await database.query(`
  create table there (subject text, username text, email text, email_verified boolean, name text, password_hash text, disabled boolean);
  create view latchkey_accounts as select * from there`);
await registerPrinter(database);
await registerFake(database, op, { people: 'created' });
await database.query(`select register_user(username => 'somebody', subject => 'somebody-1')`);

afterEach(async () => {
  await database.query(`truncate there; truncate attempts; delete from sign_up_links; delete from identities`);
  await database.query(`delete from users where subject is distinct from 'somebody-1'`);
});

async function importFile(ending: 'csv' | 'jsonl', username: string): Promise<void> {
  const line =
    ending === 'csv' ? `subject,username\nnew-1,"${username}"\n` : JSON.stringify({ subject: 'new-1', username });
  writeFileSync(join(directory, `people.${ending}`), line);
  await latchkey(['user', 'import', join(directory, `people.${ending}`)]);
}

interface Door {
  /** the file whose statement stores the name */
  writer: string;
  /** an operator states the name, or a program of the operator; or the person chooses it */
  by: 'operator' | 'program' | 'person';
  enter(username: string): Promise<unknown>;
}

const doors: Record<string, Door> = {
  'a seed': {
    writer: 'migrations/functions/register_user.sql',
    by: 'operator',
    enter: (username) =>
      database.query('select register_user(username => $1, password => $2)', [username, cheapHash]).catch(() => {}),
  },
  'user create': {
    writer: 'migrations/functions/register_user.sql',
    by: 'operator',
    enter: (username) => latchkey(['user', 'create', '--', username], { env: { ...website, PASSWORDS: 'off' } }),
  },
  'an import of CSV': {
    writer: 'src/people/import/imported-people.sql.ts',
    by: 'operator',
    enter: (username) => importFile('csv', username),
  },
  'an import of JSON lines': {
    writer: 'src/people/import/imported-people.sql.ts',
    by: 'operator',
    enter: (username) => importFile('jsonl', username),
  },
  'the view': {
    writer: 'migrations/functions/keep_person.sql',
    by: 'operator',
    async enter(username) {
      const values = ['new-1', username, cheapHash];
      await database.query(
        'insert into there (subject, username, password_hash, disabled) values ($1, $2, $3, false)',
        values,
      );
      const browser = new Browser(origin);
      await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
    },
  },
  'the website': {
    writer: 'migrations/functions/keep_person.sql',
    by: 'program',
    async enter(username) {
      const { browser, asked } = await sentToWebsite(origin);
      await returnWith(browser, answerTo(asked, { sub: 'new-1', username }));
    },
  },
  'a provider': {
    writer: 'migrations/functions/keep_person.sql',
    by: 'person',
    async enter(username) {
      op.claims = { sub: 'new-1', preferred_username: username };
      await signInAt(new Browser(origin));
    },
  },
  'sign-up': {
    writer: 'src/accounts/sign-up/sign-ups.sql.ts',
    by: 'person',
    async enter(username) {
      const { out } = await latchkey(['user', 'invite', 'new@example.com', '--json'], {
        env: { ...env, ISSUER: origin },
      });
      const browser = new Browser(origin);
      const page = await browser.visit(JSON.parse(out).url);
      await browser.submit(page, 'id="save"', { username, new_password: 'nine lives and a hat' });
    },
  },
};

const { operator, program, person } = { operator: 'operator', program: 'program', person: 'person' } as const;
/** Each name, and at whose doors it is given as it is. */
const names: readonly (readonly [name: string, givenBy: readonly Door['by'][]])[] = [
  ['ada', [operator, program, person]],
  ['Ada.Lovelace', [operator, program, person]],
  ['2fast', [operator, program, person]],
  ['admin', [operator, program]],
  ['ADMIN', [operator, program]],
  ['Admin1', [operator, program]],
  ['a.d.m.i.n', [operator, program]],
  ['support', [operator, program]],
  ['latchkey', [operator, program]],
  ['acmebank', [operator, program]],
  ['Acme-Bank', [operator, program]],
  ['Acme Bank', [operator, program]],
  ['\u0430dmin', [operator, program]],
  ['\uff21\uff24\uff2d\uff29\uff2e', [operator, program]],
  ['.ada', [operator, program]],
  ['ada-', [operator, program]],
  ['__proto__', [operator, program]],
  ['x'.repeat(41), [operator, program]],
  ['424242', [operator, program]],
  ['somebody-1', [operator]],
  ...[
    '\u200b',
    '\u202e',
    '\u2066',
    '\u3164',
    '\ufeff',
    '\u00ad',
    '\u2800',
    '\ufe0f',
    '\u{e0041}',
    '\u{1d159}',
    '\u{16fe4}',
    '\u{13430}',
  ].map((unseen) => [`al${unseen}ice`, []] as const),
  ['al\u0007ice', []],
  ['x'.repeat(201), []],
];

const isKnown = async (username: string): Promise<boolean> =>
  (await database.query('select from users where username = $1', [username])).rowCount === 1;

for (const [door, { by, enter }] of Object.entries(doors)) {
  test(`${door} gives each name that may be given there, and no other`, async () => {
    for (const [name, givenBy] of names) {
      await enter(name);
      const code = [...name].map((one) => (/[!-~]/.test(one) ? one : `<${one.codePointAt(0)?.toString(16)}>`)).join('');
      assert.equal(await isKnown(name), givenBy.includes(by), code);
      await database.query(`truncate there; truncate attempts; delete from identities`);
      await database.query(`delete from users where subject is distinct from 'somebody-1'`);
    }
  });
}

test('no other statement stores a username', () => {
  const folder = join(import.meta.dirname, '../..');
  const files = ['src', 'migrations/functions'].flatMap((root) =>
    readdirSync(join(folder, root), { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
  );
  const stores =
    /insert into users\b[^;]*?\busername\b|update users\b[^;]*?\bset\b(?:(?!\bwhere\b)[^;])*?\busername = (?!null)/;
  const writers = files.filter(
    (file) => /\.(ts|sql)$/.test(file) && stores.test(readFileSync(join(folder, file), 'utf8')),
  );
  assert.deepEqual(new Set(writers), new Set(Object.values(doors).map(({ writer }) => writer)));
});

test('a name that no rule permits leads to another name, and keeps nobody out who comes from elsewhere', async () => {
  for (const door of ['the website', 'a provider'])
    for (const name of ['al\u200bice', 'somebody-1']) {
      await doors[door]?.enter(name);
      const { rows } = await database.query(`select username from users where username <> 'somebody'`);
      assert.match(rows[0].username, /^(new-1|somebody-1-[\da-f]{4}|acme-[\da-f]{8})$/, door);
      await database.query(`delete from identities; delete from users where subject is distinct from 'somebody-1'`);
    }
});

test('the name and the address of a person of the view who has not come yet are nobody else’s', async () => {
  await database.query(`insert into there values ('late-1', 'late', 'late@example.com', true, null, $1, false)`, [
    cheapHash,
  ]);
  for (const door of ['the website', 'a provider', 'sign-up']) {
    await doors[door]?.enter('late');
    assert.equal(await isKnown('late'), false, door);
    await database.query(`delete from identities; delete from users where subject is distinct from 'somebody-1'`);
  }
  const { browser, asked } = await sentToWebsite(origin);
  await returnWith(browser, answerTo(asked, { sub: 'new-1', email: 'late@example.com', email_verified: true }));
  const { rows } = await database.query(`select username, email_verified from users where subject = 'new-1'`);
  assert.deepEqual(rows, [{ username: 'new-1', email_verified: false }]);
  const late = new Browser(origin);
  const page = await late.submit(await late.visit('/login'), 'id="login"', { username: 'LATE@example.com', password });
  assert.match(page.text, /<bdi>late<\/bdi>/);
  // the website speaks for the same person
  const again = await sentToWebsite(origin);
  await database.query(`delete from users where subject = 'late-1'`);
  await returnWith(again.browser, answerTo(again.asked, { sub: 'late-1', username: 'late' }));
  assert.equal(await isKnown('late'), true);
});

test('an address that is not verified becomes no username, so that its owner can get it', async () => {
  const person = { subject: 'new-1', email: 'owner@example.com', email_verified: false };
  const enter = {
    async seed() {
      await database.query(
        `select register_user(subject => $1, email => $2, email_verified => $3)`,
        Object.values(person),
      );
    },
    async import() {
      writeFileSync(join(directory, 'people.jsonl'), JSON.stringify(person));
      await latchkey(['user', 'import', join(directory, 'people.jsonl')]);
    },
    async website() {
      const { browser, asked } = await sentToWebsite(origin);
      const { subject: sub, ...profile } = person;
      await returnWith(browser, answerTo(asked, { sub, ...profile }));
    },
  };
  for (const [door, come] of Object.entries(enter)) {
    await come();
    const { rows } = await database.query(`select username, email from users where subject = 'new-1'`);
    assert.deepEqual(rows, [{ username: 'new-1', email: 'owner@example.com' }], door);
    await database.query(`select register_user(username => 'owner', email => 'owner@example.com')`);
    await database.query(`delete from users where subject is distinct from 'somebody-1'`);
  }
});
