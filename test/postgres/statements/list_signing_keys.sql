select
  kid,
  public_jwk,
  sealed_private_key,
  published_at,
  signs_from,
  signs_from <= clock_timestamp() as may_sign,
  published_at < now() - interval '90 days' as is_old
from
  signing_keys
order by
  published_at desc
