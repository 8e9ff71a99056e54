import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';
import { redirectWithin } from '../web/answers.ts';
import { formProblem } from '../web/form-key.ts';
import type { PageContext } from '../web/page-context.ts';
import { bodyParameters, queryParameters, readParameters } from '../web/request-parameters.ts';
import { attempts } from './attempts.ts';
import { begin } from './begin.ts';
import { playgroundClient } from './demo-client.ts';
import { emptyMemory, modeOf, recall, remember } from './flow-memory.ts';
import { newPending } from './messages.ts';
import { renderFlow, renderStart, renderTried } from './page.ts';
import type { HttpExchange } from './playground.view.ts';
import { sender } from './send.ts';

/** Shows the authorization request before it is sent. */
export const showPlayground =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const memory = recall(page) ?? emptyMemory();
    const asked = queryParameters(req);
    const prompt = asked['prompt'] === 'consent' ? ('consent' as const) : undefined;
    const mode = asked['mode'] === 'bound' ? 'bound' : 'plain';
    const { pending } = memory;
    // a second tab shows the same request: a new state would invalidate the one in the first tab
    const isSame = pending && pending.prompt === prompt && modeOf(pending) === mode && !pending.wrong_verifier;
    const next = isSame ? pending : newPending(mode, { prompt });
    remember(page, { ...memory, pending: next });
    await renderStart(page, next);
  };

/** Pushes the request that the start page shows, then sends the browser after it. */
export const start =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    requireFormKey(page);
    const memory = recall(page) ?? emptyMemory();
    const isShown = memory.pending?.key !== undefined && !memory.pending.wrong_verifier;
    await begin(page, memory, isShown && memory.pending ? memory.pending : newPending('bound'));
  };

/** Reached by a redirect, so that a reload does not redeem the code again. */
export const showFlow =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const memory = recall(page);
    if (!memory || memory.flow.length === 0) return redirectWithin(res, deps.config, '/playground');
    return renderFlow(page, memory);
  };

export const showTried =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const memory = recall(page);
    if (!memory || memory.tried.length === 0) return redirectWithin(res, deps.config, '/playground');
    return renderTried(page, memory);
  };

type AttemptName = keyof typeof attempts;
const names: [string, ...string[]] = ['wrong_verifier', ...Object.keys(attempts)];
const breakSchema = z.object({ break: z.enum(names) });

/** Uses the tokens, or attacks the flow, then redirects to the page with the exchanges. */
export const runAttempt =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    requireFormKey(page);
    const { break: name } = readParameters(breakSchema, bodyParameters(req));
    const memory = recall(page);
    if (!memory) return redirectWithin(res, deps.config, '/playground');
    // needs a new code, for which the grant of the person is remembered
    if (name === 'wrong_verifier') {
      return begin(page, memory, newPending(modeOf(memory.holding), { wrong_verifier: true }));
    }
    const tried: HttpExchange[] = [];
    const holding = { ...memory.holding };
    const client = await playgroundClient(deps);
    await attempts[name as AttemptName]({ deps, client, send: sender(page, tried), holding });
    remember(page, { ...memory, holding, tried });
    return redirectWithin(res, deps.config, '/playground/tried');
  };

/** Refuses a form that another site made the browser send. */
function requireFormKey(page: PageContext): void {
  if (!formProblem(page, bodyParameters(page.req))) return;
  throw new OAuthError('invalid_request', 'the form has expired', { status: 403 });
}
