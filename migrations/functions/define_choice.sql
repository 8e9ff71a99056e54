-- Makes the functions that read a choice: a page of it, which of some values are in it, how many of its first values cannot be chosen,
-- and what latchkey_reader may not read of it, for which the query is planned and not executed. They have the rights of latchkey_reader
-- only, see define_claim. Values that could be taken for something else, or not be sent by a form, are never given.
create or replace function define_choice(name text, query text) returns void language plpgsql as $$
declare
  usable constant text := E'value <> ''*'' and length(value) between 1 and 255 and value !~ ''[\u0001-\u001f\u007f-\u009f]''';
  possible constant text := format(E'(\n%s\n) possible', query);
  shown constant text := 'select coalesce(jsonb_agg(jsonb_build_object(''value'', value, ''label'', label, ''hint'', hint)), ''[]'') from (select value, coalesce(label, value) as label, to_jsonb(possible) ->> ''hint'' as hint from';
  wanted record;
  choice text;
begin
  for wanted in
    select *
    from (values
      ('', 'plpgsql volatile', format(
        'begin execute %L using null::text; return null; exception when insufficient_privilege then return to_jsonb(sqlerrm); when others then return null; end',
        format('explain select value, label from %s', possible))),
      ('text, text, integer', 'sql stable', format('%s %s where %s and ($2 = '''' or position(lower($2) in lower(coalesce(label, value))) > 0) limit 51 offset $3) shown', shown, possible, usable)),
      ('text, text[]', 'sql stable', format('%s %s where %s and value = any ($2)) shown', shown, possible, usable)),
      ('text', 'sql stable', format('select to_jsonb(count(*) filter (where (%s) is not true)) from (select value, label from %s limit 1000) looked_at', usable, possible))
    ) functions (arguments, language, body)
  loop
    choice := format('%I.%I(%s)', current_schema(), 'choice ' || name, wanted.arguments);
    execute format('drop function if exists %s', choice);
    execute format(
      'create function %s returns jsonb language %s security definer set search_path from current as %L',
      choice, wanted.language, wanted.body);
    execute format('revoke all on function %s from public', choice);
    execute format('grant execute on function %s to %I', choice, current_user);
    execute format('grant create on schema %I to latchkey_reader', current_schema());
    execute format('alter function %s owner to latchkey_reader', choice);
    execute format('revoke create on schema %I from latchkey_reader', current_schema());
  end loop;
end $$;
