import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { createLink } from '../../grants/mailed-links.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { formProblem } from '../../pages/form-key.ts';
import { changeByLink, forgetLink, goToLink, type LinkPage, refuseLink, showForLink } from '../../pages/mailed-link.ts';
import { findVisitor } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import type { FormProblem } from '../../pages/views/parts.ts';
import { digestOf } from '../../protocol/secrets.ts';
import { secureAccount } from '../../store/mailed-links.ts';

/** Says what is going to happen; who can read the mail needs no session, since somebody else may have the only one. */
export const showNotMe = (deps: Deps): RequestHandler => showForLink(deps, 'not_me', (page) => renderNotMe(page));

/** Ends what somebody else has begun, and goes on to a new password. */
export const undo = (deps: Deps): RequestHandler =>
  changeByLink(deps, 'not_me', async (page) => {
    const { req, res, token } = page;
    const problem = formProblem(page, bodyParameters(req));
    if (problem) return renderNotMe(page, problem);
    const trace = traceOf(req, res);
    const secured = await secureAccount(deps.database, digestOf(token), trace);
    if (secured === undefined) return refuseLink(page, 'not_me');
    forgetLink(page);
    if (secured === 'taken') return renderOutcome(page, 'address_taken', 409);
    const { user_id, has_password } = secured;
    await audit(deps, trace, { event: 'account_secured', user_id });
    const next =
      deps.config.passwords && has_password ? await createLink(deps, { purpose: 'reset', user_id }) : undefined;
    return next === undefined ? renderOutcome(page, 'secured', 200) : goToLink(page, 'reset', next);
  });

async function renderOutcome(page: LinkPage, message: 'address_taken' | 'secured', status: number): Promise<void> {
  const back = { href: `${page.deps.config.base}/login`, label: 'back.sign_in' } as const;
  renderView(page, 'message', { ...(await findVisitor(page)), message, back }, status);
}

function renderNotMe(page: LinkPage, problem?: FormProblem): void {
  const { csrf, token, link, deps } = page;
  const data = {
    ...{ csrf, problem },
    action: `${deps.config.base}/not-me`,
    link: token,
    username: link.username,
    address: link.address ?? undefined,
  };
  renderView(page, 'not-me', data, problem ? 403 : 200);
}
