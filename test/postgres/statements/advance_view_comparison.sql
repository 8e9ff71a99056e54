update view_comparison
set
  held_until = clock_timestamp() + interval '30 seconds',
  stamps_since = least($2::timestamptz, now()),
  after_stamp = $3,
  after_subject = $4,
  after_user = $5
where
  holder = $1
returning
  holder
