import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { startAlone } from './cluster.ts';
import { startTraffic } from './traffic.ts';

/** A file system of its own, that can be filled; undefined where this is not permitted. */
function mountDisk(): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'latchkey-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'latchkey', disk]);
  after(() => {
    if (status === 0) spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return status === 0 ? disk : undefined;
}

function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(2 ** 20));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  }
}

const disk = mountDisk();

test('when the disk of the database is full under traffic, requests get 503, and afterwards everything acknowledged is there', {
  skip: disk === undefined && 'needs the permission to mount a file system',
}, async (t) => {
  const postgres = await startAlone(disk ?? '');
  const latchkey = await startServing({
    DATABASE_URL: `postgres://latchkey@127.0.0.1:${postgres.port}/postgres`,
    SEED_FILE: writeFile('seed.sql', seed),
  });
  const traffic = await startTraffic(latchkey.origin);
  await traffic.flows(20);
  const ballast = join(disk ?? '', 'ballast');
  fill(ballast);
  // the files of the database have room for some more commits
  await traffic.refusals(20);
  assert.equal((await fetch(`${latchkey.origin}/healthz`)).status, 200);
  // the segment of the log that is in use may last for minutes; without room for the next one Postgres ends
  const ended = postgres.ended();
  while (!(await Promise.race([ended.then(() => true), pause(100)])))
    await postgres.query('select pg_switch_wal()').catch(() => {});
  rmSync(ballast);
  await postgres.start();
  t.diagnostic(`changes again after ${Math.round(await traffic.recovered(performance.now()))} ms`);
  await traffic.flows(20);
  await traffic.stop();
  await traffic.ledger.verify(latchkey.origin);
  await latchkey.kill();
});
