import { randomBytes } from 'node:crypto';
import { row } from './pool.ts';
import { lifetimes, sha256 } from './terms.ts';

// The least that can be called a token endpoint: one statement. Nobody is authenticated, nothing else is checked.

const insertTokens = `access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, expires_at)
     select $2, code_id, scopes, now() + make_interval(secs => $4)
     from used
   ), refresh_token as (
     insert into refresh_tokens (refresh_token_sha256, code_id, scopes, expires_at)
     select $3, code_id, scopes, now() + make_interval(secs => $5)
     from used
   )
   select scopes from used`;

const exchangeText = `with used as (
     update codes
     set redeemed_at = now()
     where code_sha256 = $1
       and redeemed_at is null
       and expires_at > now()
     returning code_id, scopes
   ), ${insertTokens}`;

const refreshText = `with used as (
     update refresh_tokens
     set rotated_at = now()
     where refresh_token_sha256 = $1
       and rotated_at is null
       and expires_at > now()
     returning code_id, scopes
   ), ${insertTokens}`;

const userText = `select users.user_id as id, users.username, users.email, users.name
   from access_tokens token
   join codes code using (code_id)
   join users using (user_id)
   where token.access_token_sha256 = $1
     and token.expires_at > now()`;

export async function answerToken(form: Record<string, string | undefined>): Promise<object | undefined> {
  const [name, text, used] =
    form['grant_type'] === 'refresh_token'
      ? (['refresh', refreshText, form['refresh_token']] as const)
      : (['exchange', exchangeText, form['code']] as const);
  const access_token = randomBytes(32).toString('base64url');
  const refresh_token = randomBytes(32).toString('base64url');
  const values = [sha256(used ?? ''), sha256(access_token), sha256(refresh_token)];
  const issued = await row<{ scopes: string[] }>(name, text, [
    ...values,
    lifetimes.access_token,
    lifetimes.refresh_token,
  ]);
  const scope = issued?.scopes.join(' ');
  return issued && { access_token, token_type: 'Bearer', expires_in: lifetimes.access_token, refresh_token, scope };
}

export function findUser(authorization: string | undefined): Promise<object | undefined> {
  return row('user', userText, [sha256(authorization?.slice('Bearer '.length) ?? '')]);
}
