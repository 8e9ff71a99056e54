import assert from 'node:assert/strict';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { test } from 'node:test';
import bcrypt from 'bcrypt';
import { countAttempt } from '../../src/identity/attempt-limits.sql.ts';
import { findUserCredentials } from '../../src/identity/passwords.sql.ts';
import { signInLimits } from '../../src/identity/sign-in-limits.ts';
import { authorizationQuery } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

// Whether a name has an account is told neither by the bytes of an answer nor by its time. In each round every kind of name is sent once, in
// random order, so that whatever else this machine does falls on all of them. One of the kinds is an unknown name whose answer is held back by
// 5 %: as long as the statistic does not notice that, it has seen too little and goes on.

/** The cost of the hashes, which take a hundred times as long in production: the other steps weigh all the more here. */
const cost = 5;
const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'accounts@id.example' };
const env = { ...mail, TRUST_PROXY: '1', SIGN_UP: 'open', ISSUER: 'http://localhost:0' };
const { origin, database } = await startLatchkey(env, undefined, cost);
await registerPrinter(database);

/** So many of each kind that no limit of a person is reached between two rounds in which all are forgotten. */
const each = 6;
const pad = (index: number) => String(index).padStart(4, '0');
const kinds = ['plain', 'spelt', 'moved', 'coded', 'keyed', 'there', 'ended', 'loose'] as const;
for (const kind of kinds) {
  await registerPeople(
    database,
    Array.from({ length: each }, (_, index) => `${kind}-${pad(index)}`),
  );
}
const hash = await bcrypt.hash(password, cost);
for (const change of [
  `password_bcrypt = '${hash}'`,
  "second_factor_since = now() where username like 'coded-%'",
  `password_bcrypt = null, password_hash = '${hash.replace('$2b', '$2y')}' where username like 'moved-%'`,
  "password_bcrypt = null, source = 'provider:elsewhere' where username like 'there-%'",
  "password_bcrypt = null, passkey_handle = sha256(username::bytea) where username like 'keyed-%'",
  "disabled_at = now() where username like 'ended-%'",
  "email_verified = false where username like 'loose-%'",
]) {
  await database.query(`update users set ${change}`);
}
await database.query(
  `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
   select sha256(username::bytea), user_id, '{}', 0, '{}', true, false, 'localhost', 'Phone' from users where username like 'keyed-%'`,
);

type Kind = (typeof kinds)[number] | 'nobod' | 'later';
function nameOf(kind: Kind, round: number): string {
  const name = `${kind === 'later' ? 'nobod' : kind}-${pad(kind === 'nobod' || kind === 'later' ? round : round % each)}`;
  // found by how it is folded, as an address is
  return kind === 'spelt' ? name.toUpperCase() : name;
}

