/** How an application proves who it is, and what it takes to use its tokens. */
export const security = {
  'security.title': 'Security of this application',
  'security.text':
    'Changes apply to the next request, so change your servers at the same time. Codes and refresh tokens of before follow the new settings, too; access tokens of before stay as they are until they expire.',
  'security.profile': 'Rules',
  'security.profile.standard': 'Ordinary: OAuth 2.0 as every library speaks it.',
  'security.profile.fapi2':
    'FAPI 2.0, for banking and health data: a key or certificate, pushed requests, bound tokens. Your library must support all three, and users are asked for permission each time.',
  'security.method': 'How it proves its identity',
  'security.token_endpoint_auth_method.none':
    'It does not: it is public and uses PKCE. Users are asked for permission each time.',
  'security.token_endpoint_auth_method.client_secret_basic':
    'A client secret: every library can send it. Whoever obtains it can pose as your application until you replace it.',
  'security.token_endpoint_auth_method.private_key_jwt':
    'A key (private_key_jwt): this server knows only the public half, so the key cannot leak here. Your servers sign a short message for each request.',
  'security.token_endpoint_auth_method.tls_client_auth':
    'A certificate of an authority that this server accepts: your servers present it on each connection, and you renew it before it expires.',
  'security.token_endpoint_auth_method.self_signed_tls_client_auth':
    'A certificate of your own: it needs no authority. Your servers present it on each connection, and its public key is registered below.',
  'security.stays_confidential':
    'An application that proves its identity cannot become public. Register another one instead.',
  'security.keys': 'Keys and names',
  'security.keys_text': 'For a key, a certificate or signed requests. Otherwise leave these fields empty.',
  'security.jwks': 'Public keys',
  'security.jwks_hint': 'A JWK set: JSON with the member keys. Never paste a private key.',
  'security.jwks_uri': 'Address of the public keys',
  'security.jwks_uri_hint':
    'Instead of the keys themselves: this server fetches them from there, so you can replace them without this page. The site must always be reachable.',
  'security.subject': 'Subject of the certificate',
  'security.subject_hint':
    'For a certificate of an authority, fill in one of these two fields. The subject: as openssl x509 -noout -subject -nameopt RFC2253 prints it.',
  'security.host': 'Host name in the certificate',
  'security.tokens': 'What a request with an access token must prove',
  'security.token_binding.any':
    'Nothing, unless your application asked for the token with a DPoP proof: simple, but whoever steals a token can use it.',
  'security.token_binding.dpop':
    'A key (DPoP): a stolen token is useless. Your application signs a short proof for each request.',
  'security.token_binding.certificate':
    'The certificate of the connection: a stolen token is useless. Each request with a token needs a connection with the certificate.',
  'security.token_binding.mac': 'A MAC of each request: an abandoned draft, for existing software. Prefer DPoP.',
  'security.requests': 'Authorization requests',
  'security.pushed':
    'Only pushed ones: nobody can change them in the browser. Your servers make one more request for each.',
  'security.signed': 'Only signed ones: they prove who made them. Your servers need a key for it, and push them.',
  'security.algorithm': 'They are signed with',
  'security.any_algorithm': 'Any of these',
  'security_problem.token_endpoint_auth_method_too_weak': 'FAPI 2.0 needs a key or a certificate.',
  'security_problem.token_endpoint_auth_method_refused': 'This was not accepted: {value}',
  'security_problem.jwks_missing': 'Paste public keys or enter their address: your choice above needs them.',
  'security_problem.jwks_twice': 'Paste the keys or enter their address, not both.',
  'security_problem.jwks_malformed': 'This is not a JWK set with one to ten keys.',
  'security_problem.jwks_secret':
    'This contained a private key, so it was removed. Whoever has seen it can pose as your application: create a new key and paste only its public half.',
  'security_problem.jwks_unusable': 'One of the keys is neither RSA with 2048 to 4096 bits nor EC P-256 nor Ed25519.',
  'security_problem.jwks_forgeable':
    'Anybody could sign in place of one of these keys: the exponent of an RSA key must be an odd number from 65537, other keys must be points of their curve.',
  'security_problem.jwks_purpose':
    'One of the keys is not for signatures that this server accepts: look at its use, key_ops and alg.',
  'security_problem.jwks_kid': 'Each key needs a different kid.',
  'security_problem.jwks_uri_not_https': 'This is not an https URL.',
  'security_problem.jwks_uri_port': 'This port belongs to another protocol: use 443 or one above 1023.',
  'security_problem.tls_client_auth_subject_dn_not_one':
    'A certificate of an authority needs exactly one of these two names. Leave both empty for everything else.',
  'security_problem.tls_client_auth_subject_dn_malformed': 'This is not a subject such as CN=app,O=Acme,C=DE.',
  'security_problem.tls_client_auth_san_dns_malformed': 'This is not a host name such as app.example.',
  'security_problem.profile_not_https': 'FAPI 2.0 needs redirection URIs with https.',
  'security_problem.profile_mac': 'FAPI 2.0 does not permit MAC tokens.',
  'security_problem.require_signed_request_object_no_key': 'Signed requests need public keys.',
} as const;
