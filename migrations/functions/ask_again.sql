-- Ends what people have allowed of a scope, because it is another one from now on: they are asked again, and tokens no longer have it.
create or replace function ask_again(scope text) returns void language plpgsql
set enable_seqscan = off
as $$
declare
  counted constant jsonb := coalesce(nullif(current_setting('latchkey.asked_again', true), ''), '{}');
  number integer;
begin
  update grants g
  set scopes = array_remove(g.scopes, ask_again.scope),
      -- 'org:read', 'org:read@https://api.example', with a choice 'org:read#organizations'
      decided = array(select one from unnest(g.decided) one where split_part(translate(one, '#', '@'), '@', 1) <> ask_again.scope),
      to_confirm = array_remove(g.to_confirm, ask_again.scope),
      changed_at = now()
  where (g.scopes || '{}'::text[]) @> array[ask_again.scope]
    and g.revoked_at is null;
  get diagnostics number = row_count;
  -- for the plan of a seed
  if number > 0 then
    number := number + coalesce((counted ->> scope)::integer, 0);
    perform set_config('latchkey.asked_again', (counted || jsonb_build_object(scope, number))::text, true);
  end if;
end $$;
