-- The problems of that part of a registration which says how the client proves who it is and what its tokens are bound to; as
-- check_registration returns them.
create or replace function check_client_security(
  token_endpoint_auth_method text,
  has_secret boolean,
  redirect_uris text[],
  jwks jsonb,
  jwks_uri text,
  tls_client_auth_subject_dn text,
  tls_client_auth_san_dns text,
  profile text,
  token_type text,
  dpop_bound_access_tokens boolean,
  tls_client_certificate_bound_access_tokens boolean,
  request_object_signing_alg text default null
) returns table (field text, rule text, value text, sentence text) language plpgsql stable as $$
#variable_conflict use_variable
begin
  return query
  with given as (
    select
      coalesce(token_endpoint_auth_method, case when has_secret then 'client_secret_basic' else 'none' end) as method,
      (token_type = 'mac')::integer + dpop_bound_access_tokens::integer
        + tls_client_certificate_bound_access_tokens::integer as bindings
  )
  select checked.field, checked.problem[1], checked.value, checked.problem[2]
  from given, lateral (values
    ('token_endpoint_auth_method', token_endpoint_auth_method, case
      when method not in ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth',
                          'self_signed_tls_client_auth')
        then array['unknown', format('token_endpoint_auth_method %L is not known to this server', method)]
      when (method in ('client_secret_basic', 'client_secret_post')) <> has_secret
        then array['contradicts_secret', format('token_endpoint_auth_method %L contradicts that the client has %s',
          method, case when has_secret then 'a secret' else 'no secret' end)]
      when profile = 'fapi2' and method not in ('private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth')
        then array['too_weak', 'the profile fapi2 needs the token_endpoint_auth_method private_key_jwt, tls_client_auth or self_signed_tls_client_auth']
      end),
    ('jwks', null, case
      when method in ('private_key_jwt', 'self_signed_tls_client_auth') and jwks is null and jwks_uri is null
        then array['missing', format('token_endpoint_auth_method %L needs jwks or jwks_uri', method)]
      when jwks is not null and jwks_uri is not null then array['twice', 'jwks and jwks_uri must not both be set']
      else check_jwks(jwks, profile) end),
    ('jwks_uri', jwks_uri, case
      when length(jwks_uri) > 500 or jwks_uri !~ '^https://[^\s#@]+$'
        then array['not_https', format('jwks_uri %L is not an https URL of at most 500 characters without user name and fragment', jwks_uri)]
      -- as src/protocol/public-address.ts reads it
      when jwks_uri ~ '^https://[^/?]*:0*(\d{1,3}|10[01]\d|102[0-3])([/?]|$)' and jwks_uri !~ '^https://[^/?]*:443([/?]|$)'
        then array['port', format('jwks_uri %L has a port below 1024 that is not 443, from which nothing is fetched', jwks_uri)] end),
    ('tls_client_auth_subject_dn', tls_client_auth_subject_dn, case
      when num_nonnulls(tls_client_auth_subject_dn, tls_client_auth_san_dns) <> (method = 'tls_client_auth')::integer
        then array['not_one', 'token_endpoint_auth_method tls_client_auth needs exactly one of tls_client_auth_subject_dn and tls_client_auth_san_dns; other methods need none']
      -- RFC 4514, as src/protocol/distinguished-name.ts reads it
      when length(tls_client_auth_subject_dn) > 1000
        or tls_client_auth_subject_dn !~ '^([A-Za-z]+|\d+(\.\d+)+)=(\\.|[^\\",+;<>])*([,+]([A-Za-z]+|\d+(\.\d+)+)=(\\.|[^\\",+;<>])*)*$'
        then array['malformed', 'tls_client_auth_subject_dn is no name such as CN=app,O=Acme\, Inc.,C=DE [RFC 4514]; openssl prints it with -nameopt RFC2253']
      end),
    ('tls_client_auth_san_dns', tls_client_auth_san_dns, case
      when not fits_dns(tls_client_auth_san_dns) or tls_client_auth_san_dns !~ '^([a-z0-9-]+\.)+[a-z0-9-]+$'
        then array['malformed', format('tls_client_auth_san_dns %L is no host name in lower case', tls_client_auth_san_dns)] end),
    ('profile', profile, case
      when profile <> 'fapi2' then array['unknown', format('profile %L: this server knows fapi2', profile)]
      when profile = 'fapi2' and exists (select from unnest(redirect_uris) uri where uri !~ '^https://')
        then array['not_https', 'the profile fapi2 needs redirection URIs with https']
      when profile = 'fapi2' and token_type = 'mac' then array['mac', 'the profile fapi2 knows no MAC tokens'] end),
    ('request_object_signing_alg', request_object_signing_alg, case
      when request_object_signing_alg not in ('ES256', 'PS256', 'EdDSA', 'Ed25519')
        then array['unknown', format('request_object_signing_alg %L: this server knows ES256, PS256, EdDSA and Ed25519', request_object_signing_alg)]
      end),
    ('token_type', token_type, case
      when token_type not in ('bearer', 'mac') then array['unknown', format('token_type %L: this server knows bearer and mac', token_type)]
      when bindings > 1
        then array['twice', 'only one of token_type mac, dpop_bound_access_tokens and tls_client_certificate_bound_access_tokens can be set']
      end)
  ) checked (field, value, problem)
  where checked.problem[1] is not null;
end $$;
