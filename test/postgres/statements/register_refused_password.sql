insert into
  audit_events (event, user_id, detail, request_id, address)
select
  'sign_in_refused',
  coalesce($2, barred.user_id),
  case
    when $3 then 'wrong password'
    when $2 is not null then 'no password'
    when barred.user_id is not null then 'disabled'
    else 'unknown name'
  end,
  $4,
  $5
from
  (
    select
      folded_name ($1) as name
  ) asked
  left join lateral (
    select
      users.user_id
    from
      sign_in_names known
      join users on users.user_id = known.user_id
    where
      $2::integer is null
      and known.name = asked.name
      and not users.disabled_at is null
      and known.name = any (names_of_user (users))
    limit
      1
  ) barred on true
returning
  user_id,
  detail
