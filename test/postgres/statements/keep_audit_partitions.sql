select
  keep_audit_partitions ($1, $2) as dropped
