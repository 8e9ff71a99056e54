import type { RequestHandler } from 'express';
import { recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { signInBrowser } from '../../identity/known-browser.ts';
import { askerOf } from '../../identity/password-check.ts';
import { findVisitor } from '../../identity/person.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { passwordProblem } from '../../lib/password-rules.ts';
import { digestOf } from '../../lib/secrets.ts';
import { flowPaths } from '../../oauth/github/dialect.ts';
import { browserOfForm, formProblem } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import {
  changeByLink,
  forgetLink,
  formDigest,
  type LinkPage,
  showDoneOrRefuse,
  showForLink,
} from '../mail/mailed-link.ts';
import { setPasswordByLink } from '../mail/mailed-links.sql.ts';
import type { AccountProblem } from '../profile/account.view.ts';

/** Shows the form, with the name of the account, so that nobody sets the password of an account that they do not mean. */
export const showReset = (deps: Deps): RequestHandler => showForLink(deps, 'reset', (page) => renderReset(page));

interface Refusal {
  status: number;
  name: AccountProblem;
}

/** Sets the password and signs nobody in: whoever has the mailbox must still pass what else the account asks for. */
export const resetPassword = (deps: Deps): RequestHandler => changeByLink(deps, 'reset', reset, showAgain);

const showAgain = (page: PageContext, token: string): Promise<void> =>
  showDoneOrRefuse(page, 'reset', formDigest(page, token, fieldOf(bodyParameters(page.req), 'new_password')), showDone);

async function showDone(page: PageContext & Partial<Pick<LinkPage, 'link'>>): Promise<void> {
  forgetLink(page);
  const back = { href: page.deps.config.base + wayOn(page, page.link?.detail ?? {}), label: 'back.sign_in' } as const;
  renderView(page, 'message', { ...(await findVisitor(page)), message: 'password_reset', back });
}

async function reset(page: LinkPage): Promise<void> {
  const form = bodyParameters(page.req);
  const problem = formProblem(page, form);
  const outcome = problem
    ? { status: 403, name: problem }
    : await setPassword(page, fieldOf(form, 'new_password'), fieldOf(form, 'end_access') === 'true').catch(
        refuseTooBusy(page),
      );
  if (outcome === 'over') return showAgain(page, page.token);
  if (outcome !== 'set') return renderReset(page, outcome);
  return showDone(page);
}

/** Sets the password; a password that is refused does not use the link up. */
async function setPassword(page: LinkPage, password: string, ends_access: boolean): Promise<Refusal | 'set' | 'over'> {
  const { deps, req, res, token } = page;
  const { user_id, username, email } = page.link;
  const problem = passwordProblem(password, { username, email, config: deps.config });
  if (problem) return { status: 400, name: problem };
  const hash = await deps.passwords.hash(password, askerOf(signInBrowser(page), false));
  const isSet = await recordChange(deps, traceOf(req, res), { event: 'password_reset', user_id }, (told) =>
    setPasswordByLink(
      deps.database,
      { token_sha256: digestOf(token), form_sha256: formDigest(page, token, password), hash, ends_access },
      told,
    ),
  );
  return isSet ? 'set' : 'over';
}

/** The way to the sign-in, and on with the authorization request, if the person asked for the mail in this browser. */
export function wayOn(page: PageContext, { query = '', dialect, browser }: Readonly<Record<string, string>>): string {
  const { login } = flowPaths[dialect === 'github' ? 'github' : 'rfc'];
  return query !== '' && browser === browserOfForm(page) ? `${login}?${query}` : flowPaths.rfc.login;
}

function renderReset(page: LinkPage, refusal?: Refusal): void {
  const { csrf, token, link, deps } = page;
  const data = {
    csrf,
    link: token,
    action: `${deps.config.base}/reset-password`,
    username: link.username,
    problem: refusal?.name,
  };
  renderView(page, 'reset-password', data, refusal?.status);
}
