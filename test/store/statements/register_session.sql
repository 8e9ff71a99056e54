with
  ended as (
    delete from sessions
    where
      sid_sha256 in (
        select
          sid_sha256
        from
          sessions
        where
          user_id = $2
          and sid_sha256 <> $1
        order by
          last_used_at desc
        offset
          99
        limit
          100
      )
  ),
  spoken as (
    update users
    set
      language = $7,
      chosen_language = coalesce(chosen_language, $8::text)
    where
      user_id = $2
      and (
        language is distinct from $7
        or chosen_language is null
        and $8::text is not null
      )
  )
insert into
  sessions (sid_sha256, user_id, data, user_agent, methods, auth_time)
values
  ($1, $2, $3, $4, $5, coalesce($6, now()))
returning
  auth_time
