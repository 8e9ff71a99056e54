import type { Request } from 'express';

/** The value of a cookie; undefined if two have this name, because another site of the domain may have set one of them. */
export function readCookie(req: Request, name: string): string | undefined {
  const values = pairsOf(req).filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

/** Applies this rule to a cookie that a library reads, which would use the first of two. */
export function dropAmbiguousCookie(req: Request, name: string): void {
  const pairs = pairsOf(req);
  const others = pairs.filter((pair) => !pair.startsWith(`${name}=`));
  if (pairs.length - others.length > 1) req.headers.cookie = others.join('; ');
}

function pairsOf(req: Request): string[] {
  return (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
}
