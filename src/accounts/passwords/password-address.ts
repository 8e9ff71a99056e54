import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { redirectWithin } from '../../web/answers.ts';

/** Leads to the form that changes a password, also from where password managers look for it [A Well-Known URL for Changing Passwords]. */
export const showPasswordForm =
  ({ config }: Deps): RequestHandler =>
  (_req, res) =>
    redirectWithin(res, config, '/account/security#password', 303);
