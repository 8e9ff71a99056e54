import type { Request } from 'express';

/**
 * The second set of addresses serves software written for GitHub: the same rules with another handwriting, namely
 * commas between scopes, form-encoded tokens unless JSON is accepted, and parameters that such software leaves out.
 */
export type Dialect = 'rfc' | 'github';

export function wantsJson(req: Request): boolean {
  return /\bapplication\/(json|vnd\.github[\w.+-]*json)\b/i.test(req.headers.accept ?? '');
}

/** Where a request of each dialect goes on, with its query as it came, so that every page leads back into it. */
export const addresses = {
  rfc: { authorize: '/authorize', login: '/login', consent: '/consent', logout: '/logout' },
  github: {
    authorize: '/login/oauth/authorize',
    login: '/login/oauth/login',
    consent: '/login/oauth/consent',
    logout: '/login/oauth/logout',
  },
} as const;
