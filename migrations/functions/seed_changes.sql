-- What the run of a seed in this transaction has changed, row by row. `changes` has the new values, of secrets only that they are others;
-- `drift` names what somebody else has changed since the last run of this seed; `adopted`: it was not this seed's before.
create or replace function seed_changes(seed text)
returns table (action text, kind text, id text, changes jsonb, drift text[], adopted boolean, earlier jsonb, present jsonb) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  -- materialized: in line, the functions would be called once for every mention
  with touched as materialized (
    select s.kind, s.key, s.earlier, s.is_named, row_of_seed(s.kind, s.key) as present, r.state,
      r.seed is not distinct from seed_changes.seed as is_own
    from pg_temp.seeding s
    left join seeded_rows r on r.kind = s.kind and r.key = s.key
  ), declared as materialized (
    select *, declared_values(kind, earlier) as before, declared_values(kind, present) as after
    from touched
  ), compared as materialized (
    select *,
      (select coalesce(jsonb_object_agg(v.key, case
           when v.key not in ('client_secret', 'password') or v.value = 'null' then v.value
           when before is null then '"set"'
           else '"another"' end), '{}')
       from jsonb_each(coalesce(after, '{}')) v
       where case when before is null then v.value not in ('null', '[]', '{}', 'false', to_jsonb(key)) else v.value is distinct from before -> v.key end) as changes,
      array(
        select v.key
        from jsonb_each(case when is_own then state else '{}' end) v
        where before ? v.key and v.value is distinct from before -> v.key
        order by v.key) as drift
    from declared
  )
  select case
      when before is null then 'create'
      when after is null then 'delete'
      when changes ->> 'disabled' = 'true' then 'disable'
      else 'update' end,
    kind,
    case when kind = 'user' then coalesce(after, before) ->> 'username' else key end,
    changes, drift, is_named and not is_own and before is not null, earlier, present
  from compared
  where before is distinct from after or (is_named and not is_own and before is not null and after is not null)
  order by array_position(array['scope', 'group', 'provider', 'claim', 'choice', 'user', 'client', 'resource'], kind), 3;
end $$;
