import type { RequestHandler } from 'express';
import { recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { signInBrowser } from '../../identity/known-browser.ts';
import { askerOf } from '../../identity/password-check.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { passwordProblem } from '../../lib/password-rules.ts';
import { digestOf } from '../../lib/secrets.ts';
import { stepPath } from '../../oauth/authorize/authorization-page.ts';
import { formProblem } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import {
  changeByLink,
  forgetLink,
  formDigest,
  type LinkPage,
  linkDigest,
  showDoneOrRefuse,
  showForLink,
} from '../mail/mailed-link.ts';
import { setPasswordByLink, type UsedLink } from '../mail/mailed-links.sql.ts';
import {
  type CompleteSignIn,
  clientOnTheWay,
  onTheWay,
  showOutcome,
  showUsedOrRefuse,
  signInAgain,
  signInByLink,
} from '../mail/way-on.ts';
import type { AccountProblem } from '../profile/account.view.ts';

/** Shows the form, with the name of the account, so that nobody sets the password of an account that they do not mean. */
export const showReset = (deps: Deps): RequestHandler =>
  showForLink(
    deps,
    'reset',
    (page) => renderReset(page),
    (page, token) => showUsedOrRefuse(page, token, 'reset', 'password_reset'),
  );

interface Refusal {
  status: number;
  name: AccountProblem;
}

/** Sets the password and signs the person in, as that password would: whoever has a second factor proves it now. */
export const resetPassword = (deps: Deps, completeSignIn: CompleteSignIn): RequestHandler =>
  changeByLink(
    deps,
    'reset',
    (page) => reset(page, completeSignIn),
    (page, token) => answerAgain(page, token, completeSignIn),
  );

async function answerAgain(page: PageContext, token: string, completeSignIn: CompleteSignIn): Promise<void> {
  const form = bodyParameters(page.req);
  const typed = { username: fieldOf(form, 'username'), password: fieldOf(form, 'new_password') };
  const showDone = async (_: PageContext, { detail }: UsedLink) => {
    forgetLink(page);
    const way = await onTheWay(page, detail);
    if (!(await signInAgain(way, completeSignIn, typed, 'password_reset'))) await showOutcome(way, 'password_reset');
  };
  return showDoneOrRefuse(page, 'reset', formDigest(page, token, typed.password), showDone);
}

async function reset(page: LinkPage, completeSignIn: CompleteSignIn): Promise<void> {
  const form = bodyParameters(page.req);
  const problem = formProblem(page, form);
  const outcome = problem
    ? { status: 403, name: problem }
    : await setPassword(page, fieldOf(form, 'new_password'), fieldOf(form, 'end_access') === 'true').catch(
        refuseTooBusy(page),
      );
  if (outcome === 'over') return answerAgain(page, page.token, completeSignIn);
  if ('name' in outcome) return renderReset(page, outcome);
  forgetLink(page);
  const way = await onTheWay(page, page.link.detail);
  if (!(await signInByLink(way, completeSignIn, outcome, 'password_reset'))) await showOutcome(way, 'password_reset');
}

type SetPassword = NonNullable<Awaited<ReturnType<typeof setPasswordByLink>>>;

/** Sets the password; a password that is refused does not use the link up. */
async function setPassword(
  page: LinkPage,
  password: string,
  ends_access: boolean,
): Promise<Refusal | SetPassword | 'over'> {
  const { deps, req, res, token } = page;
  const { user_id, username, email } = page.link;
  const problem = passwordProblem(password, { username, email, config: deps.config });
  if (problem) return { status: 400, name: problem };
  const hash = await deps.passwords.hash(password, askerOf(signInBrowser(page), false));
  const set = await recordChange(deps, traceOf(req, res), { event: 'password_reset', user_id }, (told) =>
    setPasswordByLink(
      deps.database,
      {
        token_sha256: digestOf(token),
        digests: [formDigest(page, token, password), linkDigest(page, token)],
        hash,
        ends_access,
      },
      told,
    ),
  );
  return set ?? 'over';
}

async function renderReset(page: LinkPage, refusal?: Refusal): Promise<void> {
  const { csrf, token, link, deps } = page;
  const { base } = deps.config;
  const way = await onTheWay(page, link.detail);
  const data = {
    csrf,
    link: token,
    action: `${base}/reset-password`,
    username: link.username,
    client: await clientOnTheWay(way),
    back: base + stepPath(way, 'login'),
    problem: refusal?.name,
  };
  renderView(page, 'reset-password', data, refusal?.status);
}
