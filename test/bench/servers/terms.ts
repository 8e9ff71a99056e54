import { createHash } from 'node:crypto';

/** What every contestant, its seed and the load generator agree on. */
export const client = {
  client_id: 'photo-printer',
  client_secret: 'a-secret-that-a-machine-has-made-0123456789',
  redirect_uri: 'https://printer.example/callback',
};

export const verifier = 'a-code-verifier-of-more-than-43-characters-0123456789';
export const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The permissions of every token; `scope` is how they are written. */
export const scopes = ['user:name', 'user:email'];

export const lifetimes = { access_token: 3600, refresh_token: 2_592_000, code: 600 };

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The same as OpenID Connect registers it. */
export const clientMetadata = {
  client_id: client.client_id,
  client_secret: client.client_secret,
  redirect_uris: [client.redirect_uri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  token_endpoint_auth_method: 'client_secret_basic' as const,
  id_token_signed_response_alg: 'ES256' as const,
};
