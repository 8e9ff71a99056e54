update clients
set
  vouched = $2
where
  client_id = $1
returning
  client_id
