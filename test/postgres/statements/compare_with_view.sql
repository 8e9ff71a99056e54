select
  compare_with_view ($1, $2, $3, $4) as changed
