import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFlag } from '../../src/lib/flag.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { cheapHash, password, startWithPrinter } from '../support/latchkey.ts';
import { startProvider } from '../support/openid-provider.ts';
import { registerFake, signInAt } from '../support/providers.ts';
import { answerTo, returnWith, sentToWebsite, sharedSecret } from '../support/website.ts';

const env = { SIGN_IN_URL: 'https://www.provider.example/sign-in', SIGN_IN_SECRET: sharedSecret };
const { origin, database, url } = await startWithPrinter(env);
const { latchkey, directory } = commandLineFor(url);
const op = await startProvider();
await registerFake(database, op, { people: 'created' });
await database.query(`
  create table their_people (subject text, username text, email text, email_verified text, name text, password_hash text, disabled text);
  create view latchkey_accounts as select * from their_people`);

const yes = ['true', 'TRUE', 'True', 't', 'T', '1', 'yes', 'Yes', 'y', 'on', ' true '];
const no = ['false', 'False', 'FALSE', 'f', 'F', '0', 'no', 'No', 'N', 'off', ' False'];
const neither = ['', ' ', 'perhaps', 'nein', 'null', '2', '-1', 'truefalse', 'true false', '01', 'constructor'];
/** As members of JSON can be. */
const yesOfJson = [...yes, true, 1];
const noOfJson = [...no, false, 0];
const neitherOfJson = [...neither, 2, 0.5, {}, { true: true }, [], [true], ['true']];

const words = { yes, no, neither };
const values = { yes: yesOfJson, no: noOfJson, neither: neitherOfJson };

let people = 0;
const somebody = () => {
  people += 1;
  return { sub: `sub-${people}`, username: `person-${people}`, email: `person-${people}@example.com` };
};

/** Whether the account is there, can be used, and its address counts as verified. */
async function stored(email: string): Promise<State> {
  const { rows } = await database.query('select email_verified, disabled_at from users where email = $1', [email]);
  return { isIn: rows[0] !== undefined && rows[0].disabled_at === null, isVerified: rows[0]?.email_verified === true };
}

async function importPeople(name: string, content: string): Promise<void> {
  const path = join(directory, name);
  writeFileSync(path, content);
  await latchkey(['user', 'import', path]);
}

type Flag = 'email_verified' | 'disabled';
interface State {
  isIn: boolean;
  isVerified: boolean;
}
/** The states of people who come with these values, in their order. */
type Door = (flag: Flag, values: readonly unknown[]) => Promise<State[]>;

/** A door through which they come one after the other. */
const eachThrough =
  (enter: (flag: Flag, value: unknown) => Promise<State>): Door =>
  async (flag, values) => {
    const states: State[] = [];
    for (const value of values) states.push(await enter(flag, value));
    return states;
  };

const csv: Door = async (flag, values) => {
  const people = values.map((value) => ({ ...somebody(), value }));
  const lines = people.map(({ sub, username, email, value }) => `${sub},${username},${email},"${value}"`);
  await importPeople('people.csv', `${[`subject,username,email,${flag}`, ...lines].join('\n')}\n`);
  return Promise.all(people.map(({ email }) => stored(email)));
};

const jsonLines: Door = async (flag, values) => {
  const people = values.map((value) => ({ ...somebody(), value }));
  const lines = people.map(
    ({ sub, value, ...more }) => `${JSON.stringify({ subject: sub, ...more, [flag]: value })}\n`,
  );
  await importPeople('people.jsonl', lines.join(''));
  return Promise.all(people.map(({ email }) => stored(email)));
};

