with
  swept as (
    delete from provider_sessions
    where
      ctid >= format('(%s,0)', $1::bigint)::tid
      and ctid < format('(%s,0)', $2::bigint)::tid
      and (
        created_at < now() - interval '2 days'
        and not exists (
          select
          from
            authorization_codes code
          where
            code.provider_session_id = provider_sessions.provider_session_id
        )
        and not exists (
          select
          from
            sessions
          where
            sessions.user_id = provider_sessions.user_id
            and sessions.data ->> 'provider_session_id' = provider_sessions.provider_session_id::text
        )
      )
    returning
      1
  )
select
  count(*)::integer as swept
from
  swept
