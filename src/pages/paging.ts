import type { Request } from 'express';
import { queryParameters } from '../http/parameters.ts';
import type { PageContext } from './page-context.ts';
import type { Paging } from './views/parts.ts';

/** After which row the page begins that the query asks for; what could be no key of a row is passed over. */
export function afterOf(req: Request): string | undefined {
  const { after } = queryParameters(req);
  return typeof after === 'string' && /^[\x21-\x7e]{1,200}$/.test(after) ? after : undefined;
}

/** Plain links: on to the next part of a list, and from a later part back to the beginning. */
export function pagingOf({ deps, req }: PageContext, path: `/${string}`, next: string | undefined): Paging {
  const { base } = deps.config;
  return {
    first_href: afterOf(req) === undefined ? undefined : base + path,
    next_href: next === undefined ? undefined : `${base}${path}?after=${encodeURIComponent(next)}`,
  };
}
