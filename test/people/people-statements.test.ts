import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPerson } from '../../src/identity/people.sql.ts';
import { cheapHash, startLatchkey } from '../support/latchkey.ts';

const { database } = await startLatchkey();

const register = async (user: Record<string, unknown>): Promise<number> => {
  const parameters = Object.keys(user).map((name, index) => `${name} => $${index + 1}`);
  const { rows } = await database.query(
    `select register_user(${parameters.join(', ')}) as user_id`,
    Object.values(user),
  );
  return rows[0].user_id;
};

const person = async (user_id: number) => {
  const { rows } = await database.query(
    `select coalesce(subject, user_id::text) as sub, source, username, name, email, email_verified, is_admin,
       coalesce(password_hash, password_bcrypt) as hash
     from users where user_id = $1`,
    [user_id],
  );
  return rows[0];
};

const fold = async (name: string): Promise<string> =>
  (await database.query('select folded_name($1) as name', [name])).rows[0].name;

test('the fold is NFKC and lower case for every letter of Latin, Greek, Cyrillic and Armenian, trimmed', async () => {
  const letters = Array.from({ length: 0x2000 }, (_, index) => index)
    .filter((code) => code > 32 && code !== 0x7f && (code < 0x590 || code >= 0x1e00))
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => /^\P{C}$/u.test(letter) && !/\s/.test(letter));
  const { rows } = await database.query('select letter, folded_name(letter) as folded from unnest($1::text[]) letter', [
    letters,
  ]);
  assert.equal(rows.length, letters.length);
  assert.ok(rows.length > 1500);
  const lower = (text: string) =>
    [...text.normalize('NFKC')].map((one) => ([...one.toLowerCase()].length === 1 ? one.toLowerCase() : one)).join('');
  for (const { letter, folded } of rows) {
    const expected = lower(letter).trim().replaceAll('ς', 'σ').normalize('NFKC');
    assert.equal(folded, expected, `U+${letter.codePointAt(0).toString(16)}`);
  }
  assert.equal(await fold(' \tALICE\n'), 'alice');
});

test('spellings that fold together are one name, and those that look alike are not', async () => {
  const spellings = ['ALICE', ' alice ', '\uff41lice', 'aLiCe'];
  for (const spelling of spellings) assert.equal(await fold(spelling), 'alice', spelling);
  assert.equal(await fold('\u212aate'), await fold('kate'));
  assert.equal(await fold('\u017fam'), await fold('sam'));
  assert.equal(await fold('E\u0301mile'), await fold('\u00e9mile'));
  assert.equal(await fold('ΟΔΥΣΣΕΥΣ'), await fold('οδυσσευς'));
  for (const [one, other] of [
    ['al\u0131ce', 'alice'],
    ['al\u0130ce', 'alice'],
    ['straße', 'strasse'],
    ['аlice', 'alice'],
  ] as const) {
    assert.notEqual(await fold(one), await fold(other), one);
  }
});

test('a name that folds to another one or to a verified address is refused with both values, at registration and later', async () => {
  const ada = await register({ username: 'Ada', email: 'ada@lovelace.example', password: cheapHash });
  await assert.rejects(
    register({ username: 'ADA', password: cheapHash }),
    /the user 'ADA' cannot sign in as 'ADA', because that is the name of the user 'Ada'/,
  );
  await assert.rejects(
    register({ username: 'Ada@Lovelace.example', password: cheapHash }),
    /cannot sign in as 'Ada@Lovelace\.example', because that is the address of the user 'Ada'/,
  );
  await assert.rejects(
    register({ username: 'eve', email: 'ADA@LOVELACE.EXAMPLE', password: cheapHash }),
    /the user 'eve' cannot sign in as 'ADA@LOVELACE\.EXAMPLE'/,
  );
  const eve = await register({
    username: 'eve',
    email: 'ada@lovelace.example',
    email_verified: false,
    password: cheapHash,
  });
  await assert.rejects(
    database.query('update users set email_verified = true where user_id = $1', [eve]),
    /is the address of the user 'Ada'/,
  );
  assert.equal(await register({ username: 'Ada', email: 'ada@lovelace.example', password: cheapHash }), ada);
});

test('names that are given up are free, and two people can swap theirs in one statement', async () => {
  const tom = await register({ username: 'tom', email: 'tom@example.com', password: cheapHash });
  const jerry = await register({ username: 'jerry', password: cheapHash });
  await database.query('update users set email = null, email_verified = false where user_id = $1', [tom]);
  await register({ username: 'spike', email: 'tom@example.com', password: cheapHash });
  await database.query(
    `update users set username = case username when 'tom' then 'jerry2' else 'tom' end where user_id in ($1, $2)`,
    [tom, jerry],
  );
  const { rows } = await database.query('select name, user_id from sign_in_names where user_id in ($1, $2)', [
    tom,
    jerry,
  ]);
  assert.deepEqual(
    new Map(rows.map(({ name, user_id }) => [name, user_id])),
    new Map([
      ['jerry2', tom],
      ['tom', jerry],
    ]),
  );
});

