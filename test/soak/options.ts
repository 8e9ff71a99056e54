import { parseArgs } from 'node:util';
import type { Plan } from './year.ts';

export const usage = `npm run soak [-- <options>]
  --minutes=60 --rate=20     how long, and how many people a second come for a code and tokens
  --warm-up=15               minutes that are not judged; without it a quarter of the run, and at least as long as a family lives
  --sample=60                seconds between two rows of the table
  --life=20                  seconds that a code, an access token and a refresh token live
  --kept=60 --sweep=10       seconds that an expired row is kept, and between two sweeps
  --expired=5000000          access tokens that are in the database before the traffic and expire during it
  --year                     instead: applications refresh every hour for a year, as fast as Postgres can
  --families=1000 --days=365 --routine=30
                             how many, how long, and for how many days routine events are kept
  --results=FILE             writes all samples as JSON
  --no-verdict               measures only; what was answered must be right all the same
BENCH_DATABASE_URL: a Postgres of your own; BENCH_PRODUCT_DIR: another tree of Latchkey, built`;

/** A family ends at the latest after so many lives of its refresh token. */
export const familyLifetimes = 12;

/** In an hour of --year: so many that they seldom change two rows of a page at once, as requests of an hour do not. */
const statements = 20;

export interface Options {
  /** with --year */
  readonly year: Plan | undefined;
  readonly seconds: number;
  readonly warmUp: number;
  readonly sample: number;
  readonly rate: number;
  readonly life: number;
  readonly kept: number;
  readonly sweep: number;
  readonly expired: number;
  readonly results: string | undefined;
  readonly isJudged: boolean;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '60' },
      'warm-up': { type: 'string' },
      sample: { type: 'string', default: '60' },
      rate: { type: 'string', default: '20' },
      life: { type: 'string', default: '20' },
      kept: { type: 'string', default: '60' },
      sweep: { type: 'string', default: '10' },
      expired: { type: 'string', default: '0' },
      year: { type: 'boolean', default: false },
      families: { type: 'string', default: '1000' },
      days: { type: 'string', default: '365' },
      routine: { type: 'string', default: '30' },
      results: { type: 'string' },
      'no-verdict': { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.minutes) * 60;
  const [life, kept, sweep] = [Number(values.life), Number(values.kept), Number(values.sweep)];
  // until then more families begin than end
  const fill = familyLifetimes * life + kept + sweep;
  const [families, days, routine] = [Number(values.families), Number(values.days), Number(values.routine)];
  return {
    year: values.year ? { families, days, routine, statements } : undefined,
    seconds,
    warmUp: values['warm-up'] === undefined ? Math.max(seconds / 4, fill) : Number(values['warm-up']) * 60,
    sample: Number(values.sample),
    rate: Number(values.rate),
    life,
    kept,
    sweep,
    expired: Number(values.expired),
    results: values.results,
    isJudged: !values['no-verdict'],
  };
}
