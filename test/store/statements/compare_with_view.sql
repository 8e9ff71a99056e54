select
  compare_with_view ($1, $2, $3) as changed
