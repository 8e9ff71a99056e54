import type { Client } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import type { RefusalTarget } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { type AskedDetail, foreignType, readAuthorizationDetails } from './authorization-details.ts';
import { type Choice, findChoices, findLatestChoices } from './choices.sql.ts';
import { mayName } from './choices.ts';

/** A choice that an authorization request asks for, by the scopes of the request that need it. */
export type RequestedChoice = Choice & AskedDetail;

/** The choices that the scopes of a request need, with what the parameter authorization_details says of them [9396 §2]. */
export async function requestedChoices(
  { database }: Pick<Deps, 'database'>,
  sent: Parameters[string] | undefined,
  { client, scopes, target }: { client: Client; scopes: readonly string[]; target: RefusalTarget },
): Promise<readonly RequestedChoice[]> {
  const asked = readAuthorizationDetails(sent, target);
  const types = [...(asked?.keys() ?? [])];
  const isNeeded = (choice: Choice) =>
    choice.scopes.some((scope) => client.scopes.includes(scope) || scopes.includes(scope));
  const isAllowed = types.every((type) => mayName(client.authorization_details_types, type));
  const isKnown = (choices: readonly Choice[]) =>
    isAllowed && types.every((type) => choices.some((choice) => choice.name === type && isNeeded(choice)));
  const known = await findChoices(database);
  const choices = isKnown(known) ? known : await findLatestChoices(database);
  if (!isKnown(choices)) throw foreignType(target);
  return choices.flatMap((choice) => {
    const needed = choice.scopes.filter((scope) => scopes.includes(scope));
    return needed.length === 0 ? [] : [{ ...choice, scopes: needed, ...asked?.get(choice.name) }];
  });
}

/** A scope as a grant records that the person was shown its choice: `org:read#organizations`. */
export function withChoice(choices: readonly Choice[], scope: string): string {
  const choice = choices.find(({ scopes }) => scopes.includes(scope));
  return choice ? `${scope}#${choice.name}` : scope;
}
