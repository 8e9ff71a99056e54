import { invalidClient } from '../grants/client.ts';
import { OAuthError } from '../protocol/errors.ts';
import { decodeFormValue } from '../protocol/parameters.ts';

/** What HTTP Basic carries [6749 §2.3.1]. */
export interface BasicCredentials {
  client_id: string | undefined;
  client_secret: string | undefined;
}

const malformed = 'Authorization header malformed';

/** Split at the first colon, then each half decoded as a form value, for both may contain colons and worse. */
export function readBasic(header: string | undefined): BasicCredentials | undefined {
  if (header === undefined) return undefined;
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const cut = decoded.indexOf(':');
  if (cut < 1 || decoded.includes('\uFFFD')) throw invalidClient(true, malformed);
  return {
    client_id: decodeHalf(decoded.slice(0, cut)),
    client_secret: decodeHalf(decoded.slice(cut + 1)) || undefined,
  };
}

function decodeHalf(half: string): string {
  try {
    return decodeFormValue(half, 'the Authorization header');
  } catch (error) {
    // a secret with a bare % was not encoded by its sender, and cannot be right
    throw error instanceof OAuthError ? invalidClient(true, malformed) : error;
  }
}
