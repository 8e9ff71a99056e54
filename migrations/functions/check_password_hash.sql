-- Why a password hash that another program has made is not accepted: the name of the rule and a sentence; null if it is. The same
-- bounds hold whenever a password is compared (src/lib/password-hashes/password-hash.ts), since a hash can reach its column by other ways.
create or replace function check_password_hash(hash text) returns text[] language plpgsql immutable strict as $$
declare
  format record;
  costs text[];
  -- the part after the costs: salt and digest
  rest text;
  bytes bytea;
  is_whole boolean;
begin
  select * into format
  from (values
    -- name, the part before the salt, its costs with the least and the greatest that are accepted, salt and digest
    ('bcrypt', '^(?:bcrypt(?:_sha256)?\$|\$wp)?\$2[aby]\$([0-9]{2})\$', '{cost}'::text[], '{4}'::bigint[], '{14}'::bigint[],
      '^[./A-Za-z0-9]{53}$'),
    ('argon2', '^(?:argon2)?\$argon2(?:id|i)\$v=(?:16|19)\$m=([0-9A-Za-z.+-]{0,20}),t=([0-9A-Za-z.+-]{0,20}),p=([0-9A-Za-z.+-]{0,20})\$',
      '{m,t,p}', '{8,1,1}', '{262144,10,16}', '^[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{22,86}$'),
    ('scrypt', '^\$scrypt\$ln=([0-9A-Za-z.+-]{0,20}),r=([0-9A-Za-z.+-]{0,20}),p=([0-9A-Za-z.+-]{0,20})\$',
      '{ln,r,p}', '{1,1,1}', '{17,16,16}', '^[A-Za-z0-9+/]{2,86}\$[A-Za-z0-9+/]{22,86}$'),
    ('fbscrypt', '^\$fbscrypt\$v=1,n=([0-9A-Za-z.+-]{0,20}),r=([0-9A-Za-z.+-]{0,20}),p=([0-9A-Za-z.+-]{0,20}),',
      '{n,r,p}', '{1,1,1}', '{17,16,16}',
      '^ss=[A-Za-z0-9_+/-]{0,24}={0,2},sk=[A-Za-z0-9_+/-]{86}==\$[A-Za-z0-9_+/-]{2,86}={0,2}\$[A-Za-z0-9_+/-]{86}==$'),
    ('Django pbkdf2', '^pbkdf2_sha1\$([0-9A-Za-z.+-]{0,20})\$', '{rounds}', '{1}', '{2000000}', '^[A-Za-z0-9+/=._-]{1,128}\$[A-Za-z0-9+/]{27}=$'),
    ('Django pbkdf2', '^pbkdf2_sha256\$([0-9A-Za-z.+-]{0,20})\$', '{rounds}', '{1}', '{2000000}', '^[A-Za-z0-9+/=._-]{1,128}\$[A-Za-z0-9+/]{43}=$'),
    ('PHC pbkdf2', '^\$pbkdf2-sha(?:1|256|512)\$i=([0-9A-Za-z.+-]{0,20})(?:,l=(?:1[6-9]|[2-5][0-9]|6[0-4]))?\$',
      '{i}', '{1}', '{2000000}', '^[A-Za-z0-9+/]{2,128}\$[A-Za-z0-9+/]{22,86}$'),
    ('passlib pbkdf2', '^\$pbkdf2\$([0-9A-Za-z.+-]{0,20})\$', '{rounds}', '{1}', '{2000000}', '^[A-Za-z0-9./]{2,255}\$[A-Za-z0-9./]{27}$'),
    ('passlib pbkdf2', '^\$pbkdf2-sha256\$([0-9A-Za-z.+-]{0,20})\$', '{rounds}', '{1}', '{2000000}', '^[A-Za-z0-9./]{2,255}\$[A-Za-z0-9./]{43}$'),
    ('passlib pbkdf2', '^\$pbkdf2-sha512\$([0-9A-Za-z.+-]{0,20})\$', '{rounds}', '{1}', '{2000000}', '^[A-Za-z0-9./]{2,255}\$[A-Za-z0-9./]{86}$'),
    ('ASP.NET Identity', '^AQAAAA[A-Za-z0-9+/]{6}', '{prf,rounds}', '{0,1}', '{2,2000000}', '^'),
    ('phpass', '^\$[PH]\$([./A-Za-z0-9])', '{cost}', '{7}', '{18}', '^[./A-Za-z0-9]{30}$'),
    ('sha2-crypt', '^\$5\$(?:rounds=([0-9A-Za-z.+-]{0,20})\$)?', '{rounds}', '{1000}', '{1000000}', '^[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}$'),
    ('sha2-crypt', '^\$6\$(?:rounds=([0-9A-Za-z.+-]{0,20})\$)?', '{rounds}', '{1000}', '{1000000}', '^[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}$')
  ) formats (name, beginning, costs, least, greatest, rest)
  where hash ~ beginning
    and octet_length(hash) <= 1500;
  if not found then
    return array['unknown', 'the password hash has none of the formats that are accepted'];
  end if;
  costs := regexp_match(hash, format.beginning);
  rest := regexp_replace(hash, format.beginning, '');
  is_whole := rest ~ format.rest;
  case format.name
    when 'bcrypt' then
      costs[1] := regexp_replace(costs[1], '^0', '');
    when 'phpass' then
      costs[1] := strpos('./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', costs[1]) - 1;
    when 'sha2-crypt' then
      costs[1] := coalesce(costs[1], '5000');
    when 'PHC pbkdf2' then
      is_whole := is_whole and length(split_part(rest, '$', 2)) * 3 / 4 = coalesce(
        substring(hash from '^[^,]{0,40},l=([0-9]{2})\$')::integer,
        case substring(hash from '^\$pbkdf2-sha([0-9]+)') when '1' then 20 when '256' then 32 else 64 end);
    when 'ASP.NET Identity' then
      bytes := decode(left(hash, 12), 'base64');
      costs := array[number_of_bytes(substr(bytes, 2, 4)), number_of_bytes(substr(bytes, 6, 4))];
      is_whole := length(hash) % 4 = 0 and hash ~ '^[A-Za-z0-9+/]{50,188}={0,2}$';
      if is_whole then
        bytes := decode(hash, 'base64');
        is_whole := number_of_bytes(substr(bytes, 10, 4)) between 8 and 64
          and length(bytes) - 13 - number_of_bytes(substr(bytes, 10, 4)) between 16 and 64;
      end if;
    else null;
  end case;
  for at in 1 .. array_length(costs, 1) loop
    if costs[at] !~ '^(0|[1-9][0-9]{0,9})$' or costs[at]::numeric not between format.least[at] and format.greatest[at] then
      return array['cost', format('the %s hash has %s=%s; accepted are %s to %s',
        format.name, format.costs[at], costs[at], format.least[at], format.greatest[at])];
    end if;
  end loop;
  if format.name = 'argon2' and costs[1]::integer < 8 * costs[3]::integer then
    return array['cost', 'in the argon2 hash, m is less than 8 times p'];
  elsif format.name in ('scrypt', 'fbscrypt') and costs[1]::integer >= 16 * costs[2]::integer then
    -- 7914 §2
    return array['cost', format('in the %s hash, %s is not less than 16 · r', format.name, format.costs[1])];
  elsif format.name in ('scrypt', 'fbscrypt') and 2 ^ costs[1]::integer * costs[2]::integer * costs[3]::integer > 2097152 then
    return array['cost', format('in the %s hash, 2^%s · r · p is more than 2097152', format.name, format.costs[1])];
  elsif not is_whole then
    return array['malformed', format('salt or digest of the %s hash are missing, cut short or malformed', format.name)];
  end if;
  return null;
end $$;
