/** How an application proves who it is, and what it takes to use its tokens. */
export const security = {
  'security.title': 'Security of this application',
  'security.text':
    'Changes apply to the next request, so change your servers at the same time. Earlier codes and refresh tokens follow the new settings, too; earlier access tokens stay as they are until they expire.',
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
  'security.tokens': 'What a request with an access token must prove',
  'security.token_binding.any':
    'Nothing, unless your application asked for the token with a DPoP proof: simple, but whoever steals a token can use it.',
  'security.token_binding.dpop':
    'A key (DPoP): a stolen token is useless. Your application signs a short proof for each request.',
  'security.token_binding.certificate':
    'The certificate of the connection: a stolen token is useless. Each request with a token needs a connection with the certificate.',
  'security.token_binding.mac': 'A MAC of each request: an abandoned draft, for existing software. Prefer DPoP.',
  'security.requests': 'Authorization requests',
  'security.any': 'Any of these',
  'security.fapi2_preset': 'Fill in what FAPI 2.0 demands',
} as const;
