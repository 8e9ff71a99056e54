-- Registers a claim about people, or updates and enables it. Without a query it is the row of the view latchkey_claims(subject, name, value).
create or replace function register_claim(
  name text,
  scope text,
  sentence text,
  query text default null,
  sentences jsonb default '{}'
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  bare constant text := bare_query(query);
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (
      values
      ('name', name, case
        -- the name of its function is 6 longer, and Postgres would cut that to 63: two claims would be one function
        when coalesce(name, '') !~ '^[A-Za-z][A-Za-z0-9_.:/-]{0,56}$'
          then array['malformed', format('name %L is no letter with at most 56 letters, digits and _ . : / - after it', name)]
        when lower(name) = any (reserved_claims()) then array['reserved', format('name %L means something else already', name)] end),
      ('scope', scope, case
        when coalesce(scope, '') !~ '^[a-z][a-z0-9:_.-]{0,63}$'
          then array['malformed', format('scope %L is no lower-case letter with at most 63 letters, digits and : _ . - after it', scope)]
        when scope in ('user:name', 'user:email', 'user:write', 'repo:read', 'repo:write') or exists (select from scopes s where s.group_name = scope and s.name <> scope)
          then array['reserved', format('scope %L has another meaning, to which people have consented', scope)] end)
      union all
      select * from check_sentences(sentence, sentences)
      union all
      values
      ('query', null, case
        when query is null and to_regclass('latchkey_claims') is null
          then array['missing', 'query is missing, and there is no view latchkey_claims(subject, name, value) either']
        when bare ~ ';' then array['malformed', 'query is more than one statement: it must not contain a semicolon']
        when bare !~ '\$1(?!\d)' then array['malformed', 'query does not use $1, the subject of the person'] end),
      ('role', null, reader_problem())
    ) checked (field, value, problem)
    where problem is not null);
begin
  if problems is not null then
    perform refuse_values(format('register_claim(%L)', name), problems);
  end if;
  insert into scopes (name, group_name, sentence, sentences)
  values (scope, scope, sentence, sentences)
  on conflict on constraint scopes_pkey do update
  set sentence = excluded.sentence, sentences = excluded.sentences;
  -- the sentence spoke of what the scope revealed until now
  if not exists (select from claims c where c.name = register_claim.name and c.scope = register_claim.scope) then
    perform ask_again(scope);
  end if;
  insert into claims (name, scope, query)
  values (name, scope, query)
  on conflict on constraint claims_pkey do update
  set scope = excluded.scope, query = excluded.query, disabled_at = null;
  perform define_claim(name, query);
  return name;
exception when syntax_error_or_access_rule_violation or feature_not_supported or invalid_function_definition then
  perform refuse_values(format('register_claim(%L)', name), jsonb_build_array(jsonb_build_object(
    'field', 'query', 'rule', 'refused', 'value', null, 'sentence', format('query is refused: %s', sqlerrm))));
end $$;
