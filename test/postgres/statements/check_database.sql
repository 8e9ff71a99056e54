select
  current_setting('transaction_read_only')::boolean as is_read_only,
  (
    select
      name
    from
      settings
    limit
      1
  ) as any_setting
