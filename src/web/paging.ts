import type { Request } from 'express';
import type { PageContext } from './page-context.ts';
import { queryParameters } from './request-parameters.ts';
import type { Paging } from './views/parts.ts';

/** Returns the key of the last row of the previous page, from the query; a malformed one is ignored. */
export function afterOf(req: Request, parameter = 'after'): string | undefined {
  const after = queryParameters(req)[parameter];
  return typeof after === 'string' && /^[\x21-\x7e]{1,500}$/.test(after) ? after : undefined;
}

/**
 * Makes the links to the next page of a list, and from a later page to the first. Of two lists on one page, each has a parameter of its
 * own.
 */
export const pagingBy =
  (parameter: string) =>
  (
    { deps, req }: PageContext,
    path: `/${string}`,
    next: string | undefined,
    /** what the list is restricted to */
    query: Readonly<Record<string, string>> = {},
  ): Paging => {
    const { base } = deps.config;
    const href = (parameters: Readonly<Record<string, string>>) => {
      const search = new URLSearchParams(parameters).toString();
      return base + path + (search === '' ? '' : `?${search}`);
    };
    return {
      first_href: afterOf(req, parameter) === undefined ? undefined : href(query),
      next_href: next === undefined ? undefined : href({ ...query, [parameter]: next }),
    };
  };

export const pagingOf = pagingBy('after');
