import type { RequestHandler } from 'express';
import { OAuthError } from '../protocol/errors.ts';

const mostBytes = 16 * 1024;

/** Collects the body, which is small here, so that whoever reads it has it as a whole; compressed ones are not read. */
export const body: RequestHandler = (req, _res, next) => {
  const { 'content-encoding': encoding, 'content-length': stated } = req.headers;
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new OAuthError('invalid_request', 'the body is compressed, which this server does not read');
  }
  if (Number(stated) > mostBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= mostBytes) return;
    req.off('data', collect).off('end', end);
    // the rest is let pass by
    req.resume();
    next(tooLarge());
  };
  const end = () => {
    req.body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    next();
  };
  // a request that breaks off needs no answer
  req.on('data', collect).on('end', end);
};

function tooLarge(): OAuthError {
  return new OAuthError('invalid_request', 'the body is too large', { status: 413 });
}
