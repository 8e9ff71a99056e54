import type { Request } from 'express';
import { invalidRegistrationToken } from '../../grants/self-registration.ts';
import { bearerHeader } from '../../http/presentation/bearer.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { isSecret } from '../../protocol/secrets.ts';

/** The token of a registration, from the Authorization header only: in a URL it would be logged. */
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
