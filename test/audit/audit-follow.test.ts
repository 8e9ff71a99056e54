// ci: follows in real time
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { createDatabase } from '../support/database.ts';

const url = await createDatabase();
const database = openDatabase({ connectionString: url }, 4);
after(() => database.end());

const insert = (first: number, last: number) =>
  database.query(
    `insert into audit_events (event, request_id) select 'signed_out', n from generate_series($1::integer, $2::integer) n`,
    [first, last],
  );

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** A command that follows, and what it has printed: the numbers of the requests. */
function follow(...options: string[]) {
  let printed = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      printed += chunk;
      done();
    },
  });
  const streams = {
    stdin: Readable.from([]),
    stdout,
    stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
  };
  const process = Object.assign(new EventEmitter(), { env: { DATABASE_URL: url }, ...streams });
  const ended = runCommandLine(['audit', '--follow', '--json', ...options], process);
  const shown = () =>
    printed
      .split('\n')
      .filter(Boolean)
      .map((line) => Number(JSON.parse(line).request_id));
  return {
    shown,
    async waitFor(events: number) {
      for (let time = 0; time < 300 && shown().length < events; time += 1) await pause(100);
    },
    async stop() {
      process.emit('SIGINT');
      await ended;
    },
  };
}

test('whoever follows the trail sees each event once, whatever happens at one moment, and when a transaction commits late', async () => {
  await insert(1, 300);
  const [all, few] = [follow(), follow('--limit', '7', '--event', 'signed_out')];
  try {
    await Promise.all([all.waitFor(50), few.waitFor(7)]);
    assert.deepEqual([all.shown().length, few.shown().length], [50, 7], 'the latest ones');
    const [before, fewBefore] = [all.shown(), few.shown()];
    const late = await database.connect();
    await late.query('begin');
    await late.query("insert into audit_events (event, request_id) values ('signed_out', '9999')");
    const began = performance.now();

    await insert(301, 500);
    await Promise.all([all.waitFor(250), few.waitFor(207)]);
    await insert(501, 5500);
    await Promise.all([all.waitFor(5250), few.waitFor(5207)]);
    // longer than each look goes back
    await pause(12_000 - (performance.now() - began));
    await late.query('commit');
    late.release();
    await Promise.all([all.waitFor(5251), few.waitFor(5208)]);
    await pause(2500);
    for (const [shown, latest] of [
      [all.shown(), before],
      [few.shown(), fewBefore],
    ] as const) {
      const news = [...numbers(301, 5500), 9999];
      assert.deepEqual(
        shown.slice(latest.length).toSorted((one, other) => one - other),
        news,
      );
    }
  } finally {
    await Promise.all([all.stop(), few.stop()]);
  }
});
