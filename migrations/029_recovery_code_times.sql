-- When recovery codes were made: "This was not me" ends those of somebody else. Null: before this column was there.
-- The default is for the previous release, too, and a statement of its own, so that older codes get no time.
alter table recovery_codes add column created_at timestamptz;
alter table recovery_codes alter column created_at set default now();
