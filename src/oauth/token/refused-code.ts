import type { Trace } from '../../audit/audit.sql.ts';
import type { ClientCredentials } from '../../clients/client.ts';
import type { Rule } from '../../clients/client-rules.sql.ts';
import type { Deps } from '../../deps.ts';
import type { AskedDetails } from '../choice/authorization-details.ts';
import { chosenOfFamily, isChoiceMissing } from '../choice/family-choices.ts';
import { redemptionRules } from '../rules.sql.ts';
import type { PresentedCode } from './authorization-codes.sql.ts';
import { completeMaterial, type WritingMaterial } from './jwt-token.ts';
import { explainCodeRefusal } from './refused-code.sql.ts';
import type { GrantedTokens } from './token-answer.ts';
import { endByRule, reasonGone, refusalBy, refuseUnknown, requireClientRules } from './token-refusal.ts';

/** An exchange that issued nothing. */
interface RefusedExchange {
  code: string;
  presented: PresentedCode;
  material: WritingMaterial;
  /** whether a second attempt may issue the tokens: the proofs of the request, if it has any, are used up */
  mayIssue: boolean;
  details?: AskedDetails | undefined;
  redeem(
    deps: Deps,
    presented: PresentedCode,
    writing: { material: WritingMaterial },
    trace: Trace,
  ): Promise<GrantedTokens | undefined>;
}

/**
 * Refuses by the first rule that is broken, and does what that rule costs. Redeems the code after all if nothing was missing but the
 * key that signs its token, or what the person has chosen.
 */
export async function refuseCode(
  deps: Deps,
  credentials: ClientCredentials,
  exchange: RefusedExchange,
  trace: Trace,
): Promise<GrantedTokens> {
  const { code, presented, details, material, mayIssue, redeem } = exchange;
  const refused = await explainCodeRefusal(deps.database, presented);
  const [broken] = refused?.broken ?? [];
  const isToChoose = mayIssue && presented.choices === undefined && isChoiceMissing(broken, details);
  if (refused && isToChoose) {
    const complete = { ...presented, choices: await chosenOfFamily(deps, refused, details) };
    const redeemed = await redeem(deps, complete, { material }, trace);
    return redeemed ?? refuseCode(deps, credentials, { ...exchange, presented: complete }, trace);
  }
  if (!refused || broken === undefined) throw reasonGone();
  // whoever stole a code but cannot authenticate as its client must not be able to end the person's tokens [6819 §4.4.1.12]
  await requireClientRules(deps, credentials, broken, trace);
  if (broken === 'code_known') {
    const { may_be_anybody } = refused;
    return refuseUnknown(deps, 'authorization_code', { text: code, may_be_anybody }, trace);
  }
  const rule: Rule = redemptionRules[broken];
  await endByRule(deps, rule, refused, trace);
  const isToSign = broken === 'signable' && mayIssue;
  const complete = isToSign ? await completeMaterial(deps, refused.resource, material, trace) : undefined;
  const redeemed = complete && (await redeem(deps, { ...presented, can_sign: true }, { material: complete }, trace));
  if (redeemed) return redeemed;
  throw refusalBy(rule, refused.resource);
}
