-- Why this user cannot give a function to the role latchkey_reader, with whose rights the queries of operators run; null if it can.
create or replace function reader_problem() returns text[] language sql stable as $$
  select case
    when not exists (select from pg_roles where rolname = 'latchkey_reader')
      then array['missing', format('there is no role latchkey_reader; a superuser makes it: create role latchkey_reader; grant latchkey_reader to %I', current_user)]
    -- to hand a function over, which is a right of its own since Postgres 16, and to drop it again
    when not pg_has_role(current_user, 'latchkey_reader', case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end)
      or not pg_has_role(current_user, 'latchkey_reader', 'usage')
      then array['missing', format('%I cannot hand a function over to the role latchkey_reader; a superuser permits it: grant latchkey_reader to %I%s',
        current_user, current_user, case when current_setting('server_version_num')::integer >= 160000 then ' with inherit true, set true' end)]
    when not has_schema_privilege('latchkey_reader', current_schema(), 'create')
      and not has_schema_privilege(current_user, current_schema(), 'create with grant option')
      then array['missing', format('%1$I cannot let the role latchkey_reader have a function in the schema %2$I; its owner permits it: grant create on schema %2$I to %1$I with grant option',
        current_user, current_schema())] end
$$;
