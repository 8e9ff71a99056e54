-- How many people have allowed a scope, up to so many, and whether there are more. Somewhat more grants are read than people counted,
-- because a person can have several. A scope that many have allowed is found among the first ten thousand grants; of a scope that few have
-- allowed, the index has few entries. It is used whatever the settings of the connection are, as in clients_with_scope. At most ten thousand
-- of its grants are read, since all may have expired: whether there are more people is then not known. Grants that were revoked since the
-- last vacuum are read, too, without a bound: 300,000 take half a second.
create or replace function people_with_scope(scope text, most integer, out people integer, out has_more boolean) language plpgsql stable
set enable_seqscan = off
set enable_indexscan = off
set enable_bitmapscan = on
as $$
declare
  read constant integer := most + most / 10;
  -- null: there were more grants than are read
  found integer[] := array(
    select g.user_id
    from (select user_id, scopes, expires_at, revoked_at from grants limit 10000) g
    where g.scopes @> array[people_with_scope.scope]
      and g.revoked_at is null
      and (g.expires_at is null or g.expires_at > now())
    limit read);
begin
  if cardinality(found) < read then
    found := array(
      select case when g.at <= 10000 then g.user_id end
      from (
        select user_id, expires_at, row_number() over () as at
        from grants
        where (scopes || '{}'::text[]) @> array[people_with_scope.scope]
          and revoked_at is null
        limit 10001) g
      where g.at > 10000
        or g.expires_at is null
        or g.expires_at > now()
      limit read);
  end if;
  select least(count(distinct user_id), most),
    count(distinct user_id) > most or cardinality(found) = read or array_position(found, null) is not null
  into people, has_more
  from unnest(found) user_id;
end $$;
