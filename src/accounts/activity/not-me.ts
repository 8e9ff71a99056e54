import type { RequestHandler } from 'express';
import { audit, logEvent } from '../../audit/audit.ts';
import type { EventRow } from '../../audit/events.sql.ts';
import { noticeOf } from '../../audit/notices.ts';
import type { Deps } from '../../deps.ts';
import {
  askedProof,
  type ProofRefusal,
  provePerson,
  provesByPassword,
  shownProof,
} from '../../identity/fresh-proof.ts';
import { findVisitor, forPerson, type SignedInPage } from '../../identity/person.ts';
import { leaveSession } from '../../identity/session.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { checkTypedPassword } from '../../identity/typed-password.ts';
import { OAuthError } from '../../lib/errors.ts';
import { digestOf } from '../../lib/secrets.ts';
import { sendsMail } from '../../mail/mail-queue.ts';
import { formProblem } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf, queryParameters } from '../../web/request-parameters.ts';
import type { Views } from '../../web/views/views.ts';
import { changeByLink, forgetLink, goToLink, type LinkPage, refuseLink, showForLink } from '../mail/mailed-link.ts';
import { createLink, nextOf, openLink, sinceOf, startOf, toldAt, validFor } from '../mail/mailed-links.ts';
import type { FormRefusal } from '../profile/account.view.ts';
import { findUndoable, shownEvent } from './activity.ts';
import { findNewFactor, secureAccount } from './secured-accounts.sql.ts';

/** Says what the form will do; whoever reads the mail needs no session, since somebody else may have the only one. */
export const showNotMe = (deps: Deps): RequestHandler => showForLink(deps, 'not_me', (page) => renderNotMe(page));

/** Undoes what somebody else has done, and goes on to a new password. */
export const undo = (deps: Deps): RequestHandler => changeByLink(deps, 'not_me', undoByLink, goOnOrRefuse);

async function undoByLink(page: LinkPage): Promise<void> {
  const form = bodyParameters(page.req);
  const problem = formProblem(page, form);
  if (problem) return renderNotMe(page, { status: 403, name: problem });
  const chosen = fieldOf(form, 'second_factor');
  const typed = chosen === 'keep' ? '' : fieldOf(form, 'password');
  const factor = chosen === 'remove' && (await newFactorOf(page.deps, page.link.user_id, startOf(page.link)));
  if (factor && !factor.is_removable) return renderNotMe(page, { status: 409, name: 'changed_meanwhile' });
  if (factor && typed === '') return renderNotMe(page, { status: 400, name: 'password_needed' });
  const refusal = typed === '' ? undefined : await provePassword(page, typed).catch(refuseTooBusy(page));
  if (refusal) return renderNotMe(page, refusal);
  forgetLink(page);
  const { user_id, username, address } = page.link;
  return secure(page, {
    ...{ token: page.token, user_id, username, has_proved_password: typed !== '' },
    address: address ?? undefined,
  });
}

/** Leads to the new password again after a second click, or an answer that never arrived, until that password is set. */
async function goOnOrRefuse(page: PageContext, token: string): Promise<void> {
  const next = nextOf(token);
  return (await openLink(page.deps, 'reset', next)) ? goToLink(page, 'reset', next) : refuseLink(page, 'not_me');
}

/** Checks that the sender knows the password, and does not only read the mailbox. */
async function provePassword(page: LinkPage, typed: string): Promise<ProofRefusal | undefined> {
  const { deps, req, res, link } = page;
  const check = await checkTypedPassword(page, link.username, typed);
  if ('status' in check) return check;
  if (check.isRight && check.account.user_id === link.user_id) return undefined;
  const { user_id } = link;
  await audit(deps, traceOf(req, res), { event: 'current_password_wrong', user_id, detail: 'this was not me' });
  return { status: 400, name: 'wrong_old_password' };
}

/** Shows the undoing of an event in the list of recent activity, where a session proves too little: somebody else may have it. */
export const showUndoing = (deps: Deps): RequestHandler => forPerson(deps, (page) => withEvent(page, renderUndoing));

export const undoActivity = (deps: Deps): RequestHandler =>
  forPerson(deps, (page) =>
    withEvent(page, async (_, event) => {
      const form = bodyParameters(page.req);
      const problem = formProblem(page, form);
      if (problem) return renderUndoing(page, event, { status: 403, name: problem });
      // a recent sign-in is not enough: it may be somebody else's
      const proof = await provePerson(page, askedProof(form, 'this was not me')).catch(refuseTooBusy(page));
      if ('name' in proof) return renderUndoing(page, event, proof);
      const { user_id, username, email } = page.user;
      const detail = { since: sinceOf(event.happened_at), client_id: event.client_id ?? '', to: email };
      const token = await createLink(deps, { purpose: 'not_me', user_id, detail, valid_for: 60 });
      const has_proved_password = provesByPassword(page);
      await leaveSession(page.req);
      return token === undefined
        ? refuseLink(page, 'not_me')
        : secure(page, { token, user_id, username, has_proved_password });
    }),
  );

