select
  compare_with_view ($1, $2) as changed
