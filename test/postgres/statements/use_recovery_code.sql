delete from recovery_codes
where
  user_id = $1
  and code_sha256 = $2
returning
  user_id
