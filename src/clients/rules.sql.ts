import type { ErrorCode } from '../lib/errors.ts';

/** What a request that breaks a rule ends, by the event in the audit trail. */
export type FamilyEnd = 'code_reused' | 'refresh_token_reused' | 'code_verifier_wrong';

/**
 * A condition of a request, said once: the statement that decides has it in its `where`, and the statement that explains a refusal
 * reports the first one that does not hold.
 */
export interface Rule {
  /** SQL over `requests` and the tables of the statement */
  readonly holds: string;
  readonly error: ErrorCode;
  /** what the operator's log and the owner of the client are told */
  readonly reason: string;
  /** whether the client is told the reason, too */
  readonly is_told?: true;
  /** what the owner of the client learns, if less */
  readonly owner_reason?: string;
  /** what differs for a token for another server */
  readonly at_resource?: Pick<Rule, 'error' | 'reason'>;
  readonly ends?: FamilyEnd;
}

/** By name, in the order in which refusals are explained. */
export type Rules = Readonly<Record<string, Rule>>;

/** Whether all rules hold, for a `where`. */
export const allHold = (rules: Rules) =>
  Object.values(rules)
    .map(({ holds }) => holds)
    .join('\n       and ');

/** The names of the rules that do not hold, in their order. A rule about a row that does not exist does not hold. */
export const brokenRules = (rules: Rules) => `array_remove(array[
       ${Object.entries(rules)
         .map(([name, { holds }]) => `case when (${holds}) is not true then '${name}' end`)
         .join(',\n       ')}], null)`;
