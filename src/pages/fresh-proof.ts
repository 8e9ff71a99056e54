import type { SignedInPage } from './person.ts';
import { secondsSinceProof } from './session.ts';
import type { ShownProof } from './views/account.ts';

/** Seconds for which a sign-in proves who asks for a change that could take the account away. */
const freshFor = 900;

/** People who have a password here enter it for such a change; others must have signed in a short time ago. */
export function provesByPassword({ deps, user }: SignedInPage): boolean {
  return deps.config.passwords && user.has_password;
}

export const isFresh = ({ req }: SignedInPage): boolean => secondsSinceProof(req) <= freshFor;

/** What the page asks for; `path` is its own, to which a new sign-in leads back. */
export function shownProof(page: SignedInPage, path: `/${string}`): ShownProof {
  if (provesByPassword(page)) return { by: 'password' };
  const query = new URLSearchParams({ to: path, fresh: '1' });
  return isFresh(page) ? { by: 'session' } : { by: 'sign_in', href: `${page.deps.config.base}/login?${query}` };
}
