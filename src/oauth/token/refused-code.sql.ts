import { newResource } from '../../catalogue/resources.sql.ts';
import { brokenRules, mayBeAnybody } from '../../clients/client-rules.sql.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import { redemptionRules } from '../rules.sql.ts';
import { type PresentedCode, presentedCodeColumns } from './authorization-codes.sql.ts';

/** What is known of a code that was not redeemed. */
export interface RefusedCode {
  /** the broken rules in their order; none if the reason has gone meanwhile */
  broken: (keyof typeof redemptionRules)[];
  /** null if the code is not stored */
  code_id: string;
  user_id: number;
  /** see mayBeAnybody */
  may_be_anybody: boolean;
  /** the resource for which the token would have been; the first resource of the code if the request names none */
  resource: string;
}

const explainCode = batched<PresentedCode, RefusedCode>(
  'explain_code_refusal',
  presentedCodeColumns,
  (requests) => `select position, ${brokenRules(redemptionRules)} as broken,
     code.code_id, users.user_id, ${mayBeAnybody} as may_be_anybody, ${newResource} as resource
   from ${requests}
   left join clients on clients.client_id = requests.client_id
   left join authorization_codes code on code.code_sha256 = requests.code_sha256
   left join grants on grants.grant_id = code.grant_id
   left join users on users.user_id = grants.user_id`,
);

/** Explains why a redemption was refused, in a later statement, which sees what the redemption waited for. */
export function explainCodeRefusal(database: Database, code: PresentedCode): Promise<RefusedCode | undefined> {
  return explainCode(database, code);
}