test('of twenty simultaneous registrations of one name in twenty spellings, one succeeds', async () => {
  const names = Array.from({ length: 20 }, (_, index) => {
    const letters = [...'concurrent'];
    return letters.map((letter, place) => ((index >> (place % 5)) & 1 ? letter.toUpperCase() : letter)).join('');
  });
  const made = await Promise.allSettled(names.map((username) => register({ username, password: cheapHash })));
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a subject is what the operator states, is unique, finds the account again and never changes', async () => {
  const user_id = await register({ subject: '8f1c', username: 'moved', password_hash: cheapHash });
  assert.equal((await person(user_id)).sub, '8f1c');
  assert.equal(await register({ subject: '8f1c', username: 'renamed' }), user_id);
  const { username, hash } = await person(user_id);
  assert.deepEqual([username, hash], ['renamed', cheapHash], 'a password that is not stated stays');
  await assert.rejects(
    register({ subject: 'other', username: 'renamed' }),
    /is the name of a user with another subject/,
  );
  for (const subject of ['', 'x'.repeat(256), 'a\nb']) {
    await assert.rejects(register({ subject, username: 'odd' }), /subject is empty, longer than 255 characters/);
  }
  for (const subject of ['__proto__', 'x'.repeat(255), ' 7', '007', '8F1C']) {
    await register({ subject, username: `of ${subject.slice(0, 20)}` });
  }
});

test('a number that an operator gave to somebody is no number of a later person, and the other way round', async () => {
  const first = await register({ username: 'numbered' });
  await assert.rejects(
    register({ subject: String(first), username: 'impostor' }),
    new RegExp(`subject '${first}' is the number of the user 'numbered', and the username is 'impostor'`),
  );
  assert.equal(await register({ subject: String(first), username: 'Numbered' }), first, 'the same person');
  const next = String(first + 2);
  const early = await register({ subject: next, username: 'early' });
  assert.equal(early, first + 1);
  const late = await register({ username: 'late' });
  assert.equal(late, first + 2);
  assert.match((await person(late)).sub, /^[\da-f-]{36}$/);
});

test('the subject of a deleted person is free, and opens nothing of theirs', async () => {
  const old = await register({ subject: 'again', username: 'again', password_hash: cheapHash });
  await database.query(
    `update users set deleted_at = now(), disabled_at = now(), username = null, subject = null, password_bcrypt = null,
       registered_password_bcrypt = null, password_hash = null where user_id = $1`,
    [old],
  );
  assert.notEqual(await register({ subject: 'again', username: 'again' }), old);
});

test('the number of a deleted person is refused as a subject with a sentence', async () => {
  const old = await register({ username: 'short-lived' });
  await database.query(
    `update users set deleted_at = now(), disabled_at = now(), username = null, source = 'website' where user_id = $1`,
    [old],
  );
  await assert.rejects(
    register({ subject: String(old), username: 'newcomer' }),
    new RegExp(`subject '${old}' is the number of a person who was deleted`),
  );
  await register({ username: 'newcomer' });
});

const elsewhere = (changes: Partial<Parameters<typeof keepPerson>[1]> = {}) =>
  keepPerson(database, {
    source: 'website',
    subject: 'w-1',
    username: 'wendy',
    name: 'Wendy',
    email: 'wendy@example.com',
    email_verified: true,
    ...changes,
  });

test('a person from elsewhere is made once, and updated by the same source', async () => {
  const made = await elsewhere();
  assert.deepEqual([made.outcome, made.is_new], ['kept', true]);
  const again = await elsewhere({ name: 'Wendy D.', username: 'wendy-d' });
  assert.deepEqual([again.user_id, again.is_new], [made.user_id, false]);
  const { hash, is_admin, ...kept } = await person(Number(made.user_id));
  assert.deepEqual([hash, is_admin], [null, false]);
  assert.deepEqual(kept, {
    sub: 'w-1',
    source: 'website',
    username: 'wendy-d',
    name: 'Wendy D.',
    email: 'wendy@example.com',
    email_verified: true,
  });
});

test('a source never opens or changes an account of another one, not even of the number of a person', async () => {
  const local = await register({ username: 'local', name: 'Local', is_admin: true, password: cheapHash });
  const before = await person(local);
  assert.equal((await elsewhere({ subject: String(local), username: 'taken over' })).outcome, 'of_another_source');
  assert.equal((await elsewhere({ source: 'view', subject: 'w-1' })).outcome, 'of_another_source');
  assert.deepEqual(await person(local), before);
  await assert.rejects(
    register({ subject: 'w-1', username: 'wendy-d' }),
    /belongs to an account of the source 'website'/,
  );
  await assert.rejects(register({ username: 'wendy-d' }), /belongs to an account of the source 'website'/);
  await database.query(`select move_account('w-1', 'view')`);
  assert.equal((await elsewhere()).outcome, 'of_another_source');
  assert.equal((await elsewhere({ source: 'view' })).outcome, 'kept');
  await assert.rejects(database.query(`select move_account('nobody', 'view')`), /no account with the subject 'nobody'/);
  for (const source of ['elsewhere', 'provider:', '', null]) {
    await assert.rejects(database.query(`select move_account('w-1', $1)`, [source]), /is none of here, website, view/);
  }
});

