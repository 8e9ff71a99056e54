select
  attname as name,
  format_type(atttypid, null) as type
from
  pg_attribute
where
  attrelid = to_regclass('latchkey_accounts')
  and attnum > 0
  and not attisdropped
order by
  attnum
