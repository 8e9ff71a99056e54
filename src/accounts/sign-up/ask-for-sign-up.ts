import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { networkLimits } from '../../identity/failed-authentications.ts';
import { delayOf } from '../../identity/typed-password.ts';
import { readMailAddress } from '../../lib/mail-address.ts';
import { orderMail } from '../../mail/mail-queue.ts';
import {
  type AuthorizationPage,
  keptQuery,
  redirectToStep,
  stepPath,
} from '../../oauth/authorize/authorization-page.ts';
import type { Dialect } from '../../oauth/github/dialect.ts';
import { browserOfForm, formProblem, issueFormKey } from '../../web/form-key.ts';
import { chooseLanguage } from '../../web/language.ts';
import { renderView } from '../../web/render.ts';
import { clientAddress } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import type { Views } from '../../web/views/views.ts';
import { clientOnTheWay } from '../mail/way-on.ts';
import { offersSignUp } from './sign-up.ts';

export const showSignUp =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  (req, res) => {
    const page = { deps, req, res, dialect };
    return offersSignUp(deps.config) ? renderSignUp(page, {}) : redirectToStep(page, 'login');
  };

/** The limit of all networks together: 500 in a quarter of an hour, then pauses from a second to a minute. */
const allTogether = { key: 'sign-ups of all networks', free: 500, pause: 1, longest: 60 };

/**
 * Puts a mail into the queue, and nothing else: the mail tells the owner of the address whether it has an account; the page tells
 * nobody.
 */
export const askForSignUp =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    if (!offersSignUp(deps.config)) return redirectToStep(page, 'login');
    const form = bodyParameters(req);
    const typed = fieldOf(form, 'address').slice(0, 512);
    const problem = formProblem(page, form);
    if (problem) return renderSignUp(page, { typed, problem }, 403);
    const address = readMailAddress(typed);
    if (address === undefined) return renderSignUp(page, { typed, problem: 'email_invalid' }, 400);
    const limits = [...networkLimits('sign-ups', clientAddress(req), 10, 900), allTogether];
    const wait = await countAttempt(deps.database, ...limits);
    if (wait > 0) {
      const { status, name, wait_minutes } = delayOf(page, wait);
      return renderSignUp(page, { typed, problem: name, wait_minutes }, status);
    }
    const facts = { address, dialect, query: keptQuery(page), browser: browserOfForm(page) };
    await orderMail(deps, { kind: 'sign_up', language: chooseLanguage(req), facts });
    return renderSignUp(page, { sent: true, typed: address });
  };

type Outcome = Partial<Pick<Views['sign-up'], 'sent' | 'typed' | 'problem' | 'wait_minutes'>>;

async function renderSignUp(page: AuthorizationPage, outcome: Outcome, status = 200): Promise<void> {
  const { base } = page.deps.config;
  const data = {
    signed_out: true,
    action: base + stepPath(page, 'sign_up'),
    csrf: issueFormKey(page),
    back: base + stepPath(page, 'login'),
    client: await clientOnTheWay(page),
    sent: false,
    typed: '',
    ...outcome,
  };
  renderView(page, 'sign-up', data, status);
}
