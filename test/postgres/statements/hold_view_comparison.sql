update view_comparison
set
  holder = $1,
  held_until = clock_timestamp() + interval '30 seconds'
where
  holder is not distinct from $1
  or held_until < clock_timestamp()
  -- of a clock that was ahead
  or held_until > clock_timestamp() + interval '1 minute'
returning
  stamps_since::text as stamps_since,
  after_stamp::text as after_stamp,
  after_subject,
  after_user,
  now()::text as now
