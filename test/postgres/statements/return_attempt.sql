update attempts
set
  attempts = greatest(attempts - 1, 0)
where
  key = any ($1)
