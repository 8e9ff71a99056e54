select
  name
from
  migrations
order by
  number desc
limit
  1
