import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { announce, audit } from '../../grants/audit.ts';
import { createLink, sinceOf } from '../../grants/mailed-links.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters, queryParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { askedProof, type ProofRefusal, provePerson, provesByPassword, shownProof } from '../../pages/fresh-proof.ts';
import { changeByLink, forgetLink, goToLink, type LinkPage, refuseLink, showForLink } from '../../pages/mailed-link.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { findVisitor, forPerson, type SignedInPage } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import { leaveSession } from '../../pages/session.ts';
import { refuseTooBusy } from '../../pages/too-busy.ts';
import { checkTypedPassword } from '../../pages/typed-password.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { digestOf } from '../../protocol/secrets.ts';
import type { EventRow } from '../../store/audit.ts';
import { findNewFactor, secureAccount } from '../../store/mailed-links.ts';
import { findUndoable } from './activity.ts';

/** Says what is going to happen; who can read the mail needs no session, since somebody else may have the only one. */
export const showNotMe = (deps: Deps): RequestHandler => showForLink(deps, 'not_me', (page) => renderNotMe(page));

/** Ends what somebody else has begun, and goes on to a new password. */
export const undo = (deps: Deps): RequestHandler =>
  changeByLink(deps, 'not_me', async (page) => {
    const { req, token } = page;
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) return renderNotMe(page, { status: 403, name: problem });
    const typed = fieldOf(form, 'password');
    const refusal = typed === '' ? undefined : await provePassword(page, typed).catch(refuseTooBusy(page));
    if (refusal) return renderNotMe(page, refusal);
    forgetLink(page);
    return secure(page, token, typed !== '');
  });

/** Whether it is the person, and not only somebody who reads the mailbox. */
async function provePassword(page: LinkPage, typed: string): Promise<ProofRefusal | undefined> {
  const { deps, req, res, link } = page;
  const check = await checkTypedPassword(page, link.username, typed);
  if ('status' in check) return check;
  if (check.isRight && check.account.user_id === link.user_id) return undefined;
  const { user_id } = link;
  await audit(deps, traceOf(req, res), { event: 'current_password_wrong', user_id, detail: 'this was not me' });
  return { status: 400, name: 'wrong_old_password' };
}

/** The same from the list of recent activity, where a session proves too little: whoever has it may be the other one. */
export const showUndoing = (deps: Deps): RequestHandler => forPerson(deps, (page) => withEvent(page, renderUndoing));

export const undoActivity = (deps: Deps): RequestHandler =>
  forPerson(deps, (page) =>
    withEvent(page, async (_, event) => {
      const form = bodyParameters(page.req);
      const problem = formProblem(page, form);
      if (problem) return renderUndoing(page, event, { status: 403, name: problem });
      // not only a sign-in of the last minutes, which may be that of the other one
      const proof = await provePerson(page, askedProof(form, 'this was not me')).catch(refuseTooBusy(page));
      if ('name' in proof) return renderUndoing(page, event, proof);
      const { user_id, email } = page.user;
      const detail = { since: sinceOf(event.happened_at), client_id: event.client_id ?? '', to: email };
      const token = await createLink(deps, { purpose: 'not_me', user_id, detail, valid_for: 60 });
      const has_proved_password = provesByPassword(page);
      await leaveSession(page.req);
      return token === undefined ? refuseLink(page, 'not_me') : secure(page, token, has_proved_password);
    }),
  );

type Render = (page: SignedInPage, event: EventRow, refusal?: ProofRefusal) => void | Promise<void>;

async function withEvent(page: SignedInPage, render: Render): Promise<void> {
  const { deps, req, user } = page;
  const found = await findUndoable(deps, user.user_id, fieldOf(queryParameters(req), 'event'));
  if (!found) throw new OAuthError('not_found', 'there is no such event of the last week');
  return render(page, found);
}

function renderUndoing(page: SignedInPage, { key, happened_at }: EventRow, refusal?: ProofRefusal): void {
  const { deps, viewer, csrf, user } = page;
  const path = `/account/not-me?event=${key}` as const;
  const data = {
    ...{ viewer, csrf, problem: refusal, username: user.username, since: happened_at },
    action: deps.config.base + path,
    proof: shownProof(page, '/account'),
  };
  renderView(page, 'not-me', data, refusal?.status);
}

async function secure(page: PageContext, token: string, has_proved_password: boolean): Promise<void> {
  const { deps, req, res } = page;
  const trace = traceOf(req, res);
  const secured = await secureAccount(deps.database, digestOf(token), { ...trace, has_proved_password });
  if (secured === undefined) return refuseLink(page, 'not_me');
  if (secured === 'taken') return renderOutcome(page, 'address_taken', 409);
  const { user_id, has_password, lost_factor } = secured;
  await audit(deps, trace, { event: 'account_secured', user_id });
  if (lost_factor) await announce(deps, trace, { event: 'second_factor_removed', user_id });
  const next =
    deps.config.passwords && has_password ? await createLink(deps, { purpose: 'reset', user_id }) : undefined;
  return next === undefined ? renderOutcome(page, 'secured', 200) : goToLink(page, 'reset', next);
}

async function renderOutcome(page: PageContext, message: 'address_taken' | 'secured', status: number): Promise<void> {
  const back = { href: `${page.deps.config.base}/login`, label: 'back.sign_in' } as const;
  renderView(page, 'message', { ...(await findVisitor(page)), message, back }, status);
}

async function renderNotMe(page: LinkPage, refusal?: ProofRefusal): Promise<void> {
  const { csrf, token, link, deps } = page;
  const data = {
    ...{ csrf, problem: refusal },
    action: `${deps.config.base}/not-me`,
    link: token,
    username: link.username,
    address: link.address ?? undefined,
    new_factor: await findNewFactor(deps.database, digestOf(token)),
  };
  renderView(page, 'not-me', data, refusal?.status);
}
