import fc from 'fast-check';
import type { Database } from '../../src/postgres/database.ts';
import { assertInvariants, send } from './invariants.ts';
import { requestTo } from './requests.ts';
import type { Route } from './routes.ts';
import { findSeeds } from './seeds.ts';

const atOnce = 16;
const between = 1000;

/** So many requests to one address, sixteen at a time; throws with the one that breaks an invariant, and the seed. */
export async function fuzz(
  origin: string,
  database: Database,
  route: Route,
  requests: number,
  seed: number,
): Promise<void> {
  for (let done = 0; done < requests; done += between) {
    const seeds = await findSeeds(origin, database);
    const some = fc.array(requestTo(route, seeds), { minLength: atOnce, maxLength: atOnce, size: 'max' });
    const property = fc.asyncProperty(some, async (batch) => {
      await Promise.all(
        batch.map(async (request) => assertInvariants(route.path, request, await send(origin, request))),
      );
    });
    const numRuns = Math.ceil(Math.min(between, requests - done) / atOnce);
    // the message names the request, so there is nothing to shrink
    await fc.assert(property, { numRuns, seed: seed + done, endOnFailure: true, includeErrorInReport: true });
  }
}
