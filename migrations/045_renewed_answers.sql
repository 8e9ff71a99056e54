-- Of a rotation whose answer was renewed, because it was repeated after its access token had ended: the salt of the rotation, and the salt of
-- the access token that is its answer since. They count as long as the first one is that of the last rotation.
alter table authorization_codes add column renewed_salts bytea[];
