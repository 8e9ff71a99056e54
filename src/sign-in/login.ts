import type { RequestHandler } from 'express';
import { signInOptions } from '../accounts/passkeys/passkeys.ts';
import { offersSignUp } from '../accounts/sign-up/sign-up.ts';
import type { Trace } from '../audit/audit.sql.ts';
import { logEvent } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../identity/password-check.ts';
import { registerRefusedPassword } from '../identity/passwords.sql.ts';
import { type Proof, signedInUser } from '../identity/session.ts';
import { refuseTooBusy } from '../identity/too-busy.ts';
import { checkTypedPassword } from '../identity/typed-password.ts';
import { findUser } from '../identity/users.sql.ts';
import { isClientId } from '../lib/client-id.ts';
import { type Parameters, parseForm } from '../lib/parameters.ts';
import { hostOf } from '../lib/website.ts';
import { sendsMail } from '../mail/mail-queue.ts';
import { type AuthorizationPage, queryOf, requestOf, stepPath } from '../oauth/authorize/authorization-page.ts';
import { missingSignIn } from '../oauth/authorize/missing-sign-in.ts';
import { readLoginHint } from '../oauth/authorize/sign-in-parameters.ts';
import type { Dialect } from '../oauth/github/dialect.ts';
import { goToProvider } from '../people/providers/provider.ts';
import { offeredAtSignIn, offeredProviders } from '../people/providers/provider-secrets.ts';
import { sendToWebsite } from '../people/website/go-to-website.ts';
import { websiteOf } from '../people/website/website.ts';
import { formProblem, issueFormKey } from '../web/form-key.ts';
import { keptParameter } from '../web/kept-form.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { traceOf } from '../web/request-log.ts';
import { bodyParameters, fieldOf } from '../web/request-parameters.ts';
import type { FormProblem } from '../web/views/parts.ts';
import { hasPasskey, provePasskey } from './passkey-sign-in.ts';
import { takeSecondStep } from './second-step.ts';
import { answerRequest, completeSignIn, goOn } from './sign-in.ts';
import type { FailedStep, LoginProblem } from './sign-in.view.ts';

/** Redirects a person who needs to prove nothing more; otherwise shows the page. */
export const showLogin =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    if ((await missingSignIn(page)) === 'nothing') return goOn(page);
    return (await findOnlyWay(page))?.() ?? renderLogin(page);
  };

/**
 * Finds the only way to sign in, to which the browser is sent without a page in between; but not again by itself after that was in vain.
 * A picture or a frame in a page of a stranger begins no sign-in: a few hundred of them would stop those of the whole network.
 */
async function findOnlyWay(page: AuthorizationPage): Promise<(() => Promise<void>) | undefined> {
  const { deps, req } = page;
  const isOpened = (req.headers['sec-fetch-dest'] ?? 'document') === 'document';
  if (deps.config.passwords || !isOpened || parseForm(queryOf(page))['again'] !== undefined) return undefined;
  const website = websiteOf(page);
  const [provider, ...others] = await offeredProviders(deps);
  if (website) return provider ? undefined : () => sendToWebsite(page, website);
  return provider && others.length === 0 ? () => goToProvider(page, provider.name) : undefined;
}

/** Takes one step of a sign-in: the person continues as the signed-in user, or proves who they are. */
export const login =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) {
      const username = fieldOf(form, 'username');
      return renderLogin(page, { status: 403, username, problem: loginProblem(page, problem) });
    }
    const present = signedInUser(req);
    if (present !== undefined && 'continue' in form && (await missingSignIn(page)) === 'choice') {
      return answerRequest(page, present);
    }
    if ('ticket' in form) {
      const failed = await takeSecondStep(page, form);
      return failed && renderLogin(page, failed);
    }
    if ('provider' in form) return goToProvider(page, fieldOf(form, 'provider'));
    const website = 'website' in form ? websiteOf(page) : undefined;
    if (website) return sendToWebsite(page, website);
    if (!deps.config.passwords) return renderLogin(page);
    const proof = hasPasskey(form) ? await provePasskey(page, form) : await provePassword(page, form);
    if ('problem' in proof) return renderLogin(page, proof);
    return completeSignIn(page, proof);
  };

async function provePassword(page: AuthorizationPage, form: Parameters): Promise<Proof | FailedStep> {
  const { deps, req, res } = page;
  const username = fieldOf(form, 'username');
  const check = await checkTypedPassword(page, username, form['password']).catch(refuseTooBusy(page));
  if ('status' in check) return { ...check, username, problem: check.name };
  const { isRight, account } = check;
  const { user_id, sessions_version } = account;
  if (isRight && user_id !== null) return { user_id, methods: ['password'], sessions_version };
  await auditRefusedPassword(deps, traceOf(req, res), username, account);
  return { status: 401, username, problem: 'wrong_credentials' };
}

/** Returns the problem of a form: it has expired, the browser sends no cookies, or it opened another host name. */
function loginProblem({ deps: { config }, req }: PageContext, problem: FormProblem): LoginProblem {
  if (problem !== 'form_expired' || req.headers.cookie !== undefined) return problem;
  return req.headers.host === new URL(config.issuer).host ? 'cookies_missing' : 'other_host';
}

export async function renderLogin(page: AuthorizationPage, failed?: FailedStep): Promise<void> {
  const { deps, req } = page;
  const { client_id, login_hint } = (await requestOf(page)).parameters;
  const asking = typeof client_id === 'string' && isClientId(client_id) ? client_id : null;
  const { client, providers } = await offeredAtSignIn(deps, asking);
  const missing = await missingSignIn(page);
  const user_id = missing === 'nothing' ? undefined : signedInUser(req);
  const user = user_id === undefined ? undefined : await findUser(deps.database, user_id);
  const again = user !== undefined && missing !== 'choice';
  const website = websiteOf(page);
  const csrf = issueFormKey(page);
  const data = {
    action: deps.config.base + stepPath(page, 'login'),
    csrf,
    passkey: signInOptions(deps, csrf),
    // the person may type another username
    username: failed?.username || readLoginHint(login_hint) || (again && user.username) || '',
    client: client ?? undefined,
    problem:
      failed?.problem ??
      (user_id === undefined && keptParameter in parseForm(queryOf(page)) ? 'session_ended' : undefined),
    wait_minutes: failed?.wait_minutes,
    signals: failed?.signals,
    providers,
    again,
    step_up: missing === 'level',
    has_passwords: deps.config.passwords,
    forgot: sendsMail(deps.config) ? deps.config.base + stepPath(page, 'forgot') : undefined,
    sign_up: offersSignUp(deps.config) ? deps.config.base + stepPath(page, 'sign_up') : undefined,
    support: deps.config.support_url,
    website: website && hostOf(website),
    account: user && !again ? { username: user.username, name: user.name ?? user.username } : undefined,
  };
  renderView(page, 'login', data, failed?.status);
}

/** Records why nobody is signed in by this name and password. The page says the same for every reason. */
async function auditRefusedPassword(deps: Deps, trace: Trace, username: string, account: Account): Promise<void> {
  const { user_id, password_hash } = account;
  const refused = { username, user_id, has_password: password_hash !== null, ...trace };
  const written = await registerRefusedPassword(deps.database, refused);
  logEvent(deps, trace, { event: 'sign_in_refused', user_id: written.user_id ?? undefined, detail: written.detail });
}
