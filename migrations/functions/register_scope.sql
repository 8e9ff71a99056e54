-- Registers a scope, or updates it. Its sentences are what people read: on the consent page, and on the page of an application.
create or replace function register_scope(
  name text,
  sentence text,
  group_name text default null,
  sentences jsonb default '{}',
  changes boolean default null
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (
      values
      ('name', name, case
        when coalesce(name, '') !~ '^[a-z][a-z0-9:_.-]{0,63}$'
          then array['malformed', format('scope %L is no lower-case letter with at most 63 letters, digits and : _ . - after it', name)]
        when name in ('user:name', 'user:email', 'user:write', 'repo:read', 'repo:write')
          then array['built_in', format('scope %L belongs to this server, which has its sentence in all languages', name)]
        when name = 'offline_access'
          then array['offline_access', 'scope offline_access asks for a refresh token and cannot be a permission']
        when exists (select from scopes s where s.group_name = name and s.name <> name)
          then array['reserved', format('%L is a group: requests name all of its scopes by it', name)] end),
      ('group_name', group_name, case
        when group_name !~ '^[a-z][a-z0-9:_.-]{0,63}$'
          then array['malformed', format('group %L is no lower-case letter with at most 63 letters, digits and : _ . - after it', group_name)]
        when group_name = 'offline_access' and name <> group_name
          then array['offline_access', 'offline_access asks for a refresh token and cannot be a group']
        when group_name <> name and exists (select from scopes s where s.name = group_name)
          then array['reserved', format('%L is a scope, so it cannot be a group', group_name)] end)
      union all
      select * from check_sentences(sentence, sentences)
    ) checked (field, value, problem)
    where problem is not null);
begin
  if problems is not null then
    perform refuse_values(format('register_scope(%L)', name), problems);
  end if;
  insert into scopes (name, group_name, sentence, sentences, changes)
  values (name, coalesce(group_name, name), sentence, sentences, changes)
  on conflict on constraint scopes_pkey do update
  set sentence = excluded.sentence, sentences = excluded.sentences, changes = excluded.changes,
      group_name = coalesce(register_scope.group_name, scopes.group_name)
  -- whoever adds a new scope changes none that somebody else has added at this moment (src/catalogue/scopes.sql.ts)
  where current_setting('latchkey.adds_new', true) is distinct from 'yes';
  return case when found then name end;
end $$;
