select
  people,
  has_more
from
  people_with_scope ($1, 1000)
