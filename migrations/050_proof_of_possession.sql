-- What the registration of a client can demand beyond RFC 6749, and tokens of which only the holder of a key can make use.

alter table clients
  -- public keys [7517]: in the registration, or where the client publishes them
  add column jwks jsonb,
  add column jwks_uri text,
  -- the client certificate [8705 §2.1.2]
  add column tls_client_auth_subject_dn text,
  add column tls_client_auth_san_dns text,
  -- the rules of a profile hold in addition; null: none
  add column profile text constraint clients_profile check (profile in ('fapi2')),
  -- what access tokens are bound to; 'any': to a DPoP key if the client proves one
  add column token_binding text not null default 'any'
    constraint clients_token_binding check (token_binding in ('any', 'dpop', 'certificate', 'mac')),
  add column require_pushed_authorization_requests boolean not null default false,
  add column require_signed_request_object boolean not null default false,
  -- otherwise the secret would still authenticate a client that proves a key
  add constraint clients_prove_key_or_secret check (
    secrets_sha256 = '{}' or coalesce(token_endpoint_auth_method, 'client_secret_basic') ~ '^client_secret_');

-- 'dpop THUMBPRINT', 'certificate THUMBPRINT' or 'mac'; null: whoever holds the token can use it.
alter table access_tokens add column binding text;
-- of public clients only: a confidential client authenticates at every refresh
alter table refresh_tokens add column binding text;
-- of the authorization request [9449 §10]
alter table authorization_codes add column binding text;

-- Proofs that were used once and are refused a second time, until they have expired.
create table used_proofs (
  proof_sha256 bytea primary key,
  expires_at timestamptz not null
);
