select
  field,
  rule,
  value,
  sentence
from
  check_registration ($1)
