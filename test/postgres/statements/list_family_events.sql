select
  events.happened_at,
  events.event,
  events.by_operator
from
  authorization_codes code
  cross join lateral (
    (
      select
        happened_at,
        event,
        by_user_id is not null
        or by_system_user is not null as by_operator
      from
        audit_trail
      where
        audit_trail.code_id = code.code_id
      order by
        happened_at desc
      limit
        20
    )
    union
    (
      select
        happened_at,
        event,
        by_user_id is not null
        or by_system_user is not null as by_operator
      from
        audit_trail
      where
        audit_trail.code_id = code.code_id
        and audit_trail.happened_at >= code.revoked_at
      order by
        happened_at
      limit
        20
    )
    union
    (
      select
        happened_at,
        event,
        by_user_id is not null
        or by_system_user is not null as by_operator
      from
        audit_trail
      where
        audit_trail.code_id = code.code_id
        and audit_trail.happened_at >= $2
      order by
        happened_at
      limit
        20
    )
  ) events
where
  code.code_id = $1
order by
  events.happened_at desc
