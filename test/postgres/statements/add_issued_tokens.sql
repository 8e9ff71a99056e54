insert into
  issued_tokens (client_id, day, total)
select
  client_id,
  (now() at time zone 'UTC')::date,
  total
from
  unnest($1::text[], $2::bigint[]) counted (client_id, total)
order by
  client_id
on conflict on constraint issued_tokens_pkey do update
set
  total = issued_tokens.total + excluded.total
