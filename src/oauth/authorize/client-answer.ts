import type { RefusalTarget } from '../../lib/errors.ts';
import { type AnswerToClient, redirectionTo } from '../../lib/redirect-uri.ts';
import { redirectToClient } from '../../web/answers.ts';
import type { PageContext } from '../../web/page-context.ts';
import { redirectHost } from '../../web/redirect-host.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import type { ClientAnswer } from '../answers.view.ts';
import { writeAnswer } from './authorization-answer.ts';

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
