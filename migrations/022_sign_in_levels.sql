-- What a scope demands of the sign-in behind a token [9470]: two factors, or one that is known (see src/values/sign-in-level.ts), and
-- its age in seconds.
alter table scopes
  add column acr smallint constraint scopes_acr check (acr in (1, 2)),
  add column max_age integer constraint scopes_max_age check (max_age > 0);

-- The sign-in from which a code came: what is younger or stronger later belongs to another code. Null: unknown, which counts as too old
-- and too weak. No check of the values, which would read the table.
alter table authorization_codes
  add column auth_time timestamptz,
  add column acr smallint;
