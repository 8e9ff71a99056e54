select
  rp_id,
  count(*)::integer as count
from
  (
    select
      rp_id
    from
      passkeys
    order by
      credential_id
    limit
      10000
  ) some_passkeys
group by
  rp_id
order by
  count(*) desc,
  rp_id
limit
  10
