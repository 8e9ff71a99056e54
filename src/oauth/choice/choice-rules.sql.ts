import type { Rules } from '../../clients/client-rules.sql.ts';

// What of a person's choice counts for a code or token, as fragments of SQL beside those of oauth/rules.sql.ts, with the same aliases. A
// family without choices pays one comparison with null.

/** What was looked up before the statement that issues tokens. */
export interface LookedUp {
  /** what the person still has of what the family was given, as far as the request asks for it, as JSON */
  choices?: string | undefined;
  /** see isWritable */
  can_sign: boolean;
}

export const lookedUpColumns = { choices: 'text', can_sign: 'boolean' } as const;

export const chosenNow = 'requests.choices::jsonb';

/** What a token may show that was narrowed to these choices. */
const inForce = (narrowed: string) => `choices_in_force(code.choices, grants.choices, ${narrowed})`;

/** The decisions of the grant, as they count for this family. */
export const decidedWith = (narrowed: string) => `case
       when code.choices is null then grants.decided
       else decided_with_choices(grants.decided, code.choices, ${inForce(narrowed)}) end`;

/** What a token with these scopes shows, as the column `choices`; null if none of them has a choice. */
export const choicesShown = (narrowed: string, scopes: string) =>
  `case when code.choices is not null then choices_shown(${inForce(narrowed)}, code.choices, ${scopes}) end as choices`;

/** What an access token is issued for, with what its answer shows of it. */
export const choicesOfToken = (scopes: string) =>
  `case when code.choices is not null then ${inForce(chosenNow)} end as access_choices, ${choicesShown(chosenNow, scopes)}`;

/** The statement is tried once more with what the person still has. */
export const choiceRules = {
  choices_read: {
    holds: '(code.choices is null or requests.choices is not null)',
    error: 'temporarily_unavailable',
    reason: 'what the person has chosen was not looked up',
  },
} as const satisfies Rules;
