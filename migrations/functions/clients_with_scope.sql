-- Some clients that are registered for a scope, at most so many. One that many have is found among the first thousand clients; of one that
-- few have, the index has few entries. It is used whatever the settings of the connection are: for a few rows the planner would rather
-- look through the whole table, which it reads to its end if there are none.
create or replace function clients_with_scope(scope text, most integer) returns setof text language plpgsql stable
set enable_seqscan = off
set enable_indexscan = off
set enable_bitmapscan = on
as $$
declare
  found_among_first text[] := array(
    select c.client_id
    from (select client_id, scopes, deleted_at from clients limit 1000) c
    where c.scopes @> array[clients_with_scope.scope]
      and c.deleted_at is null
    limit most);
begin
  if cardinality(found_among_first) = most then
    return query select unnest(found_among_first);
  else
    return query
    select c.client_id
    from clients c
    where c.scopes @> array[clients_with_scope.scope]
      and c.deleted_at is null
    limit most;
  end if;
end $$;
