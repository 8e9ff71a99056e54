-- Counts an attempt under one key and says how many seconds to wait before it may be made; 0: now. The first `free`
-- attempts of a quarter of an hour are free, then the waits double from `pause` to `longest`. An attempt that has to
-- wait is not counted: a stranger cannot lock anybody out for longer than `longest` by trying on.
create or replace function count_attempt(attempt_key text, free integer, pause integer, longest integer) returns integer
language plpgsql as $$
declare
  wait integer;
begin
  insert into attempts as a (key, attempts, blocked_until, forgotten_at)
  values (attempt_key, 1, now(), now() + interval '15 minutes')
  on conflict (key) do update
  set attempts = case when a.forgotten_at <= now() then 1 else a.attempts + 1 end,
      blocked_until = case
        when a.forgotten_at <= now() or a.attempts + 1 < free then now()
        else now() + make_interval(secs => least(longest, pause * power(2, least(a.attempts + 1 - free, 20)))) end,
      forgotten_at = case
        when a.forgotten_at <= now() then now() + interval '15 minutes'
        when a.attempts + 1 < free then a.forgotten_at
        else greatest(a.forgotten_at, now() + make_interval(secs => 2 * longest)) end
  where a.blocked_until <= clock_timestamp();
  if found then return 0; end if;
  select greatest(1, ceil(extract(epoch from a.blocked_until - clock_timestamp())))::integer into wait
  from attempts a where a.key = attempt_key;
  return wait;
end $$;
