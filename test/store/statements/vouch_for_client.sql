update clients
set
  vouched = $2
where
  client_id = $1
  and vouched <> $2
returning
  client_id
