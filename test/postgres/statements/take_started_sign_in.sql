delete from started_sign_ins
where
  state_sha256 = $1
  and browser_sha256 = $2
  and source = $3
  and started_sign_ins.expires_at > now()
  and started_sign_ins.started_at < now() + interval '1 day'
returning
  source,
  query,
  detail,
  date_part('epoch', started_at) as started_at,
  date_part('epoch', now()) as taken_at
