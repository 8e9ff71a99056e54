import { refusedByRule } from './database-errors.ts';

/** One broken rule; `rule` is its name in migrations/functions, `sentence` says it in English. */
export interface RegistrationProblem {
  field: string;
  rule: string;
  value: string | null;
  sentence: string;
}

/** What a registration returns, or the problems that refuse_values has raised as the detail of its error. */
export async function orProblems<Done>(
  registration: Promise<Done>,
): Promise<{ done: Done; problems?: never } | { problems: RegistrationProblem[]; done?: never }> {
  try {
    return { done: await registration };
  } catch (error) {
    if (refusedByRule(error) && error.detail !== undefined) return { problems: JSON.parse(error.detail) };
    throw error;
  }
}
