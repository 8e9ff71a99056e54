import type { RequestHandler } from 'express';

/**
 * A path whose percent-escapes cannot be decoded [3986 §2.1] is taken as it is written, so it names something that does not exist.
 * Express would refuse it before any address can answer in its own format.
 */
export const keepBrokenEscapes: RequestHandler = (req, _res, next) => {
  const [path = '', ...query] = req.url.split(/(?=\?)/);
  if (!isDecodable(path)) req.url = path.replaceAll('%', '%25') + query.join('');
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
