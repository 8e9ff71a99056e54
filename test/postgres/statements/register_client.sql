select
  keep_client ($1)
