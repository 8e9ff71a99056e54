select
  count_attempts ($1, $2, $3, $4, $5) as wait
