import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { digestsOf } from '../../src/identity/second-factor.ts';
import { newRecoveryCodes } from '../../src/lib/recovery-codes.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import { password } from '../support/latchkey.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

const seconds = Number(process.env['FAULT_SECONDS'] ?? 30);

interface Attempt {
  status: number;
  ms: number;
}

const percentile = (sorted: number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

/** A second factor by which somebody can sign in very often. */
async function giveCodes(url: string, username: string, codes: readonly string[]): Promise<void> {
  const database = openDatabase({ connectionString: url });
  await database.query(
    `with changed as (update users set second_factor_since = now() where username = $1 returning user_id)
     insert into recovery_codes (user_id, code_sha256) select user_id, unnest($2::bytea[]) from changed`,
    [username, digestsOf(codes)],
  );
  await database.end();
}

const second = 'id="recover"';

for (const hasCodes of [false, true]) {
  const who = hasCodes ? 'people elsewhere with a second factor' : 'people elsewhere';
  test(`while one network floods the sign-in, ${who} sign in, and the flood waits behind itself`, async (t) => {
    const url = await createDatabase();
    const env = { DATABASE_URL: url, SEED_FILE: writeFile('people.sql', seed), TRUST_PROXY: '1' };
    const { origin, kill } = await startServing(env);
    const codes = Array.from({ length: 60 }, newRecoveryCodes).flat();
    if (hasCodes) await giveCodes(url, 'alice', codes);
    /** From an address that the proxy names; the form was shown before. */
    const opened = async (from: string) => {
      const browser = new Browser(origin);
      const login = await browser.visit('/login');
      /** With a code it is right after both steps. */
      return async (username: string, word: string, code?: string): Promise<Attempt> => {
        const [path, init] = formRequest(login, 'id="login"', { username, password: word });
        const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': from };
        const start = performance.now();
        const answer = await browser.open(path, { ...init, headers });
        if (code === undefined || answer.status !== 200)
          return { status: answer.status, ms: performance.now() - start };
        const [to, step] = formRequest(answer, second, { code });
        const { status } = await browser.open(to, { ...step, headers });
        return { status, ms: performance.now() - start };
      };
    };
    let isOver = false;
    const flood: Attempt[] = [];
    // other accounts and addresses each time, so that no limit of attempts stops it
    const attackers = Array.from({ length: 24 }, async (_, index) => {
      const attempt = await opened(`203.0.113.${index}`);
      for (let count = 0; !isOver; count += 1)
        flood.push(await attempt(`victim-${index}-${count}`, 'a wrong password'));
    });
    const honest: Attempt[] = [];
    const end = performance.now() + seconds * 1000;
    for (let count = 0; performance.now() < end; count += 1) {
      const attempt = await opened(`198.51.${count % 250}.7`);
      honest.push(await attempt('alice', password, hasCodes ? codes.pop() : undefined));
      await pause(100);
    }
    isOver = true;
    await Promise.all(attackers);
    await kill();
    const times = honest.map(({ ms }) => ms).sort((one, other) => one - other);
    const of = (attempts: Attempt[], status: number) => attempts.filter((attempt) => attempt.status === status).length;
    t.diagnostic(
      `flood: ${Math.round(flood.length / seconds)} sign-ins a second, of which ${of(flood, 401)} hashed and ${of(flood, 503)} refused; ` +
        `honest: ${of(honest, 302)} of ${honest.length} signed in, p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`,
    );
    assert.equal(of(honest, 302), honest.length, honest.map(({ status }) => status).join());
    assert.ok(of(flood, 503) > of(flood, 401), 'there were more than could be hashed');
  });
}
