-- Registers a choice, or updates and enables it: which of their things people show the applications that have one of these scopes.
create or replace function register_choice(
  name text,
  scopes text[],
  sentence text,
  query text,
  sentences jsonb default '{}',
  many boolean default true,
  may_be_all boolean default false,
  all_sentence text default null,
  all_sentences jsonb default '{}'
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  bare constant text := bare_query(query);
  unreadable text;
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (
      values
      ('name', name, case
        -- the names of its functions are 7 longer, and Postgres would cut those to 63
        when coalesce(name, '') !~ '^[A-Za-z][A-Za-z0-9_.:/-]{0,55}$'
          then array['malformed', format('name %L is no letter with at most 55 letters, digits and _ . : / - after it', name)] end),
      ('scopes', array_to_string(scopes, ' '), case
        when coalesce(cardinality(scopes), 0) = 0 then array['missing', 'scopes is empty: a choice is asked for with its scopes']
        when exists (select from unnest(scopes) scope where coalesce(scope, '') !~ '^[a-z][a-z0-9:_.-]{0,63}$')
          then array['malformed', 'scopes has a name that is no lower-case letter with at most 63 letters, digits and : _ . - after it']
        when exists (select from scopes s where s.group_name = any (scopes) and s.name <> s.group_name)
          then array['reserved', 'scopes has a group, which no token has: name the scopes in it']
        when exists (select from choices c where c.name <> register_choice.name and c.scopes && register_choice.scopes and c.disabled_at is null)
          then array['reserved', format('scopes has one that belongs to the choice %L already', (
            select min(c.name) from choices c where c.name <> register_choice.name and c.scopes && register_choice.scopes and c.disabled_at is null))] end)
      union all
      select * from check_sentences(sentence, sentences)
      union all
      select 'all_' || field, value, array[problem[1], 'all_' || problem[2]]
      from check_sentences(coalesce(all_sentence, '-'), all_sentences)
      where problem is not null
      union all
      values
      ('many', null, case when many is null then array['missing', 'many is null: true for boxes, false for exactly one'] end),
      ('may_be_all', null, case when may_be_all is null then array['missing', 'may_be_all is null: true or false'] end),
      ('query', null, case
        when query is null then array['missing', 'query is missing: select … as value, … as label, … as hint from … where … = $1']
        when bare ~ ';' then array['malformed', 'query is more than one statement: it must not contain a semicolon']
        when bare ~ '\$(?!1(?!\d))\d' then array['malformed', 'query has another parameter than $1, the subject of the person']
        when bare !~ '\$1(?!\d)' then array['malformed', 'query does not use $1, the subject of the person'] end),
      ('role', null, reader_problem())
    ) checked (field, value, problem)
    where problem is not null);
begin
  if problems is not null then
    perform refuse_values(format('register_choice(%L)', name), problems);
  end if;
  -- a choice that keeps its scopes, as at each start with a seed, holds up nobody who decides meanwhile
  perform from choices c where c.name = register_choice.name and c.scopes = register_choice.scopes and c.disabled_at is null for no key update;
  if not found then
    -- of two that take the same scope at this moment, the second sees the first
    perform lock_choices();
    if exists (select from choices c where c.name <> register_choice.name and c.scopes && register_choice.scopes and c.disabled_at is null) then
      perform refuse_values(format('register_choice(%L)', name), jsonb_build_array(jsonb_build_object(
        'field', 'scopes', 'rule', 'reserved', 'value', null, 'sentence', 'scopes has one that belongs to another choice already')));
    end if;
  end if;
  insert into choices (name, scopes, sentence, sentences, many, may_be_all, query, all_sentence, all_sentences)
  values (name, scopes, sentence, sentences, many, may_be_all, query, all_sentence, all_sentences)
  on conflict on constraint choices_pkey do update
  set scopes = excluded.scopes, sentence = excluded.sentence, sentences = excluded.sentences, many = excluded.many,
    may_be_all = excluded.may_be_all, query = excluded.query, all_sentence = excluded.all_sentence, all_sentences = excluded.all_sentences, disabled_at = null;
  perform define_choice(name, query);
  execute format('select %I() #>> ''{}''', 'choice ' || name) into unreadable;
  if unreadable is not null then
    perform refuse_values(format('register_choice(%L)', name), jsonb_build_array(jsonb_build_object(
      'field', 'query', 'rule', 'unreadable', 'value', null,
      'sentence', format('query reads what latchkey_reader may not read: %s; first grant select on … to latchkey_reader, and usage on its schema', unreadable))));
  end if;
  return name;
exception when syntax_error_or_access_rule_violation or feature_not_supported or invalid_function_definition or invalid_text_representation then
  perform refuse_values(format('register_choice(%L)', name), jsonb_build_array(jsonb_build_object(
    'field', 'query', 'rule', 'refused', 'value', null, 'sentence', format('query is refused: %s', sqlerrm))));
end $$;
