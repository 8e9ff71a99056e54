-- The problems of that part of a registration which says how the client proves who it is and what its tokens are bound to; as
-- check_registration returns them.
create or replace function check_client_security(
  stated jsonb
) returns table (field text, rule text, value text, sentence text) language plpgsql stable as $$
#variable_conflict use_variable
declare
  client clients := jsonb_populate_record(null::clients, stated);
  token_type text := stated ->> 'token_type';
  has_secret boolean := (stated ->> 'client_secret') is not null;
  -- as src/clients/client-assertion.ts has it
  signs_by_rs256 boolean := client.profile is null and (client.token_endpoint_auth_signing_alg = 'RS256'
    or client.token_endpoint_auth_signing_alg is null and client.origin in ('application', 'document'));
  -- A document may name types of other servers. A choice that was deleted or disabled later does not break a client that names it.
  unknown_types text[] := array(
    select named
    from unnest(client.authorization_details_types) named
    where client.origin is distinct from 'document'
      and not exists (select from choices c where c.name = named and c.disabled_at is null)
      and not exists (select from clients c where c.client_id = client.client_id and named = any (c.authorization_details_types)));
begin
  return query
  with given as (
    select
      coalesce(client.token_endpoint_auth_method, case when has_secret then 'client_secret_basic' else 'none' end) as method,
      (token_type = 'mac')::integer + (stated ->> 'dpop_bound_access_tokens')::boolean::integer
        + (stated ->> 'tls_client_certificate_bound_access_tokens')::boolean::integer as bindings
  )
  select checked.field, checked.problem[1], checked.value, checked.problem[2]
  from given, lateral (values
    ('token_endpoint_auth_method', client.token_endpoint_auth_method, case
      when method not in ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth',
                          'self_signed_tls_client_auth')
        then array['unknown', format('token_endpoint_auth_method %L is not known to this server', method)]
      when (method in ('client_secret_basic', 'client_secret_post')) <> has_secret
        then array['contradicts_secret', format('token_endpoint_auth_method %L contradicts that the client has %s',
          method, case when has_secret then 'a secret' else 'no secret' end)]
      when client.profile = 'fapi2' and method not in ('private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth')
        then array['too_weak', 'the profile fapi2 needs the token_endpoint_auth_method private_key_jwt, tls_client_auth or self_signed_tls_client_auth']
      end),
    ('jwks', null, case
      when method in ('private_key_jwt', 'self_signed_tls_client_auth') and client.jwks is null and client.jwks_uri is null
        then array['missing', format('token_endpoint_auth_method %L needs jwks or jwks_uri', method)]
      when client.jwks is not null and client.jwks_uri is not null then array['twice', 'jwks and jwks_uri must not both be set']
      else coalesce(check_jwks(client.jwks, client.profile), case
        when (method = 'private_key_jwt' and signs_by_rs256 is not true or client.require_signed_request_object)
          and not jsonb_path_exists(client.jwks, '$.keys[*] ? (!(@.alg == "RS256"))')
          then array['no_use', 'jwks has only keys for RS256, which verify nothing but the assertions of a client with token_endpoint_auth_signing_alg RS256'] end) end),
    ('token_endpoint_auth_signing_alg', client.token_endpoint_auth_signing_alg, case
      when client.token_endpoint_auth_signing_alg not in ('ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256')
        then array['unknown', format('token_endpoint_auth_signing_alg %L: this server knows ES256, PS256, EdDSA, Ed25519 and RS256', client.token_endpoint_auth_signing_alg)]
      when client.profile = 'fapi2' and client.token_endpoint_auth_signing_alg = 'RS256'
        then array['too_weak', 'the profile fapi2 needs the token_endpoint_auth_signing_alg ES256, PS256, EdDSA or Ed25519'] end),
    ('jwks_uri', client.jwks_uri, case
      when length(client.jwks_uri) > 500 or client.jwks_uri !~ '^https://'
        then array['not_https', format('jwks_uri %L is not an https URL of at most 500 characters', client.jwks_uri)]
      when not is_public_https_url(client.jwks_uri)
        then array['not_fetched', format('from the jwks_uri %L nothing is fetched: it needs the form https://host.example/path, with a name of the public DNS in lower case and no port below 1024', client.jwks_uri)] end),
    ('tls_client_auth_subject_dn', client.tls_client_auth_subject_dn, case
      when num_nonnulls(client.tls_client_auth_subject_dn, client.tls_client_auth_san_dns) <> (method = 'tls_client_auth')::integer
        then array['not_one', 'token_endpoint_auth_method tls_client_auth needs exactly one of tls_client_auth_subject_dn and tls_client_auth_san_dns; other methods need none']
      -- RFC 4514, as src/lib/distinguished-name.ts reads it
      when length(client.tls_client_auth_subject_dn) > 1000
        or client.tls_client_auth_subject_dn !~ '^([A-Za-z]+|\d+(\.\d+)+)=(\\.|[^\\",+;<>])*([,+]([A-Za-z]+|\d+(\.\d+)+)=(\\.|[^\\",+;<>])*)*$'
        then array['malformed', 'tls_client_auth_subject_dn is no name such as CN=app,O=Acme\, Inc.,C=DE [RFC 4514]; openssl prints it with -nameopt RFC2253']
      end),
    ('tls_client_auth_san_dns', client.tls_client_auth_san_dns, case
      when not fits_dns(client.tls_client_auth_san_dns) or client.tls_client_auth_san_dns !~ '^([a-z0-9-]+\.)+[a-z0-9-]+$'
        then array['malformed', format('tls_client_auth_san_dns %L is no host name in lower case', client.tls_client_auth_san_dns)] end),
    ('profile', client.profile, case
      when client.profile <> 'fapi2' then array['unknown', format('profile %L: this server knows fapi2', client.profile)]
      when client.profile = 'fapi2' and exists (select from unnest(client.redirect_uris) uri where uri !~ '^https://')
        then array['not_https', 'the profile fapi2 needs redirection URIs with https']
      when client.profile = 'fapi2' and token_type = 'mac' then array['mac', 'the profile fapi2 knows no MAC tokens'] end),
    ('assertion_audience', client.assertion_audience, case
      when client.assertion_audience not in ('issuer', 'address')
        then array['unknown', format('assertion_audience %L: this server knows issuer and address', client.assertion_audience)] end),
    ('request_object_signing_alg', client.request_object_signing_alg, case
      when client.request_object_signing_alg not in ('ES256', 'PS256', 'EdDSA', 'Ed25519')
        then array['unknown', format('request_object_signing_alg %L: this server knows ES256, PS256, EdDSA and Ed25519', client.request_object_signing_alg)]
      end),
    ('authorization_details_types', array_to_string(unknown_types, ' ', 'null'), case
      when unknown_types <> '{}'
        then array['unknown', format('authorization_details_types %L: there is no such choice', array_to_string(unknown_types, ' ', 'null'))] end),
    ('token_type', token_type, case
      when token_type not in ('bearer', 'mac') then array['unknown', format('token_type %L: this server knows bearer and mac', token_type)]
      when bindings > 1
        then array['twice', 'only one of token_type mac, dpop_bound_access_tokens and tls_client_certificate_bound_access_tokens can be set']
      end),
    ('require_signed_request_object', null, case
      when client.require_signed_request_object and client.jwks is null and client.jwks_uri is null
        then array['no_key', 'require_signed_request_object needs jwks or jwks_uri'] end)
  ) checked (field, value, problem)
  where checked.problem[1] is not null;
end $$;
