-- Each statement by itself.
-- The part of a password hash before its salt, which tells what comparing a password with it costs; '?' of any other text. An
-- index depends on it, so it never changes.
create or replace function beginning_of_hash(hash text) returns text language sql immutable strict parallel safe as '
  select coalesce(
    substring(hash from ''^(?:bcrypt(?:_sha256)?\$|\$wp)?\$2[aby]\$\d\d\$''),
    substring(hash from ''^(?:argon2)?\$argon2(?:id|i)\$v=\d+\$m=\d+,t=\d+,p=\d+\$''),
    substring(hash from ''^\$scrypt\$ln=\d+,r=\d+,p=\d+\$''),
    substring(hash from ''^\$fbscrypt\$v=1,n=\d+,r=\d+,p=\d+,''),
    substring(hash from ''^pbkdf2_sha(?:1|256)\$\d+\$''),
    substring(hash from ''^\$pbkdf2(?:-sha\d+)?\$(?:i=)?\d+(?:,l=\d+)?\$''),
    substring(hash from ''^AQAAAA[A-Za-z0-9+/]{6}''),
    substring(hash from ''^\$[PH]\$[./A-Za-z0-9]''),
    substring(hash from ''^\$[56]\$(?:rounds=\d+\$)?''),
    ''?'')';
drop index concurrently if exists users_with_other_hash;
create index concurrently users_with_other_hash on users (beginning_of_hash(password_hash))
  where password_hash is not null and disabled_at is null;
