import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { drawChart, ticksOf } from '../../src/admin/charts.ts';
import { createExamination } from '../../src/doctor/doctor.ts';
import { countedSoFar, startCounting } from '../../src/operations/counting.ts';
import { addCounts, type Instance, listCounts } from '../../src/operations/counts.sql.ts';
import { createSweep } from '../../src/operations/sweep.sql.ts';
import type { Database } from '../../src/postgres/database.ts';
import { obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, deps, url } = await startWithPrinter();
await registerPeople(database, ['root']);
await database.query("update users set is_admin = true where username = 'root'");
const address = { connectionString: url };
const root = await signedInBrowser(origin, 'root');
const self: Instance = { host: 'test', pid: 1, version: '1.0.0', started_at: new Date() };

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone()));
}

test('the page says what the doctor finds, which processes serve, which keys sign and what waits', async () => {
  await addCounts(database, new Map(), { ...self, host: 'machine-7' });
  const { text, status } = await root.visit('/admin/health');
  assert.equal(status, 200);
  const [latest] = (await database.query<{ name: string }>('select max(name) as name from migrations')).rows;
  assert.match(latest?.name ?? '', /^\d{3}_/);
  assert.match(
    text,
    /<\/h1>\s*<div class="(problem|notice) verdict (error|warning|well)" id="verdict">/,
    'first of all',
  );
  for (const sentence of [
    'session_secret',
    'machine-7',
    'version 1.0.0',
    (latest?.name ?? '-').replace('.sql', ''),
    'Emails waiting',
    '</code> · up to date',
    '</time>. <a href="/admin/health">Check again</a>',
  ]) {
    assert.ok(text.includes(sentence), sentence);
  }
});

