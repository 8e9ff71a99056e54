import type { Deps } from '../../deps.ts';
import { findUser } from '../../identity/users.sql.ts';
import type { Parameters } from '../../lib/parameters.ts';
import type { SignedInAuthorizationPage } from '../authorize/authorization-page.ts';
import type { AuthorizationRequest } from '../authorize/authorization-request.ts';
import { asksNobody, isNewPermission } from '../consent/remembered-grant.ts';
import type { ShownChoice } from './choice.view.ts';
import { type ChoiceProblem, choicesInForm, chosenInForm, showChoice } from './choice-form.ts';
import { hasDecided } from './choices.sql.ts';
import { type Choices, chosenOf, type GivenChoices, isNothing } from './choices.ts';

/**
 * What the consent page shows of the choices. `boxes`: how the boxes of scopes are shown first, whatever was refused. Where there is nothing
 * to choose from, none is ticked. Where nothing of a choice is granted, all are: whoever chooses now means to give it, and whoever chooses
 * nothing gives nothing.
 */
interface ChoicesOnPage {
  choices: readonly ShownChoice[];
  is_choice_only: boolean;
  boxes: ReadonlyMap<string, boolean>;
}

/** What a person can choose on the consent page; `form`: the fields of a form that is shown again. */
export async function choicesToShow(
  { deps, user_id }: SignedInAuthorizationPage,
  request: AuthorizationRequest,
  sub: string,
  form: Parameters | undefined,
): Promise<ChoicesOnPage> {
  const { choices: requested, client } = request;
  if (requested.length === 0) return { choices: [], is_choice_only: false, boxes: new Map() };
  const inputs = form && choicesInForm(requested, form);
  const choices = await Promise.all(
    requested.map((choice) => {
      const recorded = chosenOf(client.grant?.choices, choice.name);
      return showChoice(deps, choice, { sub, recorded, input: inputs?.get(choice.name) });
    }),
  );
  const boxes = requested.flatMap(({ scopes }, index) => {
    const isEmpty = choices[index]?.is_empty;
    const isGranted = scopes.some((scope) => client.grant?.scopes.includes(scope));
    return isEmpty || !isGranted ? scopes.map((scope): [string, boolean] => [scope, !isEmpty]) : [];
  });
  return { choices, is_choice_only: await isChoiceOnly(deps, request, user_id), boxes: new Map(boxes) };
}

/**
 * Whether the page asks for choices alone: the application is the operator's, and asks nobody for its permissions. A permission that the
 * person has refused, or that came later, is asked for with a box.
 */
async function isChoiceOnly({ database }: Deps, request: AuthorizationRequest, user_id: number): Promise<boolean> {
  const { client, choices } = request;
  if (choices.length === 0 || !asksNobody(request)) return false;
  const { grant } = client;
  if (!grant) return !(await hasDecided(database, user_id, client.client_id));
  const hasChoice = (scope: string) => choices.some(({ scopes }) => scopes.includes(scope));
  const isSettled = (scope: string) => hasChoice(scope) || !isNewPermission(request, scope);
  const isOpen = (scope: string) => grant.refused_scopes.includes(scope) || grant.to_confirm.includes(scope);
  return grant.silent && request.scopes.every((scope) => isSettled(scope) && !isOpen(scope));
}

/** What a consent form allows. */
export interface ChosenByForm {
  /** the scopes that are ticked, without those for which nothing is chosen */
  granted: string[];
  choices: GivenChoices | undefined;
  is_choice_only: boolean;
  problem?: ChoiceProblem;
  /** something was ticked, but nothing chosen, and nothing else is left */
  is_refusal: boolean;
}

/** Reads what the person chose on a consent form for the scopes that they ticked. */
export async function chooseByForm(
  { deps, user_id }: SignedInAuthorizationPage,
  request: AuthorizationRequest,
  form: Parameters,
  boxes: string[],
): Promise<ChosenByForm> {
  const { choices: requested, scopes } = request;
  const nothing = { choices: undefined, is_choice_only: false, is_refusal: false };
  if (requested.length === 0) return { ...nothing, granted: boxes };
  // a form with boxes, which has a duration, counts as it was shown
  const is_choice_only = form['duration'] === undefined && (await isChoiceOnly(deps, request, user_id));
  const ticked = is_choice_only ? scopes : boxes;
  const user = await findUser(deps.database, user_id);
  const inputs = choicesInForm(requested, form);
  const read = await Promise.all(
    requested.map(async (choice) => {
      const input = inputs.get(choice.name) ?? { values: [], search: '', page: 1 };
      const values = await chosenInForm(deps, choice, user?.sub ?? '', input);
      return { ...choice, ticked: choice.scopes.filter((scope) => ticked.includes(scope)), values };
    }),
  );
  const given: Record<string, GivenChoices[string]> = {};
  for (const { name, ticked: of, values } of read) {
    if (typeof values === 'string') return { ...nothing, granted: ticked, problem: values };
    if (of.length > 0 && !isNothing(values)) given[name] = { scopes: of, values };
  }
  const unchosen = read.filter(({ name }) => !Object.hasOwn(given, name)).flatMap((choice) => choice.ticked);
  const granted = ticked.filter((scope) => !unchosen.includes(scope));
  const is_refusal = ticked.length > 0 && granted.length === 0;
  const isRequired = request.client.required_scopes.some((scope) => unchosen.includes(scope));
  return {
    granted,
    choices: given,
    is_choice_only,
    is_refusal,
    ...(isRequired && { problem: 'choice_required' as const }),
  };
}

/** What the grant records of it. */
export const recordOf = (given: GivenChoices | undefined): Choices | null =>
  given ? Object.fromEntries(Object.entries(given).map(([name, { values }]) => [name, values])) : null;
