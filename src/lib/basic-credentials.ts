import { OAuthError } from './errors.ts';
import { decodeFormValue } from './parameters.ts';

/** Characters of the header: enough for the longest client_id and secret, were each of their characters percent-encoded. */
const maxLength = 4096;

/**
 * Reads the credentials of a client in an Authorization header; undefined if it is malformed. Splits at the first colon, then decodes
 * each half as a form value: encoded, both may contain a colon [6749 §2.3.1].
 */
export function readBasic(header: string): { client_id: string; client_secret: string | undefined } | undefined {
  if (header.length > maxLength) return undefined;
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const cut = decoded.indexOf(':');
  if (cut < 1 || decoded.includes('\uFFFD')) return undefined;
  const [client_id, client_secret] = [decodeHalf(decoded.slice(0, cut)), decodeHalf(decoded.slice(cut + 1))];
  return client_id === undefined || client_secret === undefined
    ? undefined
    : { client_id, client_secret: client_secret || undefined };
}

/** Decodes one half; undefined for a bare %, which the client sent without encoding it: its secret cannot be the registered one. */
function decodeHalf(half: string): string | undefined {
  try {
    return decodeFormValue(half, 'the Authorization header');
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}