const view: Door = eachThrough(async (flag, value) => {
  const { sub, username, email } = somebody();
  const row = { subject: sub, username, email, email_verified: 'true', disabled: 'false', password_hash: cheapHash };
  const columns = Object.entries({ ...row, [flag]: value });
  await database.query(
    `insert into their_people (${columns.map(([column]) => column)}) values (${columns.map((_, at) => `$${at + 1}`)})`,
    columns.map(([, one]) => one),
  );
  await database.query('truncate attempts');
  const browser = new Browser(origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  return stored(email);
});

const idToken: Door = eachThrough(async (flag, value) => {
  const { sub, email } = somebody();
  op.claims = { sub, email, [flag]: value };
  await signInAt(new Browser(origin));
  return stored(email);
});

async function signInWithUserinfo(claims: object, more: Record<'sub' | 'email', string>) {
  Object.assign(op, { claims, userinfo: more });
  // its metadata names the endpoint only now
  await database.query('delete from provider_documents');
  await signInAt(new Browser(origin));
  Object.assign(op, { userinfo: undefined });
  return stored(more.email);
}

const userinfo: Door = eachThrough(async (flag, value) => {
  const { sub, email } = somebody();
  return signInWithUserinfo({ sub }, { sub, email, [flag]: value });
});

const website: Door = eachThrough(async (flag, value) => {
  const { sub, username, email } = somebody();
  const { browser, asked } = await sentToWebsite(origin);
  await returnWith(browser, answerTo(asked, { sub, username, email, [flag]: value }));
  return stored(email);
});

const doors = {
  email_verified: [
    ...([
      [csv, words],
      [view, words],
    ] as const),
    ...([
      [jsonLines, values],
      [idToken, values],
      [userinfo, values],
      [website, values],
    ] as const),
  ],
  disabled: [
    [csv, words],
    [view, words],
    [jsonLines, values],
  ] as const,
};
/** A file with a line that is refused imports nobody, so each of those lines has a file of its own. */
const inFiles = ({ yes, no, neither }: Record<'yes' | 'no' | 'neither', unknown[]>): unknown[][] => [
  [...yes, ...no],
  ...neither.map((value) => [value]),
];
const nameOf = (door: Door) =>
  Object.entries({ csv, view, jsonLines, idToken, userinfo, website }).find(([, one]) => one === door)?.[0];

for (const [door, { yes, no, neither }] of doors.email_verified) {
  test(`an address counts as verified for the same words at every door, and a word that is no flag vouches for nothing: ${nameOf(door)}`, async () => {
    for (const given of inFiles({ yes, no, neither })) {
      for (const [index, { isVerified }] of (await door('email_verified', given)).entries()) {
        assert.equal(isVerified, yes.includes(given[index] as never), JSON.stringify(given[index]));
      }
    }
  });
}

for (const [door, { yes, no, neither }] of doors.disabled) {
  test(`nobody is let in by a word that is no flag, nor by one that says disabled: ${nameOf(door)}`, async () => {
    for (const given of inFiles({ yes, no, neither })) {
      for (const [index, { isIn }] of (await door('disabled', given)).entries()) {
        const value = given[index];
        // an empty cell of a CSV file says nothing
        const isSaid = !(door === csv && value === '');
        assert.equal(isIn, !isSaid || no.includes(value as never), JSON.stringify(value));
      }
    }
  });
}

test('SQL reads each word as TypeScript does', async () => {
  for (const word of [...yes, ...no, ...neither]) {
    const { rows } = await database.query('select read_flag($1) as flag', [word]);
    assert.equal(rows[0].flag, readFlag(word) ?? null, JSON.stringify(word));
  }
});

test('the flag about an address comes from the answer that has the address', async () => {
  for (const [claims, more, expected] of [
    [{ email_verified: true }, { email_verified: false }, false],
    [{ email_verified: true }, {}, false],
    [{ email_verified: false }, { email_verified: true }, true],
    [{}, { email_verified: true }, true],
  ] as const) {
    const { sub, email } = somebody();
    assert.deepEqual(
      await signInWithUserinfo({ sub, ...claims }, { sub, email, ...more }),
      { isIn: true, isVerified: expected },
      JSON.stringify([claims, more]),
    );
  }
});

test('no other place of the source lists words of a flag, or looks itself whether an address counts as verified', () => {
  const readers = ['src/lib/flag.ts', 'migrations/functions/read_flag.sql'];
  const own = /'(?:false|no|off|true|yes)''?, ''?(?:f|0|no|off|t|1|y|yes)'|(?:verified|edov)'?\]? === true/;
  const texts = ['src', 'migrations/functions'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => /\.(ts|sql)$/.test(path)),
  );
  assert.ok(readers.every((path) => texts.includes(path)));
  const others = texts.filter((path) => !readers.includes(path) && own.test(readFileSync(path, 'utf8')));
  assert.deepEqual(others, []);
});
