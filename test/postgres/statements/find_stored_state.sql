select
  greatest(
    0,
    (
      select
        extract(
          epoch
          from
            now() - expires_at
        )
      from
        access_tokens
      order by
        access_token_sha256
      limit
        1
    )
  )::double precision as oldest_expired_seconds,
  count(*)::integer as audit_partitions,
  -- one that is further ahead was made while the clock was
  extract(
    epoch
    from
      max(ends_at) filter (
        where
          ends_at <= now() + interval '4 months'
      )
  )::double precision as audit_partitions_end,
  greatest(
    0,
    (
      select
        extract(
          epoch
          from
            now() - min(overdue_since)
        )
      from
        overdue_audit_partitions
    )
  )::double precision as audit_overdue_seconds,
  (
    select
      count(*)::integer
    from
      (
        select
        from
          mails
        where
          sealed is not null
        limit
          10000
      ) waiting
  ) as mails_waiting,
  greatest(
    0,
    (
      select
        extract(
          epoch
          from
            now() - created_at
        )
      from
        mails
      where
        sealed is not null
      order by
        mail_id
      limit
        1
    )
  )::double precision as oldest_mail_seconds
from
  audit_partitions
