select
  choices.name,
  (
    select
      count(*)
    from
      pg_proc defined
    where
      defined.proname = 'choice ' || choices.name
      and defined.pronamespace = current_schema()::regnamespace
      and pg_get_userbyid(defined.proowner) = 'latchkey_reader'
  ) = 4 as is_readable,
  array(
    select
      scope
    from
      unnest(choices.scopes) scope
    where
      not exists (
        select
        from
          scopes
        where
          scopes.name = scope
      )
  ) as unknown_scopes
from
  choices
where
  choices.disabled_at is null
order by
  choices.name
limit
  100
