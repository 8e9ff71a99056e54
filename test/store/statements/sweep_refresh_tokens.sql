with
  swept as (
    delete from refresh_tokens token
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and case
        when rotated_at is null then expires_at < now() - interval '1 day'
        else not exists (
          select
          from
            authorization_codes code
          where
            code.code_id = token.code_id
            and code.refresh_ended_at is null
        )
      end
    returning
      code_id,
      rotated_at
  ),
  ended as (
    update authorization_codes code
    set
      refresh_ended_at = now()
    from
      swept
    where
      code.code_id = swept.code_id
      and swept.rotated_at is null
  )
select
  count(*)::integer as swept
from
  swept
