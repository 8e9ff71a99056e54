-- A repeated refresh whose access token has ended gets another access token. This column keeps the salt of the rotation that was repeated, and
-- the salt of the other access token; it counts as long as the first salt is that of the last rotation.
alter table authorization_codes add column renewed_salts bytea[];
