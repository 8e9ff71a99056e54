update providers
set
  disabled_at = null
where
  name = $1
  and not (providers.disabled_at is null)
returning
  name
