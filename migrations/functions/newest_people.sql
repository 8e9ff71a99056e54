-- How many different people used a client in the last seven days or gave it permissions, of so many of its newest grants that stand. The
-- planner does not know how many grants this client has: without these settings, it would sort all of them instead of following the index.
create or replace function newest_people(of_client text, most integer, out people integer, out grants_read integer) language sql stable
set enable_sort = off
set enable_bitmapscan = off
as $$
  select count(distinct user_id) filter (where greatest(last_used_at, granted_at) > now() - interval '7 days')::integer, count(*)::integer
  from (
    select user_id, last_used_at, granted_at
    from grants
    where client_id = of_client
      and revoked_at is null
    order by revoked_at, -grant_id
    limit most) newest
$$;
