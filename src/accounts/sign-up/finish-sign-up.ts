import type { RequestHandler } from 'express';
import { audit } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { rememberBrowser, signInBrowser } from '../../identity/known-browser.ts';
import { askerOf } from '../../identity/password-check.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { isNameOfView } from '../../identity/view/view-accounts.ts';
import { ownNames } from '../../lib/own-names.ts';
import { passwordProblem } from '../../lib/password-rules.ts';
import { digestOf } from '../../lib/secrets.ts';
import { type AuthorizationPage, stepPath } from '../../oauth/authorize/authorization-page.ts';
import { formProblem, issueFormKey } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { forgetLink, formDigest, keptLink, linkDigest, movesLink, showDoneOrRefuse } from '../mail/mailed-link.ts';
import { findUsedLink } from '../mail/mailed-links.sql.ts';
import {
  type CompleteSignIn,
  clientOnTheWay,
  onTheWay,
  showOutcome,
  showUsedOrRefuse,
  signInAgain,
  signInByLink,
} from '../mail/way-on.ts';
import { openSignUp, signUpPath } from './sign-up.ts';
import type { SignUpProblem } from './sign-up.view.ts';
import { findUsernameProblem, isSignInName, type NewAccount, registerBySignUp, type SignUp } from './sign-ups.sql.ts';

/** A page behind the link of a sign-up. */
interface FinishPage extends AuthorizationPage {
  readonly signUp: SignUp;
  readonly token: string;
}

/** Shows the form behind the link of the mail, whose reader chooses a name and a password; changes nothing. */
export const showFinish =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    if (movesLink(page, signUpPath)) return;
    const token = keptLink(page);
    const signUp = await openSignUp(deps, token);
    if (!signUp) return showUsedOrRefuse(page, token, 'sign_up', 'signed_up');
    return renderFinish({ ...(await onTheWay(page, signUp.detail)), signUp, token });
  };

/** Makes the account and signs the person in, who has proved the address and chosen the password. */
export const finishSignUp =
  (deps: Deps, completeSignIn: CompleteSignIn): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const form = bodyParameters(req);
    const token = fieldOf(form, 'link');
    const [username, password] = [fieldOf(form, 'username').trim(), fieldOf(form, 'new_password')];
    const form_sha256 = formDigest(page, token, username, password);
    const signUp = await openSignUp(deps, token);
    const way = await onTheWay(page, signUp?.detail);
    // whether a first click has sent the form
    const wasSent = () => findUsedLink(deps.database, form_sha256).then(Boolean);
    const answerAgain = () =>
      showDoneOrRefuse(page, 'sign_up', form_sha256, async (_, { detail }) => {
        forgetLink(page);
        const sameWay = await onTheWay(page, detail);
        const isIn = await signInAgain(sameWay, completeSignIn, { username, password }, 'signed_up');
        return isIn ? undefined : showOutcome(sameWay, 'signed_up');
      });
    if (!signUp) return answerAgain();
    const finishPage = { ...way, signUp, token };
    const problem = formProblem(page, form);
    const outcome = problem
      ? { status: 403, name: problem }
      : await register(finishPage, { username, password, form_sha256 }).catch(refuseTooBusy(page));
    const isMade = typeof outcome === 'object' && 'hash' in outcome;
    if (outcome === 'over' || (!isMade && (await wasSent()))) return answerAgain();
    if (outcome === 'address_taken') return showOutcome(way, outcome, signUp.address);
    if (!isMade) return renderFinish(finishPage, { username, problem: outcome.name }, outcome.status);
    forgetLink(page);
    rememberBrowser(page, { username, password_hash: outcome.hash });
    if (!(await signInByLink(way, completeSignIn, outcome, 'signed_up'))) await showOutcome(way, 'signed_up');
  };

type Refusal = { status: number; name: SignUpProblem };

interface Chosen {
  username: string;
  password: string;
  /** see rememberedForm */
  form_sha256: Buffer;
}

async function register(
  page: FinishPage,
  { username, password, form_sha256 }: Chosen,
): Promise<Refusal | 'over' | 'address_taken' | (NewAccount & { hash: string })> {
  const { deps, req, res, token } = page;
  const email = page.signUp.address;
  const weakness = passwordProblem(password, { username, email, config: deps.config });
  if (weakness) return { status: 400, name: weakness };
  const problem = await usernameProblem(page, username);
  if (problem) return problem;
  if (await isNameOfView(deps, email)) return 'address_taken';
  const hash = await deps.passwords.hash(password, askerOf(signInBrowser(page), false));
  const isOpen = deps.config.sign_up === 'open';
  const made = await registerBySignUp(deps.database, {
    ...{ token_sha256: digestOf(token), digests: [form_sha256, linkDigest(page, token)], username, hash, isOpen },
  });
  if (made === 'taken') {
    // another account has proved the address in the meantime: no other name would help
    return (await isSignInName(deps.database, email)) ? 'address_taken' : { status: 409, name: 'username_taken' };
  }
  if (!made) return 'over';
  await audit(deps, traceOf(req, res), { event: 'user_registered', user_id: made.user_id, detail: 'sign-up' });
  return { ...made, hash };
}

async function usernameProblem({ deps }: PageContext, username: string): Promise<Refusal | undefined> {
  const problem = await findUsernameProblem(deps.database, username, ownNames(deps.config));
  if (problem === 'reserved') return { status: 400, name: 'username_reserved' };
  if (problem !== undefined && problem !== 'taken') return { status: 400, name: 'username_malformed' };
  const isTaken = problem === 'taken' || (await isNameOfView(deps, username));
  return isTaken ? { status: 409, name: 'username_taken' } : undefined;
}

async function renderFinish(
  page: FinishPage,
  typed: { username?: string; problem?: SignUpProblem } = {},
  status = 200,
): Promise<void> {
  const { base } = page.deps.config;
  const data = {
    action: base + signUpPath,
    csrf: issueFormKey(page),
    link: page.token,
    address: page.signUp.address,
    back: base + stepPath(page, 'login'),
    client: await clientOnTheWay(page),
    username: '',
    ...typed,
  };
  renderView(page, 'finish-sign-up', data, status);
}
