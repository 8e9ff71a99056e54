import type { Deps } from '../../deps.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { fieldOf } from '../../web/request-parameters.ts';
import type { ShownChoice } from './choice.view.ts';
import { pageSize } from './choices.sql.ts';
import { allValues, type ChosenValues, mostValues } from './choices.ts';
import { possibleValues, theseValues } from './possible-values.ts';
import type { RequestedChoice } from './requested-choices.ts';

// The part of a form in which a person chooses. All that is chosen is in the form, also what is not on the page of the list that it
// shows, so a form that is shown again needs nothing but the form that was sent.

/** What a form says of one choice. */
export interface ChoiceInput {
  values: string[];
  search: string;
  page: number;
}

export type ChoiceInputs = ReadonlyMap<string, ChoiceInput>;

/** What a form says of these choices. */
export function choicesInForm(choices: readonly { name: string }[], form: Parameters): ChoiceInputs {
  const inputs = choices.map(({ name }): [string, ChoiceInput] => {
    const number = fieldOf(form, `page.${name}`);
    return [
      name,
      {
        // "None" of radio buttons is empty
        values: [...new Set([form[`choice.${name}`] ?? []].flat())].filter((value) => value !== ''),
        search: fieldOf(form, `q.${name}`).slice(0, 100),
        // a larger number is no page that somebody has turned
        page: /^[1-9]\d{0,4}$/.test(number) ? Number(number) : 1,
      },
    ];
  });
  return new Map(inputs);
}

/** Whether a button of the list was pressed, which decides nothing. */
export const isLookingThrough = (form: Parameters): boolean =>
  Object.keys(form).some((name) => name === 'search' || name.startsWith('page.'));

/** Whose choice a form shows. `recorded`: what the person chose before. `has_boxes`: a single value has a box, too. */
interface Showing {
  sub: string;
  recorded: ChosenValues | undefined;
  input: ChoiceInput | undefined;
  has_boxes?: boolean;
}

/** What there is to choose from, with what is chosen: what the form said, or else what was chosen before. */
export async function showChoice(deps: Deps, choice: RequestedChoice, showing: Showing): Promise<ShownChoice> {
  const { name, scopes, sentence, sentences, all_sentence, all_sentences, many, identifiers } = choice;
  const { sub, recorded, input, has_boxes } = showing;
  const chooser = { name, sub };
  const may_be_all = choice.may_be_all && identifiers === undefined;
  const before = recorded === undefined && choice.all ? true : (recorded ?? []);
  const preset = identifiers ?? (before === true ? [allValues] : before);
  const ticked = input?.values ?? (many ? preset : preset.slice(0, 1));
  const { search, page } = { search: '', page: 1, ...input };
  const { values: shown, has_next } = identifiers
    ? { values: await theseValues(deps, chooser, identifiers), has_next: false }
    : await possibleValues(deps, chooser, { search, page });
  const isWhole = identifiers !== undefined || (search === '' && page === 1 && !has_next);
  const [first] = shown;
  const isElsewhere = (value: string) => value !== allValues && !shown.some((one) => one.value === value);
  const elsewhere = ticked.slice(0, mostValues).filter(isElsewhere);
  const about = { name, scopes, sentence, sentences, all_sentence, all_sentences, many };
  const none = { chosen: [], values: [], is_empty: false, first: 1 };
  if (isWhole && !first) return { ...about, ...none, is_empty: true };
  if (isWhole && first && shown.length === 1 && !has_boxes) return { ...about, ...none, only: first };
  return {
    ...about,
    is_empty: false,
    all: may_be_all ? ticked.includes(allValues) : undefined,
    chosen: identifiers ? [] : await theseValues(deps, chooser, elsewhere),
    values: shown.map((one) => ({ ...one, checked: ticked.includes(one.value) })),
    search: identifiers === undefined && (!isWhole || shown.length > 10) ? search : undefined,
    first: (page - 1) * pageSize + 1,
    previous: page > 1 ? page - 1 : undefined,
    next: has_next ? page + 1 : undefined,
  };
}

export type ChoiceProblem = 'choice_refused' | 'choice_too_many' | 'choice_required';

/** What the form chooses of a choice; a problem if it has what the person cannot choose, which then counts as a whole for nothing. */
export async function chosenInForm(
  deps: Deps,
  { name, many, may_be_all, identifiers }: RequestedChoice,
  sub: string,
  { values }: ChoiceInput,
): Promise<ChosenValues | ChoiceProblem> {
  if (values.length > mostValues) return 'choice_too_many';
  if (!many && values.length > 1) return 'choice_refused';
  const isAll = values.includes(allValues);
  if (isAll && (!may_be_all || identifiers)) return 'choice_refused';
  const named = values.filter((value) => value !== allValues);
  if (identifiers && !named.every((value) => identifiers.includes(value))) return 'choice_refused';
  const found = await theseValues(deps, { name, sub }, named);
  if (found.length < named.length) return 'choice_refused';
  return isAll || named;
}
