import type { Request } from 'express';
import { invalidRegistrationToken } from '../../clients/self-registration.ts';
import { OAuthError } from '../../lib/errors.ts';
import { isSecret } from '../../lib/secrets.ts';
import { bearerHeader } from '../../oauth/resource/presentation.ts';

/** Reads the token of a registration from the Authorization header only: in a URL it would be logged. */
export function readRegistrationToken(
  req: Request,
  kind: 'initial_access_token' | 'registration_access_token',
): string {
  const token = bearerHeader(req, 'rfc');
  if (token === undefined) {
    throw new OAuthError('invalid_token', 'a token is needed in the Authorization header', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  if (!isSecret(kind, token)) throw invalidRegistrationToken('token malformed or of another kind');
  return token;
}
