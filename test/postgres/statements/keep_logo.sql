update client_logos
set
  image = $3
where
  client_id = $1
  and uri = $2
  and image is null
