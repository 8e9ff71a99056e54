import type { RequestHandler } from 'express';
import { audit } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { signInBrowser } from '../../identity/known-browser.ts';
import { askerOf } from '../../identity/password-check.ts';
import { findVisitor } from '../../identity/person.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { isNameOfView } from '../../identity/view/view-accounts.ts';
import { ownNames } from '../../lib/own-names.ts';
import { passwordProblem } from '../../lib/password-rules.ts';
import { digestOf } from '../../lib/secrets.ts';
import { formProblem, issueFormKey } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { forgetLink, formDigest, keptLink, movesLink, refuseLink } from '../mail/mailed-link.ts';
import { wasFormSent } from '../mail/mailed-links.sql.ts';
import { wayOn } from '../passwords/reset-password.ts';
import { openSignUp, signUpPath } from './sign-up.ts';
import type { SignUpProblem } from './sign-up.view.ts';
import { findUsernameProblem, isSignInName, registerBySignUp, type SignUp } from './sign-ups.sql.ts';

/** Shows the form behind the link of the mail, whose reader chooses a name and a password; changes nothing. */
export const showFinish =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    if (movesLink(page, signUpPath)) return;
    const kept = keptLink(page);
    const signUp = await openSignUp(deps, kept);
    if (!signUp) return refuseLink(page, 'sign_up');
    return renderFinish(page, { signUp, token: kept });
  };

interface Shown {
  signUp: SignUp;
  token: string;
  username?: string;
  problem?: SignUpProblem;
}

/** Makes the account, and signs nobody in. */
export const finishSignUp =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const form = bodyParameters(req);
    const token = fieldOf(form, 'link');
    const username = fieldOf(form, 'username').trim();
    const sent = formDigest(page, token, username, fieldOf(form, 'new_password'));
    // whether a first click has sent the form
    const wasSent = () => wasFormSent(deps.database, sent);
    const signUp = await openSignUp(deps, token);
    if (!signUp) return (await wasSent()) ? showOutcome(page, 'signed_up') : refuseLink(page, 'sign_up');
    const problem = formProblem(page, form);
    const outcome = problem
      ? { status: 403, name: problem }
      : await register(page, token, {
          username,
          email: signUp.address,
          password: fieldOf(form, 'new_password'),
        }).catch(refuseTooBusy(page));
    if (outcome !== 'signed_up' && (await wasSent())) return showOutcome(page, 'signed_up', signUp);
    if (outcome === 'over') return refuseLink(page, 'sign_up');
    if (typeof outcome === 'object')
      return renderFinish(page, { signUp, token, username, problem: outcome.name }, outcome.status);
    return showOutcome(page, outcome, signUp);
  };

type Outcome = 'address_taken' | 'signed_up';

async function showOutcome(page: PageContext, message: Outcome, signUp?: SignUp): Promise<void> {
  forgetLink(page);
  const back = { href: page.deps.config.base + wayOn(page, signUp?.detail ?? {}), label: 'back.sign_in' } as const;
  const status = message === 'address_taken' ? 409 : 200;
  renderView(page, 'message', { ...(await findVisitor(page)), message, back }, status);
}

type Refusal = { status: number; name: SignUpProblem };

async function register(
  page: PageContext,
  token: string,
  { username, email, password }: { username: string; email: string; password: string },
): Promise<Refusal | 'over' | 'address_taken' | 'signed_up'> {
  const { deps, req, res } = page;
  const weakness = passwordProblem(password, { username, email, config: deps.config });
  if (weakness) return { status: 400, name: weakness };
  const problem = await usernameProblem(page, username);
  if (problem) return problem;
  if (await isNameOfView(deps, email)) return 'address_taken';
  const hash = await deps.passwords.hash(password, askerOf(signInBrowser(page), false));
  const isOpen = deps.config.sign_up === 'open';
  const made = await registerBySignUp(deps.database, {
    ...{ token_sha256: digestOf(token), form_sha256: formDigest(page, token, username, password) },
    ...{ username, hash, isOpen },
  });
  if (made === 'taken') {
    // another account has proved the address in the meantime: no other name would help
    return (await isSignInName(deps.database, email)) ? 'address_taken' : { status: 409, name: 'username_taken' };
  }
  if (!made) return 'over';
  await audit(deps, traceOf(req, res), { event: 'user_registered', user_id: made.user_id, detail: 'sign-up' });
  return 'signed_up';
}

async function usernameProblem({ deps }: PageContext, username: string): Promise<Refusal | undefined> {
  const problem = await findUsernameProblem(deps.database, username, ownNames(deps.config));
  if (problem === 'reserved') return { status: 400, name: 'username_reserved' };
  if (problem !== undefined && problem !== 'taken') return { status: 400, name: 'username_malformed' };
  const isTaken = problem === 'taken' || (await isNameOfView(deps, username));
  return isTaken ? { status: 409, name: 'username_taken' } : undefined;
}

function renderFinish(page: PageContext, { signUp, token, username = '', problem }: Shown, status = 200): void {
  const data = {
    action: page.deps.config.base + signUpPath,
    csrf: issueFormKey(page),
    link: token,
    address: signUp.address,
    username,
    problem,
  };
  renderView(page, 'finish-sign-up', data, status);
}
