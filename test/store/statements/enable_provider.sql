update providers
set
  disabled_at = null
where
  name = $1
returning
  name
