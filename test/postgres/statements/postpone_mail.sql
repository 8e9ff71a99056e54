update mails
set
  due_at = now() + make_interval(secs => $3),
  lane = null,
  problem = $4,
  tries = tries - $6,
  sealed = case
    when $5
    or tries >= 30 then null
    else sealed
  end,
  given_up_at = case
    when $5
    or tries >= 30 then now()
  end
where
  mail_id = $1
  and tries = $2
returning
  given_up_at is not null as is_given_up
