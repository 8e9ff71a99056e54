import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findPerson, noticeOf } from '../identity/person.ts';
import { renderView } from '../web/render.ts';
import { offerPath, passkeyOffer } from './passkeys/passkey-offer.ts';
import { offersSignUp } from './sign-up/sign-up.ts';

/** The start page. */
export const home =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const { base } = deps.config;
    const offers_sign_up = offersSignUp(deps.config);
    const person = await findPerson(page);
    if (!person) return renderView(page, 'home', { signed_out: true, offers_sign_up });
    const { viewer, csrf } = person;
    const options = await passkeyOffer({ ...page, ...person });
    const offer = options && { action: base + offerPath, new_href: `${base}/account/passkeys/new`, options };
    const notice = noticeOf(req, ['passkey_saved'] as const);
    renderView(page, 'home', { viewer, csrf, offers_sign_up, offer, notice });
  };
