-- Why a public key [7517 §4, 7518 §6] cannot be registered: the name of the rule and a sentence; null if it can. The same is
-- checked whenever a key is used (src/lib/public-key.ts), since keys are also fetched and brought along.
create or replace function check_public_key(key jsonb, profile text) returns text[] language plpgsql immutable as $$
declare
  kind text := key ->> 'kty';
  algorithms text[] := case kind
    -- by RS256 only assertions are verified, and not under fapi2
    when 'RSA' then case when profile = 'fapi2' then array['PS256'] else array['PS256', 'RS256'] end
    when 'EC' then array['ES256']
    when 'OKP' then array['EdDSA', 'Ed25519'] end;
  modulus bytea := ltrim(bytes_of_text(key ->> 'n'), '\x00');
  exponent bytea := ltrim(bytes_of_text(key ->> 'e'), '\x00');
begin
  return case
    when not coalesce(case kind
      -- 2048 to 4096 bits
      when 'RSA' then exponent is not null and length(modulus) between 256 and 512
        and (length(modulus) > 256 or get_byte(modulus, 0) >= 128) and get_byte(modulus, length(modulus) - 1) % 2 = 1
      when 'EC' then key ->> 'crv' = 'P-256' and bytes_of_text(key ->> 'x') is not null and bytes_of_text(key ->> 'y') is not null
      when 'OKP' then key ->> 'crv' = 'Ed25519' and bytes_of_text(key ->> 'x') is not null end, false)
      then array['unusable', 'jwks contains a key that is neither RSA of 2048 to 4096 bits, EC P-256 nor Ed25519']
    when kind = 'RSA' and not coalesce(length(exponent) between 3 and 4 and number_of_bytes(exponent) >= 65537
      and get_byte(exponent, length(exponent) - 1) % 2 = 1, false)
      then array['forgeable', 'jwks contains an RSA key whose exponent is not an odd number from 65537 to 4294967295']
    when kind <> 'RSA' and not coalesce(is_point(key ->> 'crv', bytes_of_text(key ->> 'x'), bytes_of_text(key ->> 'y')), false)
      then array['forgeable', 'jwks contains a key that is no point of its curve, or one of small order']
    when coalesce(key ->> 'use', 'sig') <> 'sig' or not coalesce(key -> 'key_ops' @> '["verify"]', true)
      then array['purpose', 'jwks contains a key that is not for verifying signatures: its use must be sig, its key_ops must contain verify']
    when key ->> 'alg' <> all (algorithms)
      then array['purpose', format('jwks contains a key with the alg %L: a key of the type %s is for %s', key ->> 'alg', kind,
        array_to_string(algorithms, ' or '))]
  end;
end $$;
