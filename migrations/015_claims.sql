-- What the operator defines beside the profile.

-- A member of the answer of /user, of introspection and of JWTs, for applications with its scope. define_claim makes a function of it.
create table claims (
  name text primary key,
  scope text not null references scopes,
  -- with $1 for the subject; null: the row of the view latchkey_claims
  query text
);

-- by language, where the operator gives one
alter table scopes add column sentences jsonb not null default '{}';

-- The queries run with its rights. Where this user may not create roles, register_claim says what to do.
do $$
begin
  if not exists (select from pg_roles where rolname = 'latchkey_reader') then
    create role latchkey_reader nologin;
    -- who makes a role may not hand anything over to it, unless it is a superuser
    execute format('grant latchkey_reader to %I', current_user);
  end if;
exception
  -- roles belong to the whole server: another database may do the same at this moment
  when insufficient_privilege or duplicate_object or unique_violation then null;
end $$;
