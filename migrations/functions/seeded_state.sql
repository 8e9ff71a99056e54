-- What of a row is compared with what the last run of its seed left. Secrets, passwords and bars are not: those that were set since stay.
create or replace function seeded_state(kind text, r jsonb) returns jsonb language sql stable as $$
  select declared_values(kind, r) - array['client_secret', 'password', 'disabled']
$$;
