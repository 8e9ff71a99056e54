import type { Deps } from '../../deps.ts';
import type { SignedInPage } from '../../identity/person.ts';
import type { Parameters } from '../../lib/parameters.ts';
import type { ShownChoice } from '../../oauth/choice/choice.view.ts';
import { type ChoiceProblem, choicesInForm, chosenInForm, showChoice } from '../../oauth/choice/choice-form.ts';
import { type Choice, findChoices } from '../../oauth/choice/choices.sql.ts';
import { allValues, type Choices, type ChosenValues, chosenOf } from '../../oauth/choice/choices.ts';
import type { ConnectedApplication } from './connected-applications.sql.ts';

/** The choices that limit permissions on which the person decided. */
async function choicesOf({ database }: Deps, { scopes, refused_scopes }: ConnectedApplication): Promise<Choice[]> {
  const choices = await findChoices(database);
  return choices.filter((choice) => choice.scopes.some((scope) => [...scopes, ...refused_scopes].includes(scope)));
}

/** The choices that the page of the form showed: another one stays as it is stored. */
const choicesOn = (form: Parameters, choices: Choice[]): Choice[] =>
  choices.filter(({ name }) => [form['choice'] ?? []].flat().includes(name));

/** What the person can choose for an application; `form`: the fields of a form that is shown again. */
export async function shownChoices(
  { deps, user: { sub } }: SignedInPage,
  application: ConnectedApplication,
  form: Parameters | undefined,
): Promise<ShownChoice[]> {
  const choices = await choicesOf(deps, application);
  const inputs = form && choicesInForm(choicesOn(form, choices), form);
  return Promise.all(
    choices.map((choice) => {
      const recorded = chosenOf(application.choices, choice.name) ?? [];
      // saving another part of the page must not give a single value, nor take "all" away
      return showChoice(deps, choice, { sub, recorded, input: inputs?.get(choice.name), has_boxes: true });
    }),
  );
}

/** What the form says of the choices that its page showed; a problem if the person cannot choose that. */
export async function chosenIn(
  { deps, user: { sub } }: SignedInPage,
  application: ConnectedApplication,
  form: Parameters,
): Promise<Choices | ChoiceProblem> {
  const shown = choicesOn(form, await choicesOf(deps, application));
  const inputs = choicesInForm(shown, form);
  const chosen: Record<string, ChosenValues> = {};
  for (const choice of shown) {
    const read = await chosenInForm(deps, choice, sub, inputs.get(choice.name) ?? { values: [], search: '', page: 1 });
    if (typeof read === 'string') return read;
    chosen[choice.name] = read;
  }
  return chosen;
}

/** The boxes that are ticked for these values. */
export const boxesOf = (values: ChosenValues): string[] => (values === true ? [allValues] : [...values].sort());
