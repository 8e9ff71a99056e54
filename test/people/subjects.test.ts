import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { deleteUser } from '../../src/accounts/leaving/deleted-users.sql.ts';
import { keepPerson } from '../../src/identity/people.sql.ts';
import { createSweep } from '../../src/operations/sweep.sql.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { signedInBrowser } from '../support/flow.ts';
import { cheapHash, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { startProvider } from '../support/openid-provider.ts';
import { registerFake, signInAt } from '../support/providers.ts';
import { randomSource } from '../support/random.ts';

const env = { SIGN_UP: 'invited' };
const { origin, database, url } = await startLatchkey(env);
const { latchkey, directory } = commandLineFor(url);
const op = await startProvider();
await registerPeople(database, ['root']);
await database.query(`update users set is_admin = true where username = 'root'`);
await registerPrinter(database);
await registerFake(database, op, { people: 'created' });

afterEach(async () => {
  await database.query(`delete from identities; delete from users where username is distinct from 'root'`);
});

const importPeople = (...people: object[]) => {
  const path = join(directory, 'people.jsonl');
  writeFileSync(path, people.map((person) => `${JSON.stringify(person)}\n`).join(''));
  return latchkey(['user', 'import', path]);
};

const register = async (user: Record<string, unknown>): Promise<number> => {
  const parameters = Object.keys(user).map((name, index) => `${name} => $${index + 1}`);
  const { rows } = await database.query(`select register_user(${parameters}) as user_id`, Object.values(user));
  return rows[0].user_id;
};

const personOf = async (subject: string) =>
  (await database.query('select user_id, username from users where coalesce(subject, user_id::text) = $1', [subject]))
    .rows[0];

async function signUp(username: string): Promise<void> {
  const { out } = await latchkey(['user', 'invite', `${username}@example.net`, '--json'], {
    env: { ...env, ISSUER: origin },
  });
  const browser = new Browser(origin);
  const page = await browser.visit(JSON.parse(out).url);
  await browser.submit(page, 'id="save"', { username, new_password: 'nine lives and a hat' });
}

async function comeFromProvider(username: string): Promise<void> {
  op.claims = { sub: `${username}-there`, preferred_username: username };
  await signInAt(new Browser(origin));
}

for (const [whoever, make] of [
  ['signs up', signUp],
  ['comes from a provider', comeFromProvider],
] as const) {
  test(`whoever ${whoever} under the name of a coming person does not become that person, whatever the number`, async () => {
    await make('dora');
    const { rows } = await database.query(`select user_id, subject from users where username = 'dora'`);
    const [{ user_id, subject }] = rows;
    assert.match(subject, /^[\da-f]{8}-/);
    const dora = { subject: String(user_id), username: 'dora', email: 'dora@bank.example', password_hash: cheapHash };
    assert.match((await importPeople(dora)).out, /'dora' is a name or address of the user 'dora'/);
    await assert.rejects(
      register({ subject: dora.subject, username: 'dora' }),
      /user with another subject|name of the user/,
    );
    assert.equal(await personOf(dora.subject), undefined);
    assert.match((await importPeople({ ...dora, username: 'dora-2' })).out, /1 created/);
    const imported = await personOf(dora.subject);
    assert.deepEqual([imported.username, imported.user_id === user_id], ['dora-2', false]);
    assert.deepEqual(await personOf(subject), { user_id, username: 'dora' });
  });
}

test('an imported person can be deleted, also if the number of the row is the subject of somebody else', async () => {
  await importPeople({ subject: 'bank-1', username: 'first' });
  const { user_id } = await personOf('bank-1');
  await importPeople({ subject: String(user_id), username: 'second' });
  const deleted = await latchkey(['user', 'delete', 'bank-1']);
  assert.deepEqual([deleted.code, deleted.err], [0, '']);
  assert.equal(await personOf('bank-1'), undefined);
  assert.equal((await personOf(String(user_id))).username, 'second');
  assert.match((await importPeople({ subject: 'bank-1', username: 'first' })).out, /1 created/);
});

test('the number of a deleted row keeps nobody out who has it as a subject', async () => {
  await importPeople({ subject: 'bank-1', username: 'first' });
  const { user_id } = await personOf('bank-1');
  await latchkey(['user', 'delete', 'bank-1']);
  const profile = { username: 'later', name: null, email: null, email_verified: false };
  const kept = await keepPerson(database, { source: 'website', subject: String(user_id), ...profile });
  assert.equal(kept.outcome, 'kept');
  await database.query('delete from users where user_id = $1', [kept.user_id]);
  assert.match((await importPeople({ subject: String(user_id), username: 'later' })).out, /1 created/);
});

test('nobody becomes a deleted person whose number was the subject', async () => {
  const user_id = await register({ username: 'numbered' });
  await latchkey(['user', 'delete', 'numbered']);
  const profile = { username: 'later', name: null, email: null, email_verified: false };
  const kept = await keepPerson(database, { source: 'website', subject: String(user_id), ...profile });
  assert.equal(kept.outcome, 'of_another_source');
  assert.match(
    (await importPeople({ subject: String(user_id), username: 'later' })).out,
    /is the number of a person who was deleted/,
  );
});

test('the number of a deleted person is nobody else’s after the sweep either, whether the row had it or an operator had given it', async () => {
  const sweepDeleted = async () => {
    await database.query(`update users set deleted_at = now() - interval '8 days' where deleted_at is not null`);
    await createSweep(database)();
  };
  const user_id = await register({ username: 'numbered' });
  const coming = user_id + 2;
  assert.match((await importPeople({ subject: String(coming), username: 'given' })).out, /1 created/);
  for (const name of ['numbered', 'given']) await latchkey(['user', 'delete', name]);
  await sweepDeleted();
  const number = String(user_id);
  assert.equal(await personOf(number), undefined);
  assert.match((await importPeople({ subject: number, username: 'later' })).out, /number of a person who was deleted/);
  await assert.rejects(register({ subject: number, username: 'later' }), /number of a person who was deleted/);
  const profile = { username: 'later', name: null, email: null, email_verified: false };
  const kept = await keepPerson(database, { source: 'website', subject: number, ...profile });
  assert.equal(kept.outcome, 'of_another_source');
  assert.equal(await register({ username: 'newcomer' }), coming);
  const { rows } = await database.query('select subject from users where user_id = $1', [coming]);
  assert.match(rows[0].subject, /^[\da-f]{8}-/);
  assert.match((await importPeople({ subject: String(coming), username: 'given' })).out, /1 created/);
});

test('nobody chooses a name that is the subject of somebody in another spelling', async () => {
  await importPeople({ subject: 'Bank-17', username: 'dora' });
  for (const make of [signUp, comeFromProvider]) {
    for (const name of ['bank-17', 'BANK-17', 'Bank-17']) {
      await make(name);
      const { rows } = await database.query('select from users where username = $1', [name]);
      assert.equal(rows.length, 0, name);
    }
    await make('bank-18');
    assert.equal((await database.query(`delete from users where username = 'bank-18'`)).rowCount, 1);
  }
  const { code, out } = await latchkey(['user', 'disable', 'Bank-17', '--json']);
  assert.deepEqual([code, JSON.parse(out).username], [0, 'dora']);
});

/** A text that is the name of one person and the subject of another. */
async function registerBoth(): Promise<string> {
  const user_id = await register({ username: 'numbered', email: 'numbered@example.com' });
  const text = String(user_id);
  await register({ username: text, subject: 'the-other' });
  return text;
}

test('no command that names a user guesses whom a text means that names two, and each takes another text', async () => {
  const text = await registerBoth();
  const { out: help } = await latchkey(['--help']);
  const takers = [];
  for (const [, words = ''] of help.matchAll(/^ *(user [\w-]+) /gm)) {
    const { out } = await latchkey([...words.split(' '), '--help']);
    if (words !== 'user create' && out.includes(`latchkey ${words} NAME`)) takers.push([...words.split(' '), text]);
  }
  const commands = [
    ...takers,
    ['grant', 'list', '--user', text],
    ['grant', 'revoke', '--user', text, '--client', 'photo-printer'],
    ['audit', '--user', text],
    ['audit', '--by', text],
    ['client', 'find', text],
    ['client', 'transfer', 'photo-printer', '--owner', text],
  ];
  assert.ok(takers.length >= 8, help);
  for (const words of commands) {
    const more = words[1] === 'update' ? ['--admin'] : [];
    const { code, err } = await latchkey([...words, ...more], {
      input: 'nine lives and a hat',
      env: { ISSUER: origin },
    });
    assert.equal(code, 1, words.join(' '));
    assert.match(
      err,
      /is the name of one user and the sub of another: "numbered" \(sub \d+\) and "\d+" \(sub the-other\)/,
    );
  }
  for (const [named, username] of [
    ['numbered', 'numbered'],
    ['NUMBERED@example.com', 'numbered'],
    ['the-other', text],
  ] as const) {
    const { code, out } = await latchkey(['user', 'disable', named, '--json']);
    assert.deepEqual([code, JSON.parse(out).username], [0, username], named);
  }
});

test('no page guesses whom a text means that names two', async () => {
  const text = await registerBoth();
  const root = await signedInBrowser(origin, 'root');
  const sentence = /name of one person and the subject \(sub\) of another/;
  for (const address of ['/admin/grants?user=', '/admin/events?user=', '/admin/events?by=']) {
    assert.match((await root.visit(address + text)).text, sentence, address);
    assert.doesNotMatch((await root.visit(`${address}numbered`)).text, sentence, address);
  }
  const page = await root.visit('/admin/applications/photo-printer');
  assert.match((await root.submit(page, 'id="pass-on"', { owner: text })).text, sentence);
  await root.submit(page, 'id="pass-on"', { owner: 'the-other' });
  const { rows } = await database.query(
    `select username from users join clients on owner_id = user_id where client_id = 'photo-printer'`,
  );
  assert.deepEqual(rows, [{ username: text }]);
  await database.query(`update clients set owner_id = null`);
});

test('through any sequence of what happens to people, a sub stays with its person and is never that of two', async () => {
  const { pick, next } = randomSource(7);
  const subjectsOf = async () => {
    const { rows } = await database.query(
      'select coalesce(subject, user_id::text) as sub, user_id, username from users where deleted_at is null order by user_id',
    );
    return rows as { sub: string; user_id: number; username: string }[];
  };
  const numberNearby = async () => {
    const { rows } = await database.query('select max(user_id) as last from users');
    return String(rows[0].last + Math.floor(next() * 8) - 4);
  };
  const name = () => `n${Math.floor(next() * 30)}`;
  const profile = { name: null, email: null, email_verified: false };
  const happenings = {
    seed: () => register({ username: name() }).catch(() => {}),
    named: async () => register({ username: name(), subject: await numberNearby() }).catch(() => {}),
    website: async () =>
      keepPerson(database, { source: 'website', subject: await numberNearby(), username: name(), ...profile }),
    provider: () => keepPerson(database, { source: 'provider:acme', subject: null, username: name(), ...profile }),
    import: async () => importPeople({ subject: await numberNearby(), username: name() }),
    swap: async () => {
      const [one, other] = (await subjectsOf()).filter(({ sub, user_id }) => sub !== String(user_id)).slice(-2);
      if (one && other)
        await importPeople(
          { subject: one.sub, username: other.username },
          { subject: other.sub, username: one.username },
        );
    },
    delete: async () => {
      const gone = pick(
        (await subjectsOf())
          .filter(({ username }) => username !== 'root')
          .concat({ sub: '', user_id: 0, username: '' }),
      );
      const trace = { request_id: 'test', address: null };
      await deleteUser(database, { ...trace, user_id: gone.user_id, password_hash: null });
      deleted.add(gone.user_id);
    },
    sweep: () => database.query('delete from users where deleted_at is not null'),
  };
  const deleted = new Set<number>();
  for (let at = 0; at < 150; at += 1) {
    const before = await subjectsOf();
    const kind = pick(Object.keys(happenings) as (keyof typeof happenings)[]);
    await happenings[kind]();
    const after = await subjectsOf();
    const known = new Map(after.map(({ sub, user_id }) => [sub, user_id]));
    assert.equal(known.size, after.length, kind);
    for (const { sub, user_id } of before) if (!deleted.has(user_id)) assert.equal(known.get(sub), user_id, kind);
  }
  assert.ok(deleted.size > 5);
});
