import type { Trace } from '../../audit/audit.sql.ts';
import type { Deps } from '../../deps.ts';
import type { RefusalTarget } from '../../lib/errors.ts';
import { type AnswerToClient, redirectionTo } from '../../lib/redirect-uri.ts';
import { redirectToClient } from '../../web/answers.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { redirectHost } from '../../web/shown-client.ts';
import type { ClientAnswer } from '../answers.view.ts';
import { sign } from '../token/signing-keys.ts';

/** Answers an authorization request at once: by a redirect, or by a page whose form the browser sends to the client. */
export async function answerClient(
  page: PageContext,
  target: RefusalTarget,
  parameters: AnswerToClient,
): Promise<void> {
  const written = await writeAnswer(page.deps, target, parameters, traceOf(page.req, page.res));
  if (!isForm(target)) return redirectToClient(page.res, target, written);
  renderView(page, 'form-post', { answer: formOf(target, written), host: redirectHost(target.redirect_uri) ?? '' });
}

/** The answer as a page offers it to a person, who decides whether it is sent: a link or a form. */
export async function offeredAnswer(
  { deps, req, res }: PageContext,
  target: RefusalTarget,
  parameters: AnswerToClient,
): Promise<ClientAnswer> {
  const written = await writeAnswer(deps, target, parameters, traceOf(req, res));
  return isForm(target) ? formOf(target, written) : { href: redirectionTo(target.redirect_uri, written) };
}

const isForm = ({ response_mode }: RefusalTarget) => response_mode.startsWith('form_post');

function formOf({ redirect_uri }: RefusalTarget, written: AnswerToClient) {
  const fields = Object.entries(written).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return { action: redirect_uri, fields };
}

/** Seconds for which a signed answer is valid; JARM §2.1 recommends ten minutes at most. */
const lifetime = 300;

/**
 * What the client receives: the parameters of the answer, the state, and `iss` against mix-up attacks [9207 §2]. If it asked
 * for a signed answer, all of that as one JWT that names it [JARM §2.1].
 */
export async function writeAnswer(
  deps: Deps,
  { client_id, state, issuer, response_mode }: RefusalTarget,
  parameters: AnswerToClient,
  trace: Trace,
): Promise<AnswerToClient> {
  const answer = { ...parameters, state, iss: issuer };
  if (!response_mode.endsWith('.jwt')) return answer;
  const exp = Math.floor(Date.now() / 1000) + lifetime;
  // JARM defines no type of its own, and some libraries accept no other than this one
  return { response: await sign(deps, { ...answer, aud: client_id, exp }, 'JWT', trace) };
}
