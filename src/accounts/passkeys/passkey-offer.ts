import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { isFresh } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { redirectWithin } from '../../web/answers.ts';
import { readCookie } from '../../web/cookies.ts';
import { formProblem } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import { addPasskey } from './new-passkey.ts';
import { listPasskeysOfUser } from './passkeys.sql.ts';
import { type PasskeyOptions, registrationOptions } from './passkeys.ts';
import { canHavePasskeys } from './passkeys-section.ts';

export const offerPath = '/account/passkeys/offer';

/**
 * Returns what the home page asks of the password manager that has just filled a password in; undefined for whoever has a passkey, can
 * have none, signed in another way or too long ago, or wants no offer in this browser.
 */
export async function passkeyOffer(page: SignedInPage): Promise<PasskeyOptions | undefined> {
  const { deps, req, user, csrf } = page;
  const methods = req.session.methods ?? [];
  if (!canHavePasskeys(page) || !methods.includes('password') || !isFresh(page)) return undefined;
  if (readCookie(req, cookieName(page)) !== undefined) return undefined;
  if ((await listPasskeysOfUser(deps.database, user.user_id)).length > 0) return undefined;
  return registrationOptions(deps, user, { kind: 'offered_passkey', form_key: csrf });
}

/** Stores the passkey that the password manager has made; or makes no further offer in this browser for 90 days. */
export function answerOffer(deps: Deps): RequestHandler {
  const decline = forPerson(deps, (page) => {
    const { secure } = deps.config;
    const maxAge = 90 * 86_400_000;
    if (!formProblem(page, bodyParameters(page.req)))
      page.res.cookie(cookieName(page), 'no', { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge });
    redirectWithin(page.res, deps.config, '/');
  });
  const add = addPasskey(deps, 'offered_passkey');
  return (req, res, next) => ('decline' in bodyParameters(req) ? decline : add)(req, res, next);
}

const cookieName = ({ deps: { config } }: PageContext) => (config.secure ? '__Host-passkey-offer' : 'passkey-offer');
