select
  (
    select
      count(*)::integer
    from
      (
        select
        from
          sessions
          join users using (user_id)
        where
          user_id = $1
          and coalesce(sessions.begun_after = coalesce(users.sessions_ended_at, '-infinity'), true)
          and sessions.last_used_at > now() - interval '30 minutes'
          and sessions.created_at > now() - interval '12 hours'
          and sessions.created_at < now() + interval '1 day'
        order by
          last_used_at desc
        limit
          100
      ) own
  ) as sessions,
  count(distinct listed.client_id) filter (
    where
      listed.revoked_at is null
      and (
        listed.expires_at is null
        or listed.expires_at > now()
      )
      and clients.deleted_at is null
  )::integer as applications,
  count(*) = 50 as has_more
from
  (
    select
      client_id,
      revoked_at,
      expires_at
    from
      grants
    where
      user_id = $1
      and grants.revoked_at is null
    order by
      revoked_at desc,
      granted_at desc,
      grant_id desc
    limit
      50
  ) listed
  join clients on clients.client_id = listed.client_id
