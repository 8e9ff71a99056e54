-- Notes at the end of a run what it has named, and how it has left that. Nothing is written where nothing has changed.
create or replace function keep_seeded_rows(seed text) returns void language plpgsql as $$
begin
  insert into seeded_rows as kept (kind, key, seed, state)
  select s.kind, s.key, keep_seeded_rows.seed, seeded_state(s.kind, row_of_seed(s.kind, s.key))
  from pg_temp.seeding s
  where s.is_named
    and seeded_state(s.kind, row_of_seed(s.kind, s.key)) is not null
  on conflict on constraint seeded_rows_pkey do update
  set seed = excluded.seed, state = excluded.state, pruned_at = null
  where (kept.seed, kept.state) is distinct from (excluded.seed, excluded.state) or kept.pruned_at is not null;
end $$;
