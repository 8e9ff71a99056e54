update database_clock
set
  looked_at = now(),
  steady_since = case
    when looked_at is null then steady_since
    when now() between looked_at - make_interval(secs => 30) and looked_at + make_interval(secs => $1) then steady_since
    else now()
  end
returning
  steady_since <= now() - interval '1 hour' as is_steady,
  extract(
    epoch
    from
      now()
  )::double precision as seconds
