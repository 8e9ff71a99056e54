delete from sessions
where
  sid_sha256 = $1
