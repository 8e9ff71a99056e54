import type { Deps } from '../../deps.ts';
import { profileScopes } from '../../lib/profile.ts';
import { counter } from '../../telemetry/metric.ts';
import { type Claim, findClaims, findClaimValue, findLatestClaims } from './claims.sql.ts';

/** Bytes of a value as JSON; a longer one is left out, never cut. */
const longestValue = 4096;

const reads = counter('latchkey_claims_total', 'Claims of the operator that were read for an answer.', {
  outcome: ['found', 'none', 'too_large', 'failed'],
});

/**
 * The claims that the scopes of a token reveal about its person. One that cannot be read, or is too large, is left out and logged:
 * an answer does not fail because of it.
 */
export async function claimsOf(
  { database, log }: Pick<Deps, 'database' | 'log'>,
  sub: string,
  scopes: readonly string[],
  known?: readonly Claim[],
): Promise<Record<string, unknown>> {
  const revealed = (known ?? (await findClaims(database))).filter(({ scope }) => scopes.includes(scope));
  const read = async (claim: Claim): Promise<[string, unknown][]> => {
    const { name } = claim;
    try {
      const value = await findClaimValue(database, claim, sub);
      const size = Buffer.byteLength(JSON.stringify(value ?? null, refuseInexact));
      reads.add(value === null ? 'none' : size > longestValue ? 'too_large' : 'found');
      if (size > longestValue) log.warn({ claim: name, size }, 'a claim is too large and was left out');
      return value === null || size > longestValue ? [] : [[name, value]];
    } catch (err) {
      reads.add('failed');
      log.warn(
        { claim: name, reason: err instanceof Error ? err.message : String(err) },
        'a claim could not be read and was left out',
      );
      return [];
    }
  };
  return Object.fromEntries((await Promise.all(revealed.map(read))).flat());
}

/** Beyond 2^53 several numbers are one, and beyond 1e308 all are null: somebody would get the groups of another number. */
function refuseInexact(_: string, part: unknown): unknown {
  if (typeof part === 'number' && !(Math.abs(part) <= Number.MAX_SAFE_INTEGER)) {
    throw new Error('it has a number that JSON does not carry exactly: give it as a text');
  }
  return part;
}

/** The scopes that reveal a claim. */
export async function claimScopes({ database }: Pick<Deps, 'database'>): Promise<string[]> {
  return (await findClaims(database)).map(({ scope }) => scope);
}

/** Scopes that reveal something about the person. Where a token has none of the known ones, the database is asked whether a claim was registered since. */
export async function shownScopes(deps: Pick<Deps, 'database'>, scopes: readonly string[]): Promise<string[]> {
  const known = [...profileScopes, ...(await claimScopes(deps))];
  if (scopes.some((scope) => known.includes(scope))) return known;
  return [...profileScopes, ...(await findLatestClaims(deps.database)).map(({ scope }) => scope)];
}
