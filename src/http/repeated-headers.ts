import type { RequestHandler } from 'express';
import { OAuthError } from '../protocol/errors.ts';
import { presentationHeaders } from './presentation.ts';

/** Of two such headers Node shows the first, and somebody on the way may have read the other one [9112 §3.2; 6750 §2]. */
const once: ReadonlySet<string> = new Set(['Host', ...presentationHeaders].map((name) => name.toLowerCase()));

export const refuseRepeatedHeaders: RequestHandler = (req, _res, next) => {
  const seen: string[] = [];
  // names and values in turn
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index]?.toLowerCase() ?? '';
    if (!once.has(name)) continue;
    if (seen.includes(name)) throw new OAuthError('invalid_request', `there is more than one ${name} header`);
    seen.push(name);
  }
  next();
};
