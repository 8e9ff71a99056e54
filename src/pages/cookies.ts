import type { Request } from 'express';

/** A cookie's value; two of one name mean that somebody else set one of them, and then neither counts. */
export function readCookie(req: Request, name: string): string | undefined {
  const values = pairsOf(req).filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

/** The same rule for a cookie that a library reads, which would take the first of two. */
export function dropAmbiguousCookie(req: Request, name: string): void {
  const pairs = pairsOf(req);
  const others = pairs.filter((pair) => !pair.startsWith(`${name}=`));
  if (pairs.length - others.length > 1) req.headers.cookie = others.join('; ');
}

function pairsOf(req: Request): string[] {
  return (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
}
