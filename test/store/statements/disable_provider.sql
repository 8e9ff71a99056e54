update providers
set
  disabled_at = coalesce(disabled_at, now())
where
  name = $1
returning
  name
