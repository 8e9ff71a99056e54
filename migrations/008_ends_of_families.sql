-- The end of a family is stored when its code is redeemed, so that a change of REFRESH_TOKEN_TTL does not affect it.

alter table authorization_codes
  -- set at redemption; no token of the family expires later
  add column family_ends_at timestamptz,
  -- set by the sweep when the last refresh token has expired: the rotated ones need not be recognised any longer
  add column refresh_ended_at timestamptz;

-- Existing families end twelve lifetimes of their refresh tokens after their code, but not before their last token.
update authorization_codes code
set family_ends_at = greatest(code.redeemed_at, promised.ends_at)
from (
  select code_id, max(ends_at) as ends_at
  from (
    select token.code_id, greatest(token.expires_at, head.issued_at + 12 * (token.expires_at - token.issued_at)) as ends_at
    from refresh_tokens token
    join authorization_codes head on head.code_id = token.code_id
    union all
    select code_id, expires_at
    from access_tokens) each_token
  group by code_id) promised
where promised.code_id = code.code_id
  and code.redeemed_at is not null;

update authorization_codes
set family_ends_at = redeemed_at
where redeemed_at is not null
  and family_ends_at is null;
