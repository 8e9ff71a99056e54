with
  saved as (
    select
      is_changed
    from
      save_client ($1, $2, by_admin => true, secret_sha256 => $3) is_changed
    where
      is_changed is not null
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
      (
        select
        from
          saved
        where
          is_changed
      ) changed
    limit
      1
  )
select
  is_changed
from
  saved
