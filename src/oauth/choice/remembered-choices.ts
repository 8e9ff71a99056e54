import type { Deps } from '../../deps.ts';
import { findUser } from '../../identity/users.sql.ts';
import type { AuthorizationRequest } from '../authorize/authorization-request.ts';
import { chosenOf, commonValues, type GivenChoices, isNothing } from './choices.ts';
import { stillPossible } from './possible-values.ts';

/** A grant that may answer a request without a page. */
interface Remembered {
  grant_id: string;
  scopes: readonly string[];
  choices?: Parameters<typeof chosenOf>[0];
}

/**
 * The grant with what the person has chosen and still has of what the request asks for; undefined if a choice must be asked for. Of a
 * request that asks for no choice, nothing is read.
 */
export async function withChoices<Grant extends Remembered>(
  deps: Deps,
  { choices, target, prompt }: AuthorizationRequest,
  user_id: number,
  grant: Grant | undefined,
): Promise<(Omit<Grant, 'choices'> & { choices: GivenChoices | undefined }) | undefined> {
  const needed = choices.map((choice) => ({
    ...choice,
    scopes: choice.scopes.filter((scope) => grant?.scopes.includes(scope)),
  }));
  const asked = needed.filter(({ scopes }) => scopes.length > 0);
  if (!grant || asked.length === 0) return grant && { ...grant, choices: undefined };
  const user = await findUser(deps.database, user_id);
  const given = await Promise.all(
    asked.map(async ({ name, scopes, identifiers, many, may_be_all }) => {
      const chosen = chosenOf(grant.choices, name) ?? [];
      const isPossible = chosen === true ? may_be_all : many || chosen.length < 2;
      const recorded = isPossible ? chosen : [];
      const chooser = { name, sub: user?.sub ?? '', target: prompt.has('none') ? target : undefined };
      const bounded = commonValues(recorded, identifiers ?? true);
      return [name, { scopes, values: await stillPossible(deps, chooser, bounded, grant.grant_id) }] as const;
    }),
  );
  if (given.some(([, { values }]) => isNothing(values))) return undefined;
  return { ...grant, choices: Object.fromEntries(given) };
}
