import type { RequestHandler } from 'express';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { delayOf } from '../../identity/typed-password.ts';
import { digestOf } from '../../lib/secrets.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { chooseLanguage } from '../../web/language.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import type { FormProblem } from '../../web/views/parts.ts';
import type { Views } from '../../web/views/views.ts';
import {
  changeByLink,
  forgetLink,
  formDigest,
  type LinkPage,
  showDoneOrRefuse,
  showForLink,
} from '../mail/mailed-link.ts';
import { confirmAddress } from '../mail/mailed-links.sql.ts';
import { renderAccount } from './account.ts';
import { limitProofs, orderProof, unprovedAddress } from './address-proof.ts';

/** Shows which address will belong to which account. */
export const showConfirmation = (deps: Deps): RequestHandler =>
  showForLink(deps, 'address', (page) => asOwner(page, (own) => renderConfirmation(own, page)));

/** Confirms the address of a person who can read the mail and is signed in. Neither alone is enough. */
export const confirm = (deps: Deps): RequestHandler => changeByLink(deps, 'address', confirmByLink, showAgain);

const showAgain = (page: PageContext, token: string): Promise<void> =>
  showDoneOrRefuse(page, 'address', formDigest(page, token), showDone);

const showDone = ({ deps, res }: PageContext): void =>
  redirectWithin(res, deps.config, '/account?notice=address_confirmed');

const confirmByLink = (page: LinkPage): void | Promise<void> =>
  asOwner(page, async (own) => {
    const { deps } = page;
    const { req, res } = page;
    const problem = formProblem(page, bodyParameters(req));
    if (problem) return renderConfirmation(own, page, problem);
    const { user_id } = own.user;
    const form = { token_sha256: digestOf(page.token), form_sha256: formDigest(page, page.token) };
    const trace = traceOf(req, res);
    const confirmed = await confirmAddress(deps.database, { ...form, user_id }, trace);
    if (confirmed === false) return showAgain(page, page.token);
    forgetLink(page);
    if (confirmed === 'taken') return renderTaken(own, page.link.address ?? '');
    logEvent(deps, trace, { event: 'address_confirmed', user_id });
    return showDone(page);
  });

/**
 * Runs `show` for the owner of the link. A person who is not signed in signs in first and comes back; the link of somebody else does
 * nothing.
 */
function asOwner(page: LinkPage, show: (own: SignedInPage) => void | Promise<void>): void | Promise<void> {
  const { deps, req, res, link } = page;
  const forOwner = forPerson(deps, (own) =>
    own.user.user_id === link.user_id ? show(own) : renderMessage(own, 'other_account', 403),
  );
  return forOwner(req, res, () => {}) as void | Promise<void>;
}

/** Leads to the sign-in with that address, which is asked for although somebody is signed in. */
function renderTaken(page: SignedInPage, address: string): void {
  const query = new URLSearchParams({ to: '/account', fresh: '1', login_hint: address });
  const href = `${page.deps.config.base}/login?${query}`;
  renderMessage(page, 'address_taken', 409, {
    ...{ address, username: page.user.username },
    more: { href, label: 'message.address_taken.sign_in' },
    back: { href: `${page.deps.config.base}/account#email`, label: 'back.other_address' },
  });
}

function renderMessage(
  page: SignedInPage,
  message: 'address_taken' | 'other_account',
  status: number,
  shown?: Partial<Pick<Views['message'], 'address' | 'username' | 'more' | 'back'>>,
): void {
  const { viewer, csrf, deps } = page;
  const back = { href: `${deps.config.base}/account`, label: 'back.account' } as const;
  renderView(page, 'message', { viewer, csrf, message, back, ...shown }, status);
}

function renderConfirmation(own: SignedInPage, { link, token }: LinkPage, problem?: FormProblem): void {
  const { viewer, csrf, user, deps } = own;
  const data = {
    ...{ viewer, csrf, problem },
    action: `${deps.config.base}/account/confirm-address`,
    link: token,
    username: user.username,
    address: link.address ?? '',
  };
  renderView(own, 'confirm-address', data, problem ? 403 : 200);
}

/** Sends the link once more. */
export const sendConfirmation = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res, user } = page;
    const problem = formProblem(page, bodyParameters(req));
    if (problem) return renderAccount(page, 403, { problem: { name: problem } });
    const wait = await limitProofs(deps, user.user_id, unprovedAddress(user) ?? '');
    if (wait > 0) {
      const { status, ...problem } = delayOf(page, wait);
      return renderAccount(page, status, { problem: { ...problem } });
    }
    const address = await orderProof(deps, user, chooseLanguage(req));
    return redirectWithin(res, deps.config, address === undefined ? '/account' : '/account?notice=confirmation_sent');
  });
