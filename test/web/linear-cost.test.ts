// ci: every place of every address with texts of up to 16 KB
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { repeated, units } from '../fuzz/hostile.ts';
import { send } from '../fuzz/invariants.ts';
import { type Place, placesOf } from '../fuzz/places.ts';
import { routesOf } from '../fuzz/routes.ts';
import { findSeeds, prepareDatabase } from '../fuzz/seeds.ts';
import { startLatchkey } from '../support/latchkey.ts';

const { origin, database, deps, logged } = await startLatchkey({
  DEMO: 'true',
  REGISTRATION: 'open',
  REGISTRATION_ENDPOINT: 'open',
  CLIENT_ID_DOCUMENTS: 'on',
  TRUST_PROXY: '127.0.0.1',
  CLIENT_CERT_HEADER: 'client-cert',
});
await prepareDatabase(database);
const only = process.env['LINEAR_ONLY'] ?? '';
const routes = routesOf(createApp(deps)).filter(({ path }) => path.includes(only));
/** Of the hostile texts in each place: one, another one in the next place; LINEAR_TEXTS sends more, which takes longer. */
const textsPerPlace = Math.min(Number(process.env['LINEAR_TEXTS'] ?? 1), units.length);
/** The texts of the next place begin with this one. */
let next = 0;

/** Bytes: what Node accepts in the head of a request, and half of it, which is less than some limits. */
const sizes = [15_000, 7500];
/** Milliseconds that a long text may cost, and how often as much as half of it. */
const [negligible, mostGrowth] = [6, 2.8];

/** Milliseconds of this process for the cheapest of several requests: by its own clock, for this machine does other things, too. */
async function costOf(place: Place, unit: string, size: number, times: number): Promise<number> {
  const request = place.request(repeated(unit, Math.floor((size * unit.length) / Buffer.byteLength(unit))));
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const start = process.cpuUsage();
    await send(origin, request);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** What a long text costs more than a short one. */
async function excessOf(place: Place, unit: string, size: number, times: number): Promise<number> {
  return (await costOf(place, unit, size, times)) - (await costOf(place, unit, 32, times));
}

/** Whether twice the text costs much more than twice as much, however often that is measured. */
async function isMoreThanLinear(place: Place, unit: string, size: number): Promise<boolean> {
  for (const times of [2, 5, 10, 30]) {
    const excess = await excessOf(place, unit, size, times);
    if (excess < negligible || excess < mostGrowth * (await excessOf(place, unit, size / 2, times))) return false;
  }
  return true;
}

let seeds = await findSeeds(origin, database);
for (const [number, route] of routes.entries()) {
  test(`${route.path}: what a request costs grows no faster than its texts`, async () => {
    // some requests sign out or delete what others need
    if (number % 5 === 0) seeds = await findSeeds(origin, database);
    for (const [index, place] of placesOf(route, seeds).entries()) {
      // the fifth attempt to sign in would be refused for being the fifth
      if (index % 4 === 0) await database.query('delete from attempts');
      for (const [unit, size] of textsOf()) {
        const cost = await costOf(place, unit, size, 1);
        if (cost < negligible) continue;
        const told = `${place.name} with ${size} characters of ${JSON.stringify(unit)}`;
        assert.ok(!(await isMoreThanLinear(place, unit, size)), told);
      }
    }
  });
}

function textsOf(): [unit: string, size: number][] {
  next += 1;
  return Array.from({ length: textsPerPlace }, (_, index) => {
    return [units[(next + index) % units.length] ?? '', sizes[Math.floor((next + index) / units.length) % 2] ?? 0];
  });
}

test('no line of the log is longer than 4 KB, whatever the requests contain', () => {
  assert.ok(logged.length > routes.length);
  assert.ok(Math.max(...logged.map((line) => Buffer.byteLength(line))) <= 4096);
});
