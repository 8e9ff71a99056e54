import type { Request } from 'express';
import { withoutSecrets } from '../lib/secrets.ts';
import { rawQuery } from './request-parameters.ts';

/** Whether a path is that of a page here; strict, so that no value leads to another host. */
export function isOwnPage(path: unknown): path is `/${string}` {
  return (
    typeof path === 'string' &&
    /^\/(account|admin|developer|playground)(\/(?!\.|%2[eE])[\w.~%-]+)*(\?[\w.~%=&+*-]*)?$/.test(path)
  );
}

/** If the address is longer, the sign-in leads to the home page. */
const longest = 1000;

/**
 * Where a sign-in that began at this request leads back to: after a form, to the page that has the form, which has the same
 * address. Undefined if that is no page here.
 */
export function returnAddress(req: Request): string | undefined {
  const query = rawQuery(req);
  const address = query === '' || holdsSecret(query) ? req.path : `${req.path}?${query}`;
  return address.length <= longest && isOwnPage(address) && !holdsSecret(address) ? address : undefined;
}

/** No secret goes from one address into another. */
const holdsSecret = (text: string): boolean => withoutSecrets(text, longest) !== text.slice(0, longest);
