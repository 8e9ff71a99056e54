import type { Deps } from '../../deps.ts';
import { type AskedDetails, invalidDetails } from './authorization-details.ts';
import { findChoices, findChoicesOfFamily } from './choices.sql.ts';
import { type ChosenValues, chosenOf, commonValues } from './choices.ts';
import { stillPossible, theseValues } from './possible-values.ts';

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
  const given = family?.given ?? {};
  const registered = (await findChoices(deps.database)).filter(({ name }) => Object.hasOwn(given, name));
  const isGiven = (type: string) => registered.some(({ name }) => name === type);
  if (![...asked.keys()].every(isGiven)) throw tooMuch();
  const chosen = registered.map(async ({ name }): Promise<[string, ChosenValues]> => {
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

const tooMuch = () => invalidDetails('asks for more than was allowed');
