select
  subject
from
  missing_in_view ($1) missing (subject)
