-- Says how a group of scopes is called on pages, in other languages by `sentences`.
create or replace function describe_group(
  name text,
  sentence text,
  sentences jsonb default '{}'
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (
      values ('name', name, case
        when name in ('user', 'user:write', 'repo')
          then array['built_in', format('group %L belongs to this server, which has its sentence in all languages', name)]
        when not exists (select from scopes s where s.group_name = name)
          then array['unknown', format('no scope is in a group %L', name)] end)
      union all
      select * from check_sentences(sentence, sentences)
    ) checked (field, value, problem)
    where problem is not null);
begin
  if problems is not null then
    perform refuse_values(format('describe_group(%L)', name), problems);
  end if;
  insert into scope_groups (name, sentence, sentences)
  values (name, sentence, sentences)
  on conflict on constraint scope_groups_pkey do update
  set sentence = excluded.sentence, sentences = excluded.sentences;
  return name;
end $$;
