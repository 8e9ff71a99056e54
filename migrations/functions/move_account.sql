-- Decides who may speak for an account from now on: 'here', 'website', 'view' or 'provider:NAME'.
create or replace function move_account(subject text, source text) returns integer language plpgsql as $$
#variable_conflict use_variable
declare
  moved integer;
begin
  if coalesce(source, '') !~ '^(here|website|view|provider:.+)$' then
    perform refuse_values(format('move_account(%L, %L)', subject, source), jsonb_build_array(jsonb_build_object(
      'field', 'source', 'rule', 'unknown', 'value', source, 'sentence', format('source %L is none of here, website, view and provider:NAME', source))));
  end if;
  update users u
  set source = move_account.source
  where coalesce(u.subject, u.user_id::text) = move_account.subject
    and u.deleted_at is null
  returning u.user_id into moved;
  if moved is null then
    perform refuse_values(format('move_account(%L, %L)', subject, source), jsonb_build_array(jsonb_build_object(
      'field', 'subject', 'rule', 'unknown', 'value', subject, 'sentence', format('there is no account with the subject %L', subject))));
  end if;
  return moved;
end $$;
