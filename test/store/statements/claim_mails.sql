update mails
set
  tries = tries + 1,
  due_at = now() + interval '60 seconds'
where
  mail_id in (
    select
      mail_id
    from
      mails
    where
      sealed is not null
      and due_at <= now()
    order by
      due_at
    limit
      $1
    for update
      skip locked
  )
returning
  mail_id,
  kind,
  user_id,
  sealed,
  tries,
  created_at
