import type { RequestHandler } from 'express';

/**
 * A path whose percent-escapes cannot be decoded [3986 §2.1] is taken as it is written, so it names something that does not exist.
 * Express would refuse it before any address can answer in its own format.
 */
export const keepBrokenEscapes: RequestHandler = (req, _res, next) => {
  const cut = req.url.indexOf('?');
  const [path, query] = cut < 0 ? [req.url, ''] : [req.url.slice(0, cut), req.url.slice(cut)];
  if (!isDecodable(path)) req.url = path.replaceAll('%', '%25') + query;
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
