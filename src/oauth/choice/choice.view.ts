import type { PossibleValue } from './choices.sql.ts';

/** A choice as a form shows it. */
export interface ShownChoice {
  name: string;
  /** the permissions that it is about */
  scopes: readonly string[];
  /** In English, from the database; `{application}` stands for the name of the application. */
  sentence: string;
  sentences: Readonly<Record<string, string>>;
  /** What "all, also later ones" is called; null: the text of this server. */
  all_sentence: string | null;
  all_sentences: Readonly<Record<string, string>>;
  many: boolean;
  /** Whether "all, also later ones" is offered, and whether it is chosen; absent where it cannot be. */
  all?: boolean | undefined;
  /** The only value there is: it is said and not asked. */
  only?: PossibleValue | undefined;
  /** There is nothing to choose from. */
  is_empty: boolean;
  /** What is chosen and not on this page of the list. */
  chosen: readonly PossibleValue[];
  values: readonly (PossibleValue & { checked: boolean })[];
  /** What the labels must contain; absent where there are too few to search. */
  search?: string | undefined;
  /** The place of the first of these values in the whole list. */
  first: number;
  /** Numbers of the pages of the list before and after this one. */
  previous?: number | undefined;
  next?: number | undefined;
}
