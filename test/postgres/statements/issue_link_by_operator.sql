with
  issued as (
    insert into
      mailed_links (token_sha256, purpose, user_id, expires_at)
    select
      $1,
      'reset',
      user_id,
      now() + make_interval(secs => $3)
    from
      users
    where
      user_id = $2
      and users.disabled_at is null
    for share
    returning
      user_id
  ),
  ended as (
    delete from mailed_links using issued
    where
      mailed_links.user_id = issued.user_id
      and mailed_links.purpose = 'reset'
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $4::text,
      coalesce($5::integer, null),
      $6::text,
      coalesce($7::text, null),
      $8,
      $9,
      acting_administrator ($10::bytea)
    from
      issued
    limit
      1
  )
select
  user_id
from
  issued
