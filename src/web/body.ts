import type { Request, RequestHandler } from 'express';
import { OAuthError } from '../lib/errors.ts';
import { maxParameters } from '../lib/parameters.ts';
import { onSameBehalf } from '../telemetry/span.ts';

const limits = new WeakMap<Request, number>();

/** Returns how many parameters the form in the body may have. */
export const maxParametersOf = (req: Request): number => limits.get(req) ?? maxParameters;

/** Reads the whole body into `req.body`, as bytes. Compressed and large bodies are refused. */
export const bodyOf =
  (maxBytes: number, most = maxParameters): RequestHandler =>
  (req, _res, next) => {
    if (most !== maxParameters) limits.set(req, most);
    const { 'content-encoding': encoding, 'content-length': stated } = req.headers;
    if (encoding && encoding.toLowerCase() !== 'identity') {
      throw new OAuthError('invalid_request', 'the body is compressed, which this server does not read');
    }
    if (Number(stated) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let bytes = 0;
    const proceed = onSameBehalf((error?: OAuthError) => next(error));
    const collect = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= maxBytes) return;
      req.off('data', collect).off('end', end);
      // read and discard the rest
      req.resume();
      proceed(tooLarge());
    };
    const end = () => {
      req.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      proceed();
    };
    // a request that is aborted emits no `end` and needs no answer
    req.on('data', collect).on('end', end);
  };

/** The most bytes of a body. */
export const maxBody = 16 * 1024;

export const body = bodyOf(maxBody);

function tooLarge(): OAuthError {
  return new OAuthError('invalid_request', 'the body is too large', { status: 413 });
}
