-- A family lives by the times that were written down when it began, so that another REFRESH_TOKEN_TTL neither cuts it
-- short nor has it forgotten too early.

alter table authorization_codes
  -- at redemption: none of its tokens lives longer
  add column family_ends_at timestamptz,
  -- by the sweep: its last refresh token has expired, so those before it need not be recognised any more
  add column refresh_ended_at timestamptz;

-- What is there was promised twelve of its refresh tokens' lifetimes, and at least what its tokens say.
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
