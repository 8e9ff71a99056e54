-- What is wrong with a set of public keys [7517 §5]: the name of the rule and a sentence; null if nothing is.
create or replace function check_jwks(jwks jsonb) returns text[] language sql immutable as $$
  select case
    when jwks is null then null
    when jsonb_typeof(jwks -> 'keys') is distinct from 'array' or jsonb_array_length(jwks -> 'keys') not between 1 and 10
      then array['malformed', 'jwks is not an object with one to ten keys']
    when jsonb_path_exists(jwks, '$.keys[*] ? (exists(@.d) || exists(@.p) || exists(@.q) || exists(@.k))')
      then array['secret', 'jwks contains a private or symmetric key: register public keys only']
    when exists (
      select from jsonb_array_elements(jwks -> 'keys') key
      where not coalesce(case key ->> 'kty'
        -- 2048 to 4096 bits
        when 'RSA' then key ->> 'n' ~ '^[\w-]+$' and length(key ->> 'n') between 342 and 683 and key ->> 'e' ~ '^[\w-]{1,8}$'
        when 'EC' then key ->> 'crv' = 'P-256' and key ->> 'x' ~ '^[\w-]{43}$' and key ->> 'y' ~ '^[\w-]{43}$'
        when 'OKP' then key ->> 'crv' = 'Ed25519' and key ->> 'x' ~ '^[\w-]{43}$' end, false))
      then array['unusable', 'jwks contains a key that is neither RSA of 2048 to 4096 bits, EC P-256 nor Ed25519']
    when (select count(*) <> count(distinct key ->> 'kid') from jsonb_array_elements(jwks -> 'keys') key)
        and jsonb_array_length(jwks -> 'keys') > 1
      then array['kid', 'jwks needs a different kid for each key']
  end
$$;
