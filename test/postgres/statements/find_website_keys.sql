select
  keys,
  date_part('epoch', clock_timestamp() - fetched_at) as age
from
  website_key_sets
where
  uri = $1
