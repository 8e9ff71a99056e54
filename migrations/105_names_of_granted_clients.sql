-- The name that the client had when the person allowed it; null for grants made before this migration.
alter table grants add column client_name text;
