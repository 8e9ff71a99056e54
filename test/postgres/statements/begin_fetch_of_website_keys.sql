insert into
  website_key_sets (uri, next_try_at)
values
  ($1, now() + interval '6 seconds')
on conflict (uri) do update
set
  next_try_at = excluded.next_try_at
where
  (
    website_key_sets.next_try_at is null
    or website_key_sets.next_try_at not between clock_timestamp() and clock_timestamp() + make_interval(secs => 6)
  )
returning
  uri
