-- Enables what this file names and an earlier run has pruned. What somebody has disabled since, or before, stays disabled.
create or replace function enable_seeded_rows() returns void language plpgsql as $$
begin
  update clients c
  set disabled_at = null
  from seeded_rows r
  join pg_temp.seeding s using (kind, key)
  where r.client_id = c.client_id and s.is_named and r.pruned_at = c.disabled_at;
  update users u
  set disabled_at = null
  from seeded_rows r
  join pg_temp.seeding s using (kind, key)
  where r.user_id = u.user_id and s.is_named and r.pruned_at = u.disabled_at;
  update providers p
  set disabled_at = null
  from seeded_rows r
  join pg_temp.seeding s using (kind, key)
  where r.provider = p.name and s.is_named and r.pruned_at = p.disabled_at;
end $$;
