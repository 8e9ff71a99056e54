-- Lets a person sign in as who they are at a provider. For people who move in: an operator states whose identity it is.
create or replace function link_identity(username text, issuer text, subject text) returns integer language plpgsql as $$
#variable_conflict use_variable
declare
  -- locked, so that the count is right
  id integer := (select u.user_id from users u where u.username = link_identity.username for no key update);
  owner integer;
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (values
      ('username', username, case
        when username is null then array['missing', 'username is missing']
        when id is null then array['unknown', format('there is no user %L', username)]
        -- all that the account page shows (src/people/providers/identities.sql.ts)
        when count_identities(id) >= 20
          and not exists (select from identities i where i.issuer = link_identity.issuer and i.subject = link_identity.subject)
          then array['too_many', format('the user %L has 20 identities already', username)] end),
      ('issuer', issuer, case
        when issuer is null then array['missing', 'issuer is missing']
        when not exists (select from providers p where link_identity.issuer = any (p.issuers))
          then array['unknown', format('issuer %L is that of no registered provider', issuer)] end),
      ('subject', subject, case
        when subject is null then array['missing', 'subject is missing']
        when subject !~ '^[\x21-\x7e]{1,255}$'
          then array['malformed', 'subject is not made of 1 to 255 ASCII characters without spaces'] end)
    ) checked (field, value, problem)
    where problem is not null);
begin
  if problems is not null then
    perform refuse_values(format('link_identity(%L)', username), problems);
  end if;
  insert into identities as known (issuer, subject, user_id, by_operator)
  values (issuer, subject, id, true)
  -- locks the row, so that it is not removed before it was looked at
  on conflict on constraint identities_pkey do update
  set by_operator = true
  returning user_id into owner;
  if owner <> id then
    perform refuse_values(format('link_identity(%L)', username), jsonb_build_array(jsonb_build_object(
      'field', 'subject', 'rule', 'taken', 'value', subject, 'sentence', format(
        'subject %L of %L is the identity of %L already', subject, issuer,
        (select u.username from users u where u.user_id = owner)))));
  end if;
  return id;
end $$;
