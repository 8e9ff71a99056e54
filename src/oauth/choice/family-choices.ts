import type { Deps } from '../../deps.ts';
import { type AskedDetails, invalidDetails } from './authorization-details.ts';
import { findChoices, findChoicesOfFamily } from './choices.sql.ts';
import { type Choices, chosenOf, commonValues, type GivenChoices, isNothing } from './choices.ts';
import { stillPossible, theseValues } from './possible-values.ts';

/**
 * What a person still has of what a family was given and the grant has now, as JSON, as far as the token request asks for it. More than
 * the family was given is refused before anything is spent [9396 §6.1]; types that the request does not name stay.
 */
export async function chosenOfFamily(
  deps: Deps,
  { code_id }: { code_id: string },
  asked: AskedDetails | undefined,
): Promise<string> {
  const family = await findChoicesOfFamily(deps.database, code_id);
  const given: GivenChoices = family?.given ?? {};
  if (asked) refuseMore(asked, given);
  if (!family) return '{}';
  const { sub, granted, grant_id } = family;
  const registered = (await findChoices(deps.database)).filter(({ name }) => Object.hasOwn(given, name));
  const chosen = await Promise.all(
    registered.map(async ({ name }) => {
      const recorded = commonValues(given[name]?.values ?? [], chosenOf(granted, name) ?? []);
      const chooser = { name, sub };
      const held = await stillPossible(deps, chooser, recorded, grant_id);
      const { identifiers } = asked?.get(name) ?? {};
      if (!identifiers || isNothing(held)) return [name, held] as const;
      // all that the person has is no list, so what the request names is looked up
      const named = held === true ? (await theseValues(deps, chooser, identifiers)).map(({ value }) => value) : held;
      if (held === true && named.length < identifiers.length) throw tooMuch();
      return [name, commonValues(named, identifiers)] as const;
    }),
  );
  const choices: Choices = Object.fromEntries(chosen);
  return JSON.stringify(choices);
}

const tooMuch = () => invalidDetails('asks for more than was allowed');

function refuseMore(asked: AskedDetails, given: GivenChoices): void {
  for (const [type, { identifiers, all }] of asked) {
    const values = Object.hasOwn(given, type) ? given[type]?.values : undefined;
    if (values === undefined || (all && values !== true)) throw tooMuch();
    if (values !== true && !identifiers?.every((value) => values.includes(value)) && identifiers) throw tooMuch();
  }
}