type Render = (page: SignedInPage, event: EventRow, refusal?: ProofRefusal) => void | Promise<void>;

async function withEvent(page: SignedInPage, render: Render): Promise<void> {
  const { deps, req, user } = page;
  const found = await findUndoable(deps, user.user_id, fieldOf(queryParameters(req), 'event'));
  if (!found) throw new OAuthError('not_found', 'there is no such event of the last week');
  return render(page, found);
}

async function renderUndoing(page: SignedInPage, event: EventRow, refusal?: ProofRefusal): Promise<void> {
  const { deps, viewer, csrf, user } = page;
  const path = `/account/not-me?event=${event.key}` as const;
  const newFactor = await newFactorOf(deps, user.user_id, sinceOf(event.happened_at));
  const isRemoved = newFactor?.is_removable && provesByPassword(page);
  const data = {
    ...{ viewer, csrf, problem: refusal, username: user.username, event: shownEvent(deps, event) },
    action: deps.config.base + path,
    proof: shownProof(page, path),
    forgot_href: sendsMail(deps.config) ? `${deps.config.base}/forgot-password` : undefined,
    has_password: provesByPassword(page),
    new_factor: newFactor && !isRemoved ? { ...newFactor, is_removable: false } : undefined,
    loses_app: isRemoved && newFactor?.parts.some(({ by }) => by === 'app'),
  };
  renderView(page, 'not-me', data, refusal?.status);
}

interface Securing {
  token: string;
  /** the person to whom the link belongs */
  user_id: number;
  username: string;
  has_proved_password: boolean;
  /** the address that the account gets back */
  address?: string | undefined;
}

async function secure(
  page: PageContext,
  { token, user_id, username, has_proved_password, address }: Securing,
): Promise<void> {
  const { deps, req, res } = page;
  const trace = traceOf(req, res);
  const next = nextOf(token);
  const lostFactor = { event: 'second_factor_removed', user_id } as const;
  const undoing = {
    ...{ has_proved_password, token_sha256: digestOf(token), rp_id: deps.config.passkeys?.rp_id },
    next: deps.config.passwords ? { token_sha256: digestOf(next), valid_for: validFor.reset } : undefined,
  };
  const notice = noticeOf(deps, trace, lostFactor);
  const secured = await secureAccount(deps.database, undoing, { ...trace, notice });
  if (secured === undefined) return goOnOrRefuse(page, token);
  if (secured === 'taken') return renderOutcome(page, 'address_taken', 409, { address, username });
  const { has_next, has_way_in, lost_factor } = secured;
  logEvent(deps, trace, { event: 'account_secured', user_id });
  if (lost_factor) logEvent(deps, trace, lostFactor);
  if (has_next) return goToLink(page, 'reset', next);
  return renderOutcome(page, has_way_in ? 'secured' : 'secured_without_way_in', 200);
}

async function renderOutcome(
  page: PageContext,
  message: 'address_taken' | 'secured' | 'secured_without_way_in',
  status: number,
  account?: Pick<Views['message'], 'address' | 'username'>,
): Promise<void> {
  const back = { href: `${page.deps.config.base}/login`, label: 'back.sign_in' } as const;
  renderView(page, 'message', { ...(await findVisitor(page)), message, ...account, back }, status);
}

async function renderNotMe(page: LinkPage, refusal?: FormRefusal): Promise<void> {
  const { csrf, token, link, deps } = page;
  const data = {
    ...{ csrf, problem: refusal },
    action: `${deps.config.base}/not-me`,
    link: token,
    username: link.username,
    at: toldAt(link),
    has_password: deps.config.passwords && link.has_password,
    address: link.address ?? undefined,
    keeps_address: link.address === link.email,
    new_factor: await newFactorOf(deps, link.user_id, startOf(link)),
    second_factor: refusal && fieldOf(bodyParameters(page.req), 'second_factor'),
  };
  renderView(page, 'not-me', data, refusal?.status);
}

const newFactorOf = ({ config, database }: Deps, user_id: number, since: string) =>
  findNewFactor(database, { user_id, since, rp_id: config.passkeys?.rp_id });
