select
  copy_from_view ($1, $2) as outcome
