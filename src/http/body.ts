import type { RequestHandler } from 'express';
import { OAuthError } from '../protocol/errors.ts';
import { onSameBehalf } from '../telemetry/span.ts';

/** Reads the whole body into `req.body`, as bytes. Compressed and large bodies are refused. */
export const bodyOf =
  (maxBytes: number): RequestHandler =>
  (req, _res, next) => {
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

export const body = bodyOf(16 * 1024);

function tooLarge(): OAuthError {
  return new OAuthError('invalid_request', 'the body is too large', { status: 413 });
}
