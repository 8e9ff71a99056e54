update clients
set
  is_demo = true,
  disabled_at = case
    when not disabled_by_owner then disabled_at
  end,
  disabled_by_owner = false
where
  client_id = $1
returning
  disabled_at