interface Answer {
  ms: number;
  /** all that a program sees of it, but for what differs each time */
  shape: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const elsewhere = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 250) + 1).join('.')}`;

function send(method: string, path: string, body: string, headers: OutgoingHttpHeaders, late: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const sent = request(origin + path, { method, agent, headers: { ...headers, 'x-forwarded-for': elsewhere() } });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        for (const end = performance.now() + late; performance.now() < end; );
        const ms = performance.now() - start;
        const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split('=')[0]);
        const { length } = Buffer.concat(chunks);
        const names = Object.keys(response.headers).sort();
        resolve({ ms, shape: [response.statusCode, length, ...names, ...cookies].join(' ') });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A form as a browser has it on the screen: its cookie and its key. */
async function formAt(path: string) {
  const response = await fetch(origin + path);
  const [cookie = ''] = (response.headers.getSetCookie()[0] ?? '').split(';');
  const csrf = /name="csrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? '';
  const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
  return (fields: Record<string, string>, late: number) =>
    send('POST', path, new URLSearchParams({ csrf, ...fields }).toString(), headers, late);
}

/** As the last of the wrong passwords that are free does. */
async function block(username: string): Promise<void> {
  const { user_id, password_hash, name } = await findUserCredentials(database, username);
  const person = user_id === null ? `name ${name}` : `user ${user_id} ${password_hash ?? ''}`;
  const attempt = { person, name, user_id, address: '10.0.0.1', knownBrowser: undefined };
  const { ofPerson, ofName } = signInLimits(attempt);
  const ofAccount = [ofPerson[1], ofName[1]].flatMap((limit) => limit ?? []);
  await countAttempt(database, ...ofAccount.map((limit) => ({ ...limit, free: 1, pause: 400, longest: 400 })));
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/**
 * Compares paired measurements by the signed ranks of their differences (Wilcoxon): how surely they differ, in standard deviations.
 */
function certainty(differences: number[]): number {
  const ranked = differences.filter((one) => one !== 0).sort((one, other) => Math.abs(one) - Math.abs(other));
  const n = ranked.length;
  const sum = ranked.reduce((total, one, index) => total + Math.sign(one) * (index + 1), 0);
  return sum / Math.sqrt((n * (n + 1) * (2 * n + 1)) / 6);
}

/** One in two thousand; and a difference of less than 3 % is none, however sure it is. */
const surely = 3.5;
const least = 0.03;

interface Comparison {
  z: number;
  share: number;
}

function compare(times: Map<Kind, number[]>, kind: Kind): Comparison {
  const [these, unknown] = [times.get(kind) ?? [], times.get('nobod') ?? []];
  const differences = these.map((ms, index) => ms - (unknown[index] ?? 0));
  return { z: certainty(differences), share: median(differences) / median(unknown) };
}

const isNoticed = ({ z, share }: Comparison) => Math.abs(z) > surely && Math.abs(share) > least;

type Ask = (name: string, late: number) => Promise<Answer>;

/** Times of so many rounds. */
async function measure(ask: Ask, all: readonly Kind[], rounds: number): Promise<Map<Kind, number[]>> {
  const times = new Map<Kind, number[]>(all.map((kind) => [kind, []]));
  const shapes = new Map<string, Kind>();
  for (let round = 0; round < rounds; round += 1) {
    if (round % each === 0) for (const table of ['attempts', 'mails']) await database.query(`delete from ${table}`);
    const late = 0.05 * median(times.get('nobod')?.slice(-50) ?? []);
    for (const kind of all.toSorted(() => Math.random() - 0.5)) {
      const answers: Answer[] = [];
      // the fastest of three, since others use this machine, too
      for (let at = 0; at < 3; at += 1) answers.push(await ask(nameOf(kind, round), kind === 'later' ? late : 0));
      for (const { shape } of answers) shapes.set(shape, kind);
      const ms = Math.min(...answers.map((answer) => answer.ms));
      // the first ones teach how long an answer takes
      if (round >= each || kind === 'nobod') times.get(kind)?.push(ms);
    }
    if (round === each - 1) times.set('nobod', []);
  }
  assert.equal(shapes.size, 1, [...shapes].join('\n'));
  return times;
}

const doors: [string, readonly Kind[], () => Promise<Ask>][] = [
  [
    'sign-in with a password',
    ['plain', 'spelt', 'moved', 'coded', 'keyed', 'there', 'ended'],
    async () => {
      const form = await formAt('/login');
      return (username, late) => form({ username, password: 'a wrong password' }, late);
    },
  ],
  [
    'sign-in after too many wrong passwords',
    ['plain', 'spelt', 'keyed', 'ended'],
    async () => {
      const form = await formAt('/login');
      return async (username, late) => {
        await block(username);
        return form({ username, password: 'a wrong password' }, late);
      };
    },
  ],
  [
    'forgotten password',
    ['plain', 'keyed', 'ended', 'loose'],
    async () => {
      const form = await formAt('/forgot-password');
      return (address, late) => form({ address }, late);
    },
  ],
  [
    'sign-up',
    ['plain', 'ended', 'loose'],
    async () => {
      const form = await formAt('/sign-up');
      return (name, late) => form({ address: `${name}@example.com` }, late);
    },
  ],
  [
    'challenge for a passkey',
    ['plain', 'keyed', 'ended'],
    async () => (login_hint, late) => send('GET', `/login?${authorizationQuery({ login_hint })}`, '', {}, late),
  ],
];

for (const [door, known, open] of doors) {
  test(`${door}: known and unknown names are told apart neither by bytes nor by time, though 5 % would be`, async (t) => {
    const ask = await open();
    let suspected: readonly Kind[] = known;
    const end = performance.now() + 90_000;
    for (let rounds = 120; suspected.length > 0; rounds *= 2) {
      // what has seen too little says nothing, for or against
      if (rounds > 960 || performance.now() > end) return t.skip('this machine is too busy to tell');
      const times = await measure(ask, [...suspected, 'nobod', 'later'], rounds + each);
      const planted = compare(times, 'later');
      const found = suspected.map((kind) => ({ kind, ...compare(times, kind) }));
      const shown = [{ kind: '5 % later', ...planted }, ...found].map(
        ({ kind, z, share }) => `${kind} ${(100 * share).toFixed(1)} % (z ${z.toFixed(1)})`,
      );
      t.diagnostic(`${rounds} rounds, ${median(times.get('nobod') ?? []).toFixed(2)} ms: ${shown.join(', ')}`);
      const noticed = found.filter(isNoticed).map(({ kind }) => kind);
      assert.ok(noticed.length === 0 || rounds < 480, `the times of ${noticed.join()} differ`);
      if (noticed.length > 0) suspected = noticed;
      else if (isNoticed(planted)) suspected = [];
    }
  });
}
