update started_sign_ins
set
  detail = detail || jsonb_build_object('answer', $3::text)
where
  state_sha256 = $1
  and browser_sha256 = $2
  and source = 'website'
  and started_sign_ins.expires_at > now()
  and started_sign_ins.started_at < now() + interval '1 day'
  and not detail ? 'is_over'
  and (
    $4
    or not detail ? 'answer'
  )
returning
  query
