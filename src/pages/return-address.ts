import type { Request } from 'express';
import { rawQuery } from '../http/request-parameters.ts';

/** Whether it is the path of a page here; strict, so that no value leads to another host. */
export function isOwnPage(path: unknown): path is `/${string}` {
  return (
    typeof path === 'string' &&
    /^\/(account|admin|developer|playground)(\/(?!\.|%2[eE])[\w.~%-]+)*(\?[\w.~%=&+*-]*)?$/.test(path)
  );
}

/** Of a longer one the sign-in leads to the home page. */
const longest = 1000;

/** Where a sign-in leads back to that began at this request: after a form, to the page that has it. Undefined if that is no page here. */
export function returnAddress(req: Request): string | undefined {
  const query = req.method === 'GET' ? rawQuery(req) : '';
  // no secret goes from one address into another
  const address = query === '' || /lk_/i.test(query) ? req.path : `${req.path}?${query}`;
  return address.length <= longest && isOwnPage(address) ? address : undefined;
}
