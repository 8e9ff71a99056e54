// ci: thousands of random requests
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { fuzz } from '../fuzz/fuzz.ts';
import { routesOf } from '../fuzz/routes.ts';
import { prepareDatabase } from '../fuzz/seeds.ts';
import { startLatchkey } from '../support/latchkey.ts';

const { origin, database, deps, logged } = await startLatchkey({
  DEMO: 'true',
  REGISTRATION: 'open',
  REGISTRATION_ENDPOINT: 'open',
});
await prepareDatabase(database);
// the same each time, so that it fails for what was changed and not by chance: npm run fuzz tries other ones
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 64);
const routes = routesOf(createApp(deps));

test(`every route of the program is fuzzed, with FUZZ_SEED=${seed}`, () => {
  const paths = routes.map(({ path }) => path);
  for (const path of ['/authorize', '/token', '/user', '/login', '/consent', '/leaked'])
    assert.ok(paths.includes(path));
});

for (const route of routes) {
  test(`${route.methods.join(', ')} ${route.path}: no 5xx, no foreign redirect, the declared content type, the characters of the RFC`, async () => {
    await fuzz(origin, database, route, requests, seed);
  });
}

test('the server survives the fuzzing, of which most was read and some was right', async () => {
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  const answers = logged.flatMap((line) => /"status":(\d)\d\d/.exec(line)?.[1] ?? []);
  assert.ok(answers.length > (routes.length * requests) / 2, `${answers.length} requests`);
  for (const [kind, share] of [
    ['2', 0.02],
    ['3', 0.02],
    ['4', 0.2],
  ] as const) {
    const count = answers.filter((one) => one === kind).length;
    assert.ok(count > share * answers.length, `${count} of ${answers.length} answers with ${kind}xx`);
  }
});
