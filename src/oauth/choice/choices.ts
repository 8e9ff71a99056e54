/** What was chosen of one choice: values, or true for all of them, also later ones. */
export type ChosenValues = true | readonly string[];

/** What is in force, by the names of the choices. */
export type Choices = Readonly<Record<string, ChosenValues>>;

/** What a family was given: for which of its scopes, and what. */
export type GivenChoices = Readonly<Record<string, { scopes: readonly string[]; values: ChosenValues }>>;

/** The most values that can be chosen: tokens and headers carry them. */
export const mostValues = 200;

/** What stands for all in forms. A query that gives it as a value gives none. */
export const allValues = '*';

/** What is in both. */
export function commonValues(one: ChosenValues, other: ChosenValues): ChosenValues {
  if (one === true) return other;
  return other === true ? one : one.filter((value) => other.includes(value));
}

export const isNothing = (values: ChosenValues | undefined): boolean => values !== true && !values?.length;

/** Whether a client may name a choice in authorization_details [9396 §10]. Whoever is registered for none may name all. */
export const mayName = (registered: readonly string[] | null | undefined, name: string): boolean =>
  !registered?.length || registered.includes(name);

/** What of it was recorded under this name. */
export function chosenOf(choices: Choices | null | undefined, name: string): ChosenValues | undefined {
  return choices && Object.hasOwn(choices, name) ? choices[name] : undefined;
}
