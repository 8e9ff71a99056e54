import { newResource, tokenFormatAt } from '../../catalogue/resources.sql.ts';
import { allHold, brokenRules, mayBeAnybody } from '../../clients/client-rules.sql.ts';
import { subjectOf } from '../../identity/active.sql.ts';
import { batched } from '../../postgres/batches.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { choicesShown } from '../choice/choice-rules.sql.ts';
import { isActiveAccessToken, refreshRules, scopesInForceAt } from '../rules.sql.ts';
import {
  accessToken,
  asksOffline,
  type IssuedTokens,
  isOfGrant,
  issueColumns,
  issueTokens,
  type NewTokens,
  type PresentedRefreshToken,
  presentedTokenColumns,
  type Refresh,
} from './authorization-codes.sql.ts';
import { isAnswerLeft, renewalRules, repetitionRules } from './repetition-rules.sql.ts';
import { inSeconds, knownSignIn } from './token-facts.sql.ts';

const narrowStatement = sql(
  'narrow_access_token',
  `update access_tokens
   set scopes = array(select scope from unnest(scopes) scope where scope = any ($2))
   where access_token_sha256 = $1
     and scopes && $2
   returning scopes`,
);

/** Removes from a token every scope that is not in the list; undefined when none would be left. */
export async function narrowAccessToken(
  database: Database,
  access_token_sha256: Buffer,
  scopes: readonly string[],
): Promise<string[] | undefined> {
  return (await row<{ scopes: string[] }>(database, narrowStatement, [access_token_sha256, scopes]))?.scopes;
}

/** What is known of a refresh token that was not rotated, and what is left of its rotation if it was rotated before. */
export interface RefusedRefresh extends IssuedTokens {
  /** the broken rules in their order; none if the client keeps its refresh token, or the reason has gone meanwhile */
  broken: (keyof typeof refreshRules)[];
  /** the rules because of which the answer of its rotation is not repeated */
  broken_repetition: (keyof typeof repetitionRules)[];
  /**
   * whether the access token of that answer is left, which the following members describe; otherwise the answer gets another one
   */
  is_answer_left: boolean;
  /** useful only to the holder of the old token (deriveSuccessors) */
  successor_salt: Buffer;
  successor_sha256: Buffer;
  access_salt: Buffer;
  answer_sha256: Buffer;
  /** the scopes of the family's refresh tokens */
  family_scopes: string[];
  /** see mayBeAnybody */
  may_be_anybody: boolean;
}

const repeatedScopes = scopesInForceAt('access_token.resource', 'access_token.scopes', 'access_token.choices');

const explain = batched<PresentedRefreshToken & { grace: number }, RefusedRefresh>(
  'explain_refresh_refusal',
  { ...presentedTokenColumns, grace: 'integer' },
  (requests) => `select position, ${brokenRules(refreshRules)} as broken,
     ${brokenRules(repetitionRules)} as broken_repetition, ${isAnswerLeft} as is_answer_left,
     code.code_id, users.user_id, ${subjectOf('users')} as sub, code.scopes as family_scopes, ${mayBeAnybody} as may_be_anybody, ${newResource} as resource,
     code.successor_salt, code.refresh_token_sha256 as successor_sha256, code.successor_access_sha256 as answer_sha256,
     case when code.renewed_salts[1] = code.successor_salt then code.renewed_salts[2] else code.successor_salt end as access_salt, ${knownSignIn}, access_token.binding, ${repeatedScopes} as scopes,
     ${choicesShown('access_token.choices', repeatedScopes)},
     case when ${repeatedScopes} @> code.scopes then code.requested_scope end as requested_scope, ${asksOffline},
     ceil(date_part('epoch', access_token.expires_at - now())) as expires_in,
     ceil(date_part('epoch', code.refresh_expires_at - now())) as refresh_expires_in,
     ceil(date_part('epoch', grants.expires_at - now())) as grant_expires_in,
     ${tokenFormatAt('access_token.resource')} as token_format,
     ${inSeconds('access_token.issued_at')} as iat, ${inSeconds('access_token.expires_at')} as exp
   from ${requests}
   left join clients on clients.client_id = requests.client_id
   left join authorization_codes code on code.code_sha256 = requests.family_key
   left join grants on grants.grant_id = code.grant_id
   left join users on users.user_id = grants.user_id
   left join access_tokens access_token
     on access_token.access_token_sha256 = code.successor_access_sha256
     and ${isActiveAccessToken('access_token')}`,
);

/** Explains why a rotation was refused, in a later statement, which sees what the rotation waited for. */
export function explainRefreshRefusal(
  database: Database,
  presented: PresentedRefreshToken,
  grace: number,
): Promise<RefusedRefresh | undefined> {
  return explain(database, { ...presented, grace });
}

/** A repeated refresh whose answer needs another access token. */
export interface Renewal extends Refresh {
  grace: number;
  access_salt: Buffer;
  /** the access token that was the answer so far */
  answer_sha256: Buffer;
}

const renew = batched<Renewal, NewTokens>(
  'renew_repeated_answer',
  { ...presentedTokenColumns, ...issueColumns, grace: 'integer', access_salt: 'bytea', answer_sha256: 'bytea' },
  (requests) => `with granted as (
     update authorization_codes code
     set successor_access_sha256 = requests.access_token_sha256,
       renewed_salts = array[code.successor_salt, requests.access_salt]
     from ${requests}, clients, grants, users
     where ${allHold(renewalRules)}
       and code.successor_access_sha256 = requests.answer_sha256
       and ${isOfGrant}
     returning ${accessToken}, code.refresh_expires_at
   ), ${issueTokens('tokens_refreshed')}`,
);

/** Issues an access token beside the successor, which stays as it is; undefined if another repetition was faster, or a rule is broken meanwhile. */
export function renewRepeatedAnswer(database: Database, renewal: Renewal): Promise<NewTokens | undefined> {
  return renew(database, renewal);
}
