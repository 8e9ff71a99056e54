import type { RequestHandler } from 'express';
import { OAuthError } from '../lib/errors.ts';

/**
 * Headers that must not be repeated: Node uses the first of two such headers; a proxy in front may have used the second [9112 §3.2; 6750
 * §2].
 */
const unrepeatable: ReadonlySet<string> = new Set(['host', 'authorization']);

export const refuseRepeatedHeaders: RequestHandler = (req, _res, next) => {
  const seen: string[] = [];
  // names and values alternate
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index]?.toLowerCase() ?? '';
    if (!unrepeatable.has(name)) continue;
    if (seen.includes(name)) throw new OAuthError('invalid_request', `there is more than one ${name} header`);
    seen.push(name);
  }
  next();
};
