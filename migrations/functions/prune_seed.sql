-- Disables the clients, people, providers, resources, claims and choices that this seed has registered and its file no longer names.
-- Scopes and their groups cannot be disabled: what people have allowed is known by their names. They stay.
create or replace function prune_seed(seed text) returns void language plpgsql as $$
declare
  reason constant text := format('the seed %s no longer names it', seed);
begin
  create temporary table pruned on commit drop as
  select r.kind, r.key
  from seeded_rows r
  where r.seed = prune_seed.seed
    and not exists (select from pg_temp.seeding s where s.kind = r.kind and s.key = r.key and s.is_named);
  with disabled as (
    update clients c
    set disabled_at = now(), disabled_by_owner = false
    from pg_temp.pruned p
    where p.kind = 'client' and c.client_id = p.key and c.disabled_at is null
    returning c.client_id
  )
  insert into audit_events (event, client_id, request_id, detail)
  select 'client_disabled', client_id, 'seed', reason from disabled;
  with disabled as (
    update users u
    set disabled_at = now(), disabled_there = false
    from pg_temp.pruned p
    where p.kind = 'user' and u.user_id = p.key::integer and u.disabled_at is null
    returning u.user_id
  )
  insert into audit_events (event, user_id, request_id, detail)
  select 'user_disabled', user_id, 'seed', reason from disabled;
  with disabled as (
    update providers v
    set disabled_at = now()
    from pg_temp.pruned p
    where p.kind = 'provider' and v.name = p.key and v.disabled_at is null
    returning v.name
  )
  insert into audit_events (event, request_id, detail)
  select 'provider_disabled', 'seed', format('%s: %s', name, reason) from disabled;
  with disabled as (
    update resources t
    set disabled_at = now()
    from pg_temp.pruned p
    where p.kind = 'resource' and t.resource = p.key and t.disabled_at is null
    returning t.resource as name
  )
  insert into audit_events (event, request_id, detail)
  select 'resource_disabled', 'seed', format('%s: %s', name, reason) from disabled;
  with disabled as (
    update claims t
    set disabled_at = now()
    from pg_temp.pruned p
    where p.kind = 'claim' and t.name = p.key and t.disabled_at is null
    returning t.name as name
  )
  insert into audit_events (event, request_id, detail)
  select 'claim_disabled', 'seed', format('%s: %s', name, reason) from disabled;
  with disabled as (
    update choices t
    set disabled_at = now()
    from pg_temp.pruned p
    where p.kind = 'choice' and t.name = p.key and t.disabled_at is null
    returning t.name
  )
  insert into audit_events (event, request_id, detail)
  select 'choice_disabled', 'seed', format('%s: %s', name, reason) from disabled;
  update seeded_rows r
  set pruned_at = now()
  from pg_temp.pruned p
  where r.kind = p.kind and r.key = p.key and (row_of_seed(r.kind, r.key) ->> 'disabled_at')::timestamptz = now();
end $$;
