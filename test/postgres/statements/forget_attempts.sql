delete from attempts
where
  key = any ($1)
