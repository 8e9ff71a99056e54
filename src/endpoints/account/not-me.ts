import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { announce, audit } from '../../grants/audit.ts';
import { createLink } from '../../grants/mailed-links.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import type { ProofRefusal } from '../../pages/fresh-proof.ts';
import { changeByLink, forgetLink, goToLink, type LinkPage, refuseLink, showForLink } from '../../pages/mailed-link.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { findVisitor } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import { refuseTooBusy } from '../../pages/too-busy.ts';
import { checkTypedPassword } from '../../pages/typed-password.ts';
import { digestOf } from '../../protocol/secrets.ts';
import { findNewFactor, secureAccount } from '../../store/mailed-links.ts';

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
