with
  claimed as materialized (
    select
      mail_id
    from
      unnest($1::integer[]) with ordinality lanes (free, number)
      cross join lateral (
        select
          mail_id
        from
          mails waiting
        where
          sealed is not null
          and (
            due_at <= now()
            or due_at > now() + interval '2 hours'
          )
          and (waiting.kind = any ($2))::integer + 2 * (waiting.tries > 0)::integer = number - 1
          and not exists (
            select
            from
              mails others
            where
              others.user_id = waiting.user_id
              and others.sealed is not null
              and (
                others.lane = number - 1
                and others.due_at between now() and now() + interval '2 hours'
                or (others.kind = any ($2))::integer + 2 * (others.tries > 0)::integer = number - 1
                and (others.due_at, others.mail_id) < (waiting.due_at, waiting.mail_id)
              )
          )
          and not (
            kind = 'confirm_address'
            and exists (
              select
              from
                mails warnings
              where
                warnings.user_id = waiting.user_id
                and warnings.mail_id < waiting.mail_id
                and warnings.kind = 'address_changing'
                and warnings.sealed is not null
            )
          )
        order by
          due_at
        limit
          free
        for update
          skip locked
      ) waiting_in_lane
  )
update mails
set
  tries = tries + 1,
  lane = (mails.kind = any ($2))::integer + 2 * (mails.tries > 0)::integer,
  due_at = now() + interval '60 seconds',
  created_at = least(created_at, now())
from
  claimed
where
  mails.mail_id = claimed.mail_id
returning
  mails.mail_id,
  kind,
  user_id,
  sealed,
  tries,
  created_at,
  lane
