-- What the authorization request of a code asked for, if that is more than the code gives: scopes that the person refused, and
-- offline_access, which grants nothing. A later refresh may name them again.
alter table authorization_codes add column asked_scopes text[];
