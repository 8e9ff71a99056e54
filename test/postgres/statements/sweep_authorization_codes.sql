with
  swept as (
    delete from authorization_codes
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        case
          when redeemed_at is null then expires_at
          else family_ends_at
        end < now() - interval '1 day'
        or redeemed_at is not null
        and least(
          revoked_at,
          (
            select
              least(grants.revoked_at, grants.expires_at)
            from
              grants
            where
              grants.grant_id = authorization_codes.grant_id
          )
        ) < now() - interval '7 days'
        or client_id in (
          select
            client_id
          from
            clients
          where
            deleted_at is not null
        )
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
