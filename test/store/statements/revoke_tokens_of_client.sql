update clients
set
  tokens_not_before = now()
where
  client_id = $1
  and deleted_at is null
returning
  client_id
