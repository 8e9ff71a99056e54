delete from sessions
where
  user_id = $1
  and sid_sha256 <> $2
