import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { networkLimits } from '../../identity/failed-authentications.ts';
import { delayOf } from '../../identity/typed-password.ts';
import { orderMail, sendsMail } from '../../mail/mail-queue.ts';
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

export const showForgotPassword =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  (req, res) => {
    const page = { deps, req, res, dialect };
    return isOffered(page) ? renderForgot(page, {}) : redirectToStep(page, 'login');
  };

/**
 * Whether the form is offered: not where people only sign in elsewhere, nor without a mail server, when the sign-in page says whom to
 * ask.
 */
const isOffered = ({ deps: { config } }: AuthorizationPage) => config.passwords && sendsMail(config);

/**
 * Puts a mail into the queue for whatever was typed, and answers: who that is, and whether a mail can go to them, is found out when it is
 * sent. So neither the answer nor its time tells whether there is such an account.
 */
export const askForReset =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    if (!isOffered(page)) return redirectToStep(page, 'login');
    const form = bodyParameters(req);
    const typed = fieldOf(form, 'address').slice(0, longestName);
    const problem = formProblem(page, form);
    if (problem) return renderForgot(page, { problem }, 403);
    const wait = await countAttempt(
      deps.database,
      ...networkLimits('forgotten passwords', clientAddress(req), 20, 900),
    );
    if (wait > 0) {
      const { status, name, wait_minutes } = delayOf(page, wait);
      return renderForgot(page, { typed, problem: name, wait_minutes }, status);
    }
    const facts = { name: typed, dialect, query: keptQuery(page), browser: browserOfForm(page) };
    await orderMail(deps, { kind: 'forgotten', language: chooseLanguage(req), facts });
    return renderForgot(page, { sent: true });
  };

/** More code units than a name or an address can have. */
const longestName = 512;

type Outcome = Partial<Pick<Views['forgot-password'], 'sent' | 'typed' | 'problem' | 'wait_minutes'>>;

async function renderForgot(page: AuthorizationPage, outcome: Outcome, status = 200): Promise<void> {
  const { base, support_url } = page.deps.config;
  const data = {
    signed_out: true,
    action: base + stepPath(page, 'forgot'),
    csrf: issueFormKey(page),
    client: await clientOnTheWay(page),
    sent: false,
    typed: '',
    support: support_url,
    back: base + stepPath(page, 'login'),
    ...outcome,
  };
  renderView(page, 'forgot-password', data, status);
}
