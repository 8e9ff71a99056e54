-- What is wrong with a set of public keys [7517 §5]: the name of the rule and a sentence; null if nothing is.
create or replace function check_jwks(jwks jsonb, profile text default null) returns text[] language plpgsql immutable as $$
begin
  return case
    when jwks is null then null
    when jsonb_typeof(jwks -> 'keys') is distinct from 'array' or jsonb_array_length(jwks -> 'keys') not between 1 and 10
      then array['malformed', 'jwks is not an object with one to ten keys']
    when jsonb_path_exists(jwks, '$.keys[*] ? (@.kty == "oct" || exists(@.d) || exists(@.p) || exists(@.q)
      || exists(@.dp) || exists(@.dq) || exists(@.qi) || exists(@.oth) || exists(@.k))')
      then array['secret', 'jwks contains a private or symmetric key: register public keys only']
    else coalesce(
      (select problem
       from jsonb_array_elements(jwks -> 'keys') key
       cross join check_public_key(key, profile) problem
       where problem is not null
       limit 1),
      case when (select count(*) <> count(distinct key ->> 'kid') from jsonb_array_elements(jwks -> 'keys') key)
          and jsonb_array_length(jwks -> 'keys') > 1
        then array['kid', 'jwks needs a different kid for each key'] end)
  end;
end $$;
