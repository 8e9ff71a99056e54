import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser, formRequest } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import { password } from '../support/latchkey.ts';
import { seed, startServing, writeFile } from '../support/process.ts';

const seconds = Number(process.env['FAULT_SECONDS'] ?? 30);

interface Attempt {
  status: number;
  ms: number;
}

const percentile = (sorted: number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

test('while one network floods the sign-in, people elsewhere sign in, and the flood waits behind itself', async (t) => {
  const env = { DATABASE_URL: await createDatabase(), SEED_FILE: writeFile('people.sql', seed), TRUST_PROXY: '1' };
  const { origin, kill } = await startServing(env);
  /** From an address that the proxy names; the form was shown before. */
  const opened = async (from: string) => {
    const browser = new Browser(origin);
    const login = await browser.visit('/login');
    return async (username: string, word: string): Promise<Attempt> => {
      const [path, init] = formRequest(login, 'id="login"', { username, password: word });
      const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': from };
      const start = performance.now();
      const { status } = await browser.open(path, { ...init, headers });
      return { status, ms: performance.now() - start };
    };
  };
  let isOver = false;
  const flood: Attempt[] = [];
  // other accounts and addresses each time, so that no limit of attempts stops it
  const attackers = Array.from({ length: 24 }, async (_, index) => {
    const attempt = await opened(`203.0.113.${index}`);
    for (let count = 0; !isOver; count += 1) flood.push(await attempt(`victim-${index}-${count}`, 'a wrong password'));
  });
  const honest: Attempt[] = [];
  const end = performance.now() + seconds * 1000;
  for (let count = 0; performance.now() < end; count += 1) {
    const attempt = await opened(`198.51.${count % 250}.7`);
    honest.push(await attempt('alice', password));
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
  assert.equal(of(honest, 302), honest.length);
  assert.ok(of(flood, 503) > of(flood, 401), 'there were more than could be hashed');
});
