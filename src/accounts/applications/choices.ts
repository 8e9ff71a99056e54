import type { Deps } from '../../deps.ts';
import type { SignedInPage } from '../../identity/person.ts';
import type { Parameters } from '../../lib/parameters.ts';
import type { ShownChoice } from '../../oauth/choice/choice.view.ts';
import { choicesInForm, showChoice } from '../../oauth/choice/choice-form.ts';
import { type Choice, findChoices } from '../../oauth/choice/choices.sql.ts';
import { chosenOf } from '../../oauth/choice/choices.ts';
import type { ConnectedApplication } from './connected-applications.sql.ts';

/** The choices that belong to what the application may do. */
export async function choicesOf({ database }: Deps, { scopes }: ConnectedApplication): Promise<Choice[]> {
  const choices = await findChoices(database);
  return choices.filter((choice) => choice.scopes.some((scope) => scopes.includes(scope)));
}

/** What the person can choose for an application; `form`: the fields of a form that is shown again. */
export async function shownChoices(
  { deps, user: { sub } }: SignedInPage,
  application: ConnectedApplication,
  form: Parameters | undefined,
): Promise<ShownChoice[]> {
  const choices = await choicesOf(deps, application);
  const inputs = form && choicesInForm(choices, form);
  return Promise.all(
    choices.map((choice) => {
      const recorded = chosenOf(application.choices, choice.name) ?? [];
      return showChoice(deps, choice, { sub, recorded, input: inputs?.get(choice.name) });
    }),
  );
}
