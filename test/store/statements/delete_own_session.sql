delete from sessions
where
  user_id = $1
  and sid_sha256 between $2 and $2 || decode(repeat('ff', 32), 'hex')
returning
  user_id