test('a disabled person stays out, whatever the source says', async () => {
  const { user_id } = await elsewhere({ subject: 'w-disabled', username: 'gone', email: null });
  await database.query('update users set disabled_at = now() where user_id = $1', [user_id]);
  assert.equal((await elsewhere({ subject: 'w-disabled', username: 'gone', email: null })).outcome, 'disabled');
});

test('a username that is taken gets a suffix, and an address that somebody has proved stays unverified', async () => {
  const bob = await register({ username: 'bob', email: 'bob@example.com', password: cheapHash });
  const { user_id } = await elsewhere({ subject: 'w-bob', username: 'BOB', email: 'Bob@example.com' });
  const { username, email, email_verified } = await person(Number(user_id));
  assert.match(username, /^BOB-[\da-f]{4}$/);
  assert.deepEqual([email, email_verified], ['Bob@example.com', false]);
  assert.deepEqual((await person(bob)).email, 'bob@example.com');
  await elsewhere({ subject: 'w-bob', username: 'bob', email: 'bob@example.com' });
  assert.equal((await person(Number(user_id))).username, username);
});

test('twenty first sign-ins of one person at once make one account', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => elsewhere({ subject: 'w-many', username: 'many', email: 'many@example.com' })),
  );
  assert.equal(new Set(answers.map(({ user_id }) => user_id)).size, 1);
  assert.equal(answers.filter(({ is_new }) => is_new).length, 1);
});

test('twenty people from elsewhere with one username at once get twenty accounts', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      elsewhere({ subject: `w-crowd-${index}`, username: 'crowd', email: null, email_verified: false }),
    ),
  );
  assert.equal(new Set(answers.map(({ user_id }) => user_id)).size, 20);
});

test('two people who claim each other’s names at once wait for each other, and then both have an account', async () => {
  await database.query(`create function take_a_while() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.1); return new; end $$`);
  await database.query(
    `create trigger slow after insert on sign_in_names for each row execute function take_a_while()`,
  );
  const [one, other] = ['one@cross.example', 'other@cross.example'];
  const answers = await Promise.all([
    elsewhere({ subject: 'w-cross-1', username: one, email: other }),
    elsewhere({ subject: 'w-cross-2', username: other, email: one }),
  ]);
  await database.query('drop trigger slow on sign_in_names');
  assert.deepEqual(
    answers.map(({ outcome }) => outcome),
    ['kept', 'kept'],
  );
  const { rows } = await database.query(
    `select name, count(distinct user_id)::integer as people from sign_in_names where name in ($1, $2) group by name`,
    [one, other],
  );
  assert.deepEqual(new Set(rows.map(({ people }) => people)), new Set([1]));
});

test('a username that only an account of before folded names has is taken for people from elsewhere', async () => {
  const first = await register({ username: 'Twin', password: cheapHash });
  await database.query('alter table users disable trigger sign_in_names_of_new_users');
  await register({ username: 'TWIN', password: cheapHash });
  await database.query('alter table users enable trigger sign_in_names_of_new_users');
  await database.query(`update users set username = 'no-twin' where user_id = $1`, [first]);
  const { user_id } = await elsewhere({ subject: 'w-twin', username: 'TWIN', email: null, email_verified: false });
  assert.match((await person(Number(user_id))).username, /^TWIN-[0-9a-f]{4}$/);
});

test('a registration that takes the rights from the only administrator is refused, also beside another one', async () => {
  await database.query('update users set is_admin = false');
  const [chief, deputy] = [
    await register({ username: 'chief', is_admin: true }),
    await register({ username: 'deputy' }),
  ];
  const demote = (username: string) => register({ username, is_admin: false });
  await assert.rejects(demote('chief'), /'chief' is the last administrator: make somebody else one first/);
  assert.equal((await person(chief)).is_admin, true);
  await register({ username: 'chief' });
  await register({ username: 'deputy', is_admin: true });
  // both at once: the second waits for the first
  const outcomes = await Promise.allSettled([demote('chief'), demote('deputy')]);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  const left = await Promise.all([chief, deputy].map(async (id) => (await person(id)).is_admin));
  assert.deepEqual(left.sort(), [false, true]);
  await database.query(`update users set disabled_at = now() where is_admin`);
  await database.query(`update users set is_admin = true where username = 'chief'`);
  assert.equal(await demote('deputy'), deputy, 'an administrator who is disabled is none that counts');
});
