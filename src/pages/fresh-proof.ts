import type { SignedInPage } from './person.ts';
import { hasKnownTime, secondsSinceProof } from './session.ts';
import type { ShownProof, StaleProof } from './views/account.ts';

/** Seconds for which a sign-in proves who asks for a change that could take the account away. */
const freshFor = 900;

/** People who have a password here enter it for such a change; others must have signed in a short time ago. */
export function provesByPassword({ deps, user }: SignedInPage): boolean {
  return deps.config.passwords && user.has_password;
}

export const isFresh = ({ req }: SignedInPage): boolean => secondsSinceProof(req) <= freshFor;

/** Why the present sign-in is no proof. Another one at the same place is none either if its time is never known. */
export const staleProof = ({ req }: SignedInPage): StaleProof =>
  hasKnownTime(req) ? 'sign_in_again' : 'sign_in_elsewhere';

/** What the page asks for; `path` is its own, to which a new sign-in leads back. */
export function shownProof(page: SignedInPage, path: `/${string}`): ShownProof {
  if (provesByPassword(page)) return { by: 'password' };
  const query = new URLSearchParams({ to: path, fresh: '1' });
  if (isFresh(page)) return { by: 'session' };
  return { by: 'sign_in', problem: staleProof(page), href: `${page.deps.config.base}/login?${query}` };
}
