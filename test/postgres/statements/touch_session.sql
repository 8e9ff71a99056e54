update sessions
set
  last_used_at = now()
where
  sid_sha256 = $1
