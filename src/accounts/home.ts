import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { provesByPassword } from '../identity/fresh-proof.ts';
import { findPerson, noticeOf, type SignedInPage } from '../identity/person.ts';
import { renderView } from '../web/render.ts';
import type { Views } from '../web/views/views.ts';
import { summarizeAccount } from './home.sql.ts';
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
    const own = { ...page, ...person };
    const [options, state] = await Promise.all([passkeyOffer(own), stateOf(own)]);
    const offer = options && { action: base + offerPath, new_href: `${base}/account/passkeys/new`, options };
    const notice = noticeOf(req, ['passkey_saved'] as const);
    const { viewer, csrf } = person;
    renderView(page, 'home', { viewer, csrf, offers_sign_up, offer, notice, state });
  };

async function stateOf(page: SignedInPage): Promise<Views['home']['state']> {
  const { deps, user } = page;
  const summary = await summarizeAccount(deps.database, user.user_id);
  const second_factor = user.has_second_factor || (provesByPassword(page) ? false : undefined);
  return summary && { ...summary, second_factor };
}
