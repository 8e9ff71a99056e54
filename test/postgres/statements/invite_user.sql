with
  ended as (
    delete from sign_up_links
    where
      $4
      and folded_name (address) = folded_name ($2)
      and is_invitation
  ),
  invited as (
    insert into
      sign_up_links (token_sha256, address, is_invitation, expires_at)
    values
      ($1, $2, true, now() + make_interval(secs => $3))
    returning
      address
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $5::text,
      coalesce($6::integer, null),
      $7::text,
      coalesce($8::text, null),
      $9,
      $10,
      acting_administrator ($11::bytea)
    from
      invited
    limit
      1
  )
select
  address
from
  invited