test('that no process reports is a warning that says what to do', async () => {
  await database.query('delete from instances');
  const { text } = await root.visit('/admin/health');
  assert.match(
    text,
    /dot warning">Warning<\/span><\/p>\s*<p[^>]*><strong>[^<]*<\/strong> <code[^>]*>no_process_reports<\/code><\/p>\s*<p[^>]*>The list of processes and the charts are incomplete; signing in does not depend on them\. This page was answered[^`]*<code>instances<\/code> has no recent row for it\.<\/p>/,
  );
  assert.match(
    text,
    /<li><p[^>]*>open <code>\/readyz<\/code> at each server process: if the status is 503, check [^<`]*\.<\/p>/,
    'a whole sentence',
  );
  assert.match(text, /<code>what was counted could not be added<\/code>: the warning says why/);
  assert.doesNotMatch(text, /found no problems/);
  assert.match(
    text,
    /id="no_process_reports"[\s\S]*Running processes<\/h2>\s*<p[^>]*>Unknown\. See <a href="#no_process_reports">the warning above<\/a>\.<\/p>\s*<\/section>/,
  );
});

test('to open it changes nothing, and asks the doctor once for all who ask at that time', async () => {
  const asked: string[] = [];
  const { query } = database;
  const counted = (statement: { name?: string; text?: string } | string, ...rest: unknown[]) => {
    asked.push(typeof statement === 'string' ? statement : (statement.text ?? ''));
    return Reflect.apply(query, database, [statement, ...rest]);
  };
  database.query = counted as typeof query;
  const examine = createExamination({}, { ...deps, address });
  try {
    const [first, second] = await Promise.all([examine(), examine()]);
    assert.equal(first, second);
    const once = asked.length;
    assert.ok(once > 0);
    await examine();
    assert.equal(asked.length, once);
    for (const statement of asked) assert.doesNotMatch(statement, /^\s*(insert|update|delete|create|drop|alter)/i);
  } finally {
    database.query = query;
  }
});

test('the page warns beside the emails that wait if the oldest is late, and shows what mends it as code', async () => {
  const marked = async () =>
    (await root.visit('/admin/health')).text.match(/Emails waiting<\/dt><dd>[^\n]*tag dot warning/);
  assert.equal(await marked(), null);
  await database.query(
    "insert into mails (kind, sealed, created_at) values ('forgotten', 'x', now() - interval '1 day')",
  );
  await until(async () => (await marked()) !== null);
  assert.match(
    (await root.visit('/admin/health')).text,
    /1 email is waiting, the oldest for 24 hours[\s\S]*then test:<\/p>\s*<div[^>]*><code[^>]*>latchkey doctor --mail ADDRESS<\/code><button/,
  );
  await database.query('delete from mails');
  const { text } = await root.visit('/admin/health');
  assert.match(text, /<code class="value" id="change-0">[^<]+<\/code>/);
  for (const [, change = '', id] of text.matchAll(
    /id="change-\d+">([^<]+)<\/code>(<button[^>]*data-copy="change-\d+")?/g,
  )) {
    assert.ok(id === undefined || !/[…,]/.test(change), `${change} cannot be run as it is`);
  }
  assert.match(
    text,
    /<ol[^>]*>\s*<li>[^<]*<p[^>]*>print the stored secret, OLD:<\/p>\s*<div[^>]*><code[^>]*id="change-(\d+)-1">latchkey keys session-secret<\/code><button[^>]*data-copy="change-\1-1"[\s\S]*<li><p[^>]*>set <code>SESSION_SECRET=NEW,OLD<\/code> for every server process/,
    'steps are a list, each with its command',
  );
  assert.match(text, /id="change-\d+">latchkey user set-password alice<\/code><button[^>]*data-copy="change-/);
});

test('a check that hangs or fails is a finding, and the page does not wait for it', async () => {
  const hanging = {
    query: (statement: { name?: string }, ...rest: unknown[]) => {
      if (statement.name === 'find_mail_queue') return new Promise(() => {});
      if (statement.name === 'find_stored_state') return Promise.reject(new Error('a secret in here'));
      return Reflect.apply(database.query, database, [statement, ...rest]);
    },
  };
  const faulty: Database = Object.assign(Object.create(database), hanging);
  const start = performance.now();
  const found = await createExamination({}, { ...deps, address, database: faulty })();
  assert.ok(performance.now() - start < 10_000);
  const unfinished = found.filter(({ check }) => check === 'check_unfinished').map(({ value }) => value);
  assert.ok(
    unfinished.some((value) => value.startsWith('mail: more than 3 s')),
    String(unfinished),
  );
  assert.ok(
    unfinished.some((value) => value.startsWith('the audit trail:')),
    String(unfinished),
  );
  assert.doesNotMatch(JSON.stringify(found), /a secret in here/);
});

test('a configured file that is gone is a finding, and the page shows all others', async () => {
  const gone = '/nowhere/of-this-machine.pem';
  const config = { ...deps.config, seed_file: gone, tls: { cert: gone, key: gone } };
  const found = await createExamination({ SESSION_SECRET_FILE: gone }, { ...deps, config, address })();
  const values = found.filter(({ check }) => check === 'file_missing').map(({ value }) => value);
  assert.deepEqual(
    values.sort(),
    ['SEED_FILE', 'SESSION_SECRET_FILE', 'TLS_KEY_FILE'].map((name) => `${name} ${gone}`),
  );
  assert.ok(found.some(({ check }) => check === 'certificate_unusable'));
  assert.ok(found.some(({ check }) => check === 'session_secret_missing'));
});

test('what a process counts is added to the minute once, whatever else counts there', async () => {
  await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  await redeem(origin, 'lk_ac_nonsense');
  const total = countedSoFar().get('tokens_issued') ?? 0;
  assert.ok(total > 0);
  const stored = async (name: string) => {
    const { counts } = await listCounts(database, { steps: 60, seconds: 60 });
    return counts.filter((one) => one.name === name).reduce((sum, one) => sum + one.total, 0);
  };
  const counting = startCounting(deps);
  await until(async () => (await stored('tokens_issued')) > 0);
  await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  await counting.stop();
  assert.equal(await stored('tokens_issued'), total + 1, 'what was counted since the last time is not lost');
  assert.ok((await stored('refused: code malformed')) > 0);
  assert.ok((await stored('within: +Inf')) > 0);
  // two instances at the same moment
  const more = new Map([
    ['tokens_issued', 2],
    ['signed_in', 1],
  ]);
  await Promise.all(Array.from({ length: 20 }, (_, pid) => addCounts(database, more, { ...self, pid })));
  assert.equal(await stored('tokens_issued'), total + 41);
});

test('an outage in which nothing can be counted is one warning in the log, and the next outage another', async () => {
  const lines: string[] = [];
  let isAway = true;
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const failing = new Proxy(database, {
    get: (target, name, self) => {
      if (isAway) throw new Error('the disk is full');
      return Reflect.get(target, name, self);
    },
  });
  const counting = startCounting({ database: failing, log });
  // each call adds once more
  const pass = async (away: boolean) => {
    isAway = away;
    await counting.stop();
    return lines.length;
  };
  assert.deepEqual([await pass(true), await pass(true), await pass(false), await pass(true)], [1, 1, 1, 2]);
  assert.match(lines[0] ?? '', /^what was counted could not be added/);
  await pass(false);
});

test('minutes become hours after a day, and hours end after a month, so the number of rows has a bound', async () => {
  await database.query('delete from counts');
  await database.query(
    `insert into counts (seconds, begins_at, name, total)
     select 60, date_trunc('hour', now()) - interval '30 hours' + n * interval '1 minute', 'signed_in', 1 from generate_series(0, 119) n
     union all
     select 60, date_trunc('minute', now()), 'signed_in', 5
     union all
     select 3600, date_trunc('hour', now()) - interval '30 hours', 'signed_in', 100
     union all
     select 3600, date_trunc('hour', now()) - interval '33 days', 'signed_in', 7`,
  );
  await createSweep(database)();
  await createSweep(database)();
  const { rows } = await database.query('select seconds, total from counts order by begins_at');
  assert.deepEqual(rows, [
    { seconds: 3600, total: 160 },
    { seconds: 3600, total: 60 },
    { seconds: 60, total: 5 },
  ]);
  const { counts } = await listCounts(database, { steps: 30, seconds: 86_400 });
  assert.equal(
    counts.reduce((sum, { total }) => sum + total, 0),
    225,
  );
});

test('the charts are drawings with a table beside them, without scripts and styles in the page', async () => {
  const { text: hour } = await root.visit('/admin/charts');
  assert.match(hour, /<polyline class="line line-0" points="0,120 [^"]*600,0"/);
  assert.equal([...hour.matchAll(/<tr><th scope="row">/g)].length, 30);
  assert.doesNotMatch(hour, /style=|<style|onload/);
  for (const [period, step] of [
    ['', '2 minutes'],
    ['hour', '2 minutes'],
    ['day', 'hour'],
    ['week', '6 hours'],
    ['month', 'day'],
  ]) {
    const { status, text } = await root.visit(`/admin/charts?period=${period}`);
    assert.deepEqual([status, /One point every ([^.]+)\./.exec(text)?.[1]], [200, step]);
    assert.match(text, new RegExp(`<p class="unit soft small">per ${step}<`));
    assert.match(text, /<text y="1em">[^<]+<\/text>.*<text y="1em" x="100%">[^<]+<\/text><\/svg>/, 'both ends');
  }
  assert.match((await root.visit('/admin/charts?period=week')).text, /<b>225<\/b> signed in/);
  assert.match((await root.visit('/admin/charts?period=month')).text, /<td>220<\/td>|<td>160<\/td>/);
  await addCounts(database, new Map([['sign-in refused: unknown name', 3]]), self);
  assert.match((await root.visit('/admin/charts')).text, /id="refused_sign_ins"(?:(?!<section)[\s\S])*unknown name/);
});

test('a value with none beside it is drawn as a dot, and a gap is no line', () => {
  const chart = drawChart('latency', [{ name: { plain: 'p50' }, values: [undefined, 1, undefined, 1, 2, undefined] }]);
  assert.deepEqual(chart.lines[0]?.runs, ['120,60 120,60', '360,60 480,0']);
  assert.equal(chart.lines[0]?.figure, 2, 'the latest time');
  assert.deepEqual(
    chart.gaps,
    [
      { x: 0, width: 60 },
      { x: 180, width: 120 },
      { x: 540, width: 60 },
    ],
    'a value between two gaps lies in neither',
  );
  assert.deepEqual(drawChart('tokens', [{ name: 'tokens_issued', values: [1, undefined, 4] }]).gaps, []);
  assert.equal(drawChart('tokens', [{ name: 'tokens_issued', values: [1, undefined, 4] }]).lines[0]?.figure, 5);
  assert.deepEqual(drawChart('latency', [{ name: { plain: 'p50' }, values: [4] }]).lines[0]?.runs, ['0,24 0,24']);
  assert.deepEqual(drawChart('latency', [{ name: { plain: 'p50' }, values: [undefined] }]).lines[0]?.runs, []);
});

test('the time axis has round times of the day, the day at midnight, days for a month, and no label at its edge', async () => {
  const steps = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 20, 18 + hour)));
  assert.deepEqual(
    ticksOf(steps, 'day').map(({ at, x }) => [at.toISOString(), x]),
    [
      ['2026-11-21T00:00:00.000Z', 156.5],
      ['2026-11-21T06:00:00.000Z', 313],
      ['2026-11-21T12:00:00.000Z', 469.6],
    ],
  );
  for (const [period, label] of [
    ['hour', /^\d\d:(00|15|30|45)$/],
    ['day', /^((06|12|18):00|\d{1,2} [A-Z][a-z]{2,3})$/],
    ['week', /^\d{1,2} [A-Z][a-z]{2,3}$/],
    ['month', /^\d{1,2} [A-Z][a-z]{2,3}$/],
  ] as const) {
    const { text } = await root.visit(`/admin/charts?period=${period}`);
    const labels = [...text.matchAll(/<text x="[\d.]+%" y="1em">([^<]*)</g)].map(([, shown = '']) => shown);
    assert.ok(labels.length >= 3, period);
    for (const shown of labels) assert.match(shown, label);
    if (period !== 'day') continue;
    // the only midnight in 24 hours begins the day on which they end
    const [, today] = / to (\d{1,2} \w+) \d{4}, \d\d:\d\d UTC\./.exec(text) ?? [];
    const axis = labels.slice(0, /<text x[\s\S]*?<\/svg>/.exec(text)?.[0].match(/<text x=/g)?.length);
    const hours = axis.map((shown) => (shown === today ? 0 : Number(/^(\d\d):00$/.exec(shown)?.[1])));
    assert.deepEqual(
      hours.slice(1),
      hours.slice(0, -1).map((hour) => (hour + 6) % 24),
      axis.join(' '),
    );
  }
});

test('a warning looks graver than a note, and one finding is said in the singular', async () => {
  const { text } = await root.visit('/admin/health');
  const tags = [...text.matchAll(/<span class="tag dot( off)?">(Errors?|Warnings?|Notes?)<\/span>/g)];
  assert.ok(tags.length > 0);
  for (const [, off, name] of tags) assert.equal(off !== undefined, name === 'Note', name);
  const said = [...text.matchAll(/<p class="small"><span class="tag dot \w+">(\w+)<\/span>/g)].map(([, name]) => name);
  const counted = ['Error', 'Warning', 'Note'].flatMap((name) => {
    const count = said.filter((one) => one === name).length;
    return count === 0 ? [] : [`${count} ${name.toLowerCase()}${count === 1 ? '' : 's'}`];
  });
  assert.equal(/id="summary">([^<]+)</.exec(text)?.[1], counted.join(' · '));
  const errors = said.filter((one) => one === 'Error').length;
  const warnings = counted.find((one) => one.includes('warning'));
  const [verdict = ''] = /id="verdict"><p>.*?<\/p>/.exec(text) ?? [];
  const need = warnings
    ? `${counted[0]} and ${warnings} need`
    : errors === 1
      ? '1 error needs'
      : `${errors} errors need`;
  if (errors === 0 && warnings) assert.match(verdict, /<a href="#first-warning">\d+ warnings?<\/a> needs? action\./);
  if (errors > 0) assert.ok(verdict.replace(/<\/?a[^>]*>/g, '').endsWith(`<p>${need} action.</p>`), verdict);
  for (const [, id] of verdict.matchAll(/href="#([^"]+)/g)) assert.ok(text.includes(`<li id="${id}">`), id);
});

test('a period that does not exist shows no charts of another one, and says which there are', async () => {
  for (const period of ['year', 'constructor', 'day&period=month', 'x'.repeat(5000)]) {
    const { status, text } = await root.visit(`/admin/charts?period=${period}`);
    assert.equal(status, 400, period.slice(0, 20));
    assert.match(
      text,
      /id="problem"[^>]*><p>There is no such period: choose the last hour, the last 24 hours, the last 7 days or the last 30 days\./,
    );
    for (const name of ['hour', 'day', 'week', 'month'])
      assert.match(text, new RegExp(`href="/admin/charts\\?period=${name}">`));
    assert.doesNotMatch(text, /<svg viewBox="0 0 600|<table>/);
  }
});

test('the chart of refusals has no addresses that do not exist, and the code of what the answer says itself', async () => {
  const before = countedSoFar();
  const grown = (name: string) => (countedSoFar().get(name) ?? 0) - (before.get(name) ?? 0);
  await fetch(`${origin}/nowhere`);
  await fetch(`${origin}/user?access_token=a&access_token=b`);
  assert.deepEqual([grown('refused: in the answer'), grown('refused: not_found')], [0, 0]);
  const names = [...countedSoFar()].filter(
    ([name, total]) => name.startsWith('refused: ') && total > (before.get(name) ?? 0),
  );
  assert.deepEqual(
    names.map(([name]) => name),
    ['refused: invalid_request'],
  );
});

test('a month of counts of many names is read in a bounded time', async () => {
  await database.query(
    `insert into counts (seconds, begins_at, name, total)
     select 60, date_trunc('minute', now()) - n * interval '1 minute', 'refused: reason ' || m, 1
     from generate_series(1, 1400) n, generate_series(1, 20) m`,
  );
  const start = performance.now();
  const { text } = await root.visit('/admin/charts?period=day');
  assert.ok(performance.now() - start < 2000);
  assert.match(text, /all other reasons/);
});
