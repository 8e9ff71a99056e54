update authorization_codes code
set
  revoked_at = now()
from
  grants
where
  code.code_sha256 = $1
  and code.client_id = $2
  and code.revoked_at is null
  and case
    when code.code_challenge <> $3 then code.redeemed_at is null
    else code.redeemed_at is not null
    and code.code_challenge is not distinct from $3
  end
  and grants.grant_id = code.grant_id
returning
  code.code_id,
  grants.user_id,
  code.redeemed_at is not null as was_redeemed
