select
  name
from
  sign_in_names
where
  name = folded_name ($1)
