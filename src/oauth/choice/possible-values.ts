import type { Deps } from '../../deps.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import { counter } from '../../telemetry/metric.ts';
import { dropLostValues, findPossibleValues, findTheseValues, type PossibleValue, pageSize } from './choices.sql.ts';
import { type ChosenValues, isNothing } from './choices.ts';

type ReadingDeps = Pick<Deps, 'database' | 'log'>;

const reads = counter('latchkey_choices_total', 'Queries of the operator for what people can choose from.', {
  outcome: ['answered', 'failed'],
});

/** Whose values, of which choice. */
export interface Chooser {
  name: string;
  sub: string;
  /** the client that is told by a redirect that they cannot be read */
  target?: RefusalTarget | undefined;
}

/** What the query says. One that fails never counts as an empty answer. */
async function asked<T>({ log }: ReadingDeps, { name, target }: Chooser, read: () => Promise<T>): Promise<T> {
  try {
    const answer = await read();
    reads.add('answered');
    return answer;
  } catch (err) {
    reads.add('failed');
    const reason = err instanceof Error ? err.message : String(err);
    log.warn({ choice: name, reason }, 'the query of a choice failed, and the request was answered with 503');
    throw new OAuthError('temporarily_unavailable', 'what there is to choose from cannot be read now, try again', {
      reason: 'the query of a choice failed',
      headers: { 'Retry-After': '5' },
      ...(target && { target }),
    });
  }
}

/** A page of what a person can choose, each value once, and whether there is a further page. */
export async function possibleValues(
  deps: ReadingDeps,
  chooser: Chooser,
  page: { search: string; page: number },
): Promise<{ values: PossibleValue[]; has_next: boolean }> {
  const { name, sub } = chooser;
  const rows = await asked(deps, chooser, () => findPossibleValues(deps.database, name, sub, page));
  return { values: onceEach(rows.slice(0, pageSize)), has_next: rows.length > pageSize };
}

/** Reads which of the values the person has now. */
export async function theseValues(
  deps: ReadingDeps,
  chooser: Chooser,
  values: readonly string[],
): Promise<PossibleValue[]> {
  if (values.length === 0) return [];
  const { name, sub } = chooser;
  return onceEach(await asked(deps, chooser, () => findTheseValues(deps.database, name, sub, values)));
}

const onceEach = (rows: readonly PossibleValue[]) => [...new Map(rows.map((row) => [row.value, row])).values()];

/**
 * What a person still has of what was recorded. What they no longer have is taken out of the record. "All" stays all, unless there is
 * nothing at all.
 */
export async function stillPossible(
  deps: ReadingDeps,
  chooser: Chooser,
  recorded: ChosenValues | undefined,
  grant_id: string,
): Promise<ChosenValues> {
  if (recorded === undefined || isNothing(recorded)) return [];
  if (recorded === true) {
    const { values } = await possibleValues(deps, chooser, { search: '', page: 1 });
    return values.length > 0 ? true : [];
  }
  const found = new Set((await theseValues(deps, chooser, recorded)).map(({ value }) => value));
  const lost = recorded.filter((value) => !found.has(value));
  if (lost.length > 0) await dropLostValues(deps.database, grant_id, chooser.name, lost);
  return recorded.filter((value) => found.has(value));
}
