-- Some clients that are registered for a scope, at most so many. The index finds them, whatever the settings of the connection are: for a
-- few rows the planner would rather look through the whole table, which a scope without clients would make it read to its end.
create or replace function clients_with_scope(scope text, most integer) returns setof text language sql stable
set enable_seqscan = off
set enable_indexscan = off
set enable_bitmapscan = on
as $$
  select c.client_id
  from clients c
  where c.scopes @> array[clients_with_scope.scope]
    and c.deleted_at is null
  limit most
$$;
