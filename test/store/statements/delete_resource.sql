delete from resources
where
  resource = $1
returning
  resource
