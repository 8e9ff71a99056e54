import { subjectOf } from '../../identity/active.sql.ts';
import type { Binding } from '../../lib/binding.ts';
import { profileFieldNames, type StoredProfile } from '../../lib/profile.ts';
import { thisServer } from '../../lib/resource.ts';
import type { SignIn } from '../../lib/step-up.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import { choicesShown } from '../choice/choice-rules.sql.ts';
import type { Choices } from '../choice/choices.ts';
import { grantToTouch } from '../consent/last-use.sql.ts';
import { familyOfToken, isActiveAccessToken, isActiveFamily, scopesInForce } from '../rules.sql.ts';

/** An active token and the person who granted it; `scopes` are those that are in force now. */
export interface ActiveAccessToken extends StoredProfile, SignIn {
  client_id: string;
  scopes: string[];
  /** what the token may show of what the person has chosen; null if none of its scopes has a choice */
  choices: Choices | null;
  user_id: number;
  sub: string;
  username: string;
  /** whether the client may learn the username although the person did not grant user:name, see the GitHub-compatible endpoints */
  gives_username: boolean;
  binding: Binding;
  /** whether an administrator vouches for the client */
  vouched: boolean;
  /** see grantToTouch */
  grant_to_touch: string | null;
}

export const tokenAndFamily = (requests: string) => `${requests}
   join access_tokens token on token.access_token_sha256 = requests.access_token_sha256
   join ${familyOfToken}`;

export const isActive = `${isActiveAccessToken('token')}
     and ${isActiveFamily}`;

export const tokenKeyColumns = { access_token_sha256: 'bytea' } as const;

export type TokenKey = Record<keyof typeof tokenKeyColumns, Buffer>;

const scopesHere = scopesInForce('token.scopes', 'token.choices');

export const activeColumns = `code.client_id, users.user_id, ${subjectOf('users')} as sub, users.username, users.email_verified, code.gives_username, token.binding, clients.vouched,
     code.acr, abs(date_part('epoch', now() - code.auth_time)) as auth_age,
     ${profileFieldNames.map((field) => `users.${field}`).join(', ')},
     ${scopesHere} as scopes, ${choicesShown('token.choices', scopesHere)},
     ${grantToTouch}`;

export const isActiveHere = `${isActive}
     and token.resource = '${thisServer}'`;

const findActive = batched<TokenKey, ActiveAccessToken>(
  'find_active_access_token',
  tokenKeyColumns,
  (requests) => `
   select position, ${activeColumns}
   from ${tokenAndFamily(requests)}
   where ${isActiveHere}`,
);

/** All that the resource server asks of the authorization server; to this resource, a token for another resource does not exist. */
export function findActiveAccessToken(
  database: Database,
  access_token_sha256: Buffer,
): Promise<ActiveAccessToken | undefined> {
  return findActive(database, { access_token_sha256 });
}
