update started_sign_ins
set
  detail = detail || jsonb_build_object('answer', $2::text)
where
  state_sha256 = $1
  and source = 'website'
  and not detail ? 'answer'
  and started_sign_ins.expires_at > now()
returning
  query
