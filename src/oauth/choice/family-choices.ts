import type { Deps } from '../../deps.ts';
import { type AskedDetails, foreignType, invalidDetails } from './authorization-details.ts';
import { type Choice, findChoices, findChoicesOfFamily, findLatestChoices } from './choices.sql.ts';
import { type ChosenValues, chosenOf, commonValues, mayName } from './choices.ts';
import { stillPossible, theseValues } from './possible-values.ts';

/**
 * Whether a request for tokens, of which this is the first broken rule, lacks nothing but what the person has chosen, or has to be
 * compared with it.
 */
export const isChoiceMissing = (broken: string | undefined, asked: AskedDetails | undefined): boolean =>
  broken === 'choices_read' || (asked !== undefined && (broken === undefined || broken === 'signable'));

/**
 * What a person still has of what a family was given and the grant has now, as JSON, as far as the token request asks for it. More than
 * that is refused before anything is spent [9396 §6.1]; types that the request does not name stay.
 */
export async function chosenOfFamily(
  deps: Deps,
  { code_id }: { code_id: string },
  asked: AskedDetails = new Map(),
): Promise<string> {
  const family = await findChoicesOfFamily(deps.database, code_id);
  if (![...asked.keys()].every((type) => mayName(family?.may_name, type))) throw foreignType();
  const given = family?.given ?? {};
  const registered = await registeredOf(deps, Object.keys(given));
  if (![...asked.keys()].every((type) => registered.includes(type))) throw tooMuch();
  const chosen = registered.map(async (name): Promise<[string, ChosenValues]> => {
    const { sub = '', granted = null, grant_id = '' } = family ?? {};
    const recorded = commonValues(given[name]?.values ?? [], chosenOf(granted, name) ?? []);
    const held = await stillPossible(deps, { name, sub }, recorded, grant_id);
    const { identifiers, all } = asked.get(name) ?? {};
    if (all && held !== true) throw tooMuch();
    if (!identifiers) return [name, held];
    // all that the person has is no list, so what the request names is looked up
    const named =
      held === true ? await theseValues(deps, { name, sub }, identifiers) : held.map((value) => ({ value }));
    if (!identifiers.every((one) => named.some(({ value }) => value === one))) throw tooMuch();
    return [name, identifiers];
  });
  return JSON.stringify(Object.fromEntries(await Promise.all(chosen)));
}

/** Which of the names are choices that are registered; another instance may know a choice that this instance has not read yet. */
async function registeredOf({ database }: Pick<Deps, 'database'>, names: readonly string[]): Promise<string[]> {
  const among = (choices: readonly Choice[]) => names.filter((name) => choices.some((choice) => choice.name === name));
  const known = among(await findChoices(database));
  return known.length === names.length ? known : among(await findLatestChoices(database));
}

const tooMuch = () => invalidDetails('asks for more than was allowed');
