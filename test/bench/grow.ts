import { latchkey } from './contestants.ts';
import { fill, type Sizes } from './fill.ts';
import type { Generator } from './generator.ts';
import type { Postgres } from './postgres.ts';
import { type Plan, type Results, takeRounds } from './rounds.ts';
import { type Kind, kinds } from './seeds/seed.ts';
import { Stand } from './stand.ts';
import { medianStart } from './start.ts';

export interface Growth {
  date: string;
  sizes: Sizes;
  empty: Results;
  large: Results;
  /** CPU per request, large to empty */
  ratios: Record<Kind, number>;
  /** milliseconds */
  start_empty: number;
  start_large: number;
}

/** The same server on an empty database and on a large one, taking turns. */
export async function measureGrowth(
  sizes: Sizes,
  postgres: Postgres,
  generator: Generator,
  plan: Plan,
  say: (sentence: string) => void,
): Promise<Growth> {
  const empty = await Stand.prepare(latchkey, postgres, generator);
  const large = await Stand.prepare({ ...latchkey, name: 'latchkey-large' }, postgres, generator);
  await fill(large.database, sizes, say);
  const start_empty = await medianStart({ DATABASE_URL: empty.url }, plan.rounds);
  const start_large = await medianStart({ DATABASE_URL: large.url }, plan.rounds);
  await empty.start();
  await large.start();
  const results = await takeRounds([empty, large], kinds, plan, say);
  const [ofEmpty, ofLarge] = [results.get(empty), results.get(large)];
  await empty.close();
  await large.close();
  if (!ofEmpty || !ofLarge) throw new Error('nothing was measured');
  const ratios = Object.fromEntries(kinds.map((kind) => [kind, ofLarge[kind].cpu / ofEmpty[kind].cpu]));
  const date = new Date().toISOString().slice(0, 10);
  return {
    date,
    sizes,
    empty: ofEmpty,
    large: ofLarge,
    ratios: ratios as Record<Kind, number>,
    start_empty,
    start_large,
  };
}
