select
  explain_view ($1) as plan
