-- Counts an attempt under each key and returns 0; or, if any key is blocked, counts nothing and returns the seconds to wait.
-- The first `free` attempts of a quarter of an hour are free, then the waits double from `pause` to `longest`. Attempts during
-- a wait are not counted, so that a stranger cannot lock anybody out for longer than `longest`. Nor can a clock that was ahead: what
-- is further in the future than this function ever puts it counts for nothing, and a free attempt leaves no time that could be ahead.
create or replace function count_attempts(keys text[], free integer[], pause integer[], longest integer[], people integer[] default null) returns integer
language plpgsql as $$
declare
  wait integer;
begin
  -- attempts under the same key run one after the other, or simultaneous ones would share the last free attempt
  perform pg_advisory_xact_lock(number)
  from (select distinct hashtextextended(key, 0) as number from unnest(keys) key order by number) locks;
  delete from attempts a
  using unnest(keys, longest) l (key, longest)
  where a.key = l.key
    and a.forgotten_at > clock_timestamp() + make_interval(secs => greatest(900, 2 * l.longest) + 60);
  select ceil(extract(epoch from max(a.blocked_until) - clock_timestamp())) into wait
  from attempts a where a.key = any (keys) and a.blocked_until > clock_timestamp();
  if wait > 0 then return wait; end if;
  insert into attempts as a (key, user_id, attempts, blocked_until, forgotten_at)
  select key, person, 0, '-infinity', now() + interval '15 minutes' from unnest(keys, people) counted (key, person)
  on conflict (key) do update
  set attempts = 0, forgotten_at = excluded.forgotten_at
  where a.forgotten_at <= now();
  update attempts a
  set attempts = a.attempts + 1,
      blocked_until = case when a.attempts + 1 < l.free then '-infinity'
        else now() + make_interval(secs => least(l.longest, l.pause * power(2, least(a.attempts + 1 - l.free, 20)))) end,
      forgotten_at = case when a.attempts + 1 < l.free then a.forgotten_at
        else greatest(a.forgotten_at, now() + make_interval(secs => 2 * l.longest)) end
  from unnest(keys, free, pause, longest) l (key, free, pause, longest)
  where a.key = l.key;
  return 0;
end $$;
