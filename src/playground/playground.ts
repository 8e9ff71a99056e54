import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { redirectWithin } from '../http/answers.ts';
import { bodyParameters, queryParameters, readParameters } from '../http/parameters.ts';
import { formProblem } from '../pages/form-key.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { Actor } from './actor.ts';
import { attempts } from './attempts.ts';
import { playgroundClient } from './client.ts';
import { emptyMemory, recall, remember } from './memory.ts';
import { authorizationQuery, encode, newPending } from './messages.ts';
import { authorizationRequest, renderFlow, renderStart, renderTried } from './page.ts';
import { sender } from './send.ts';

/** Shows the authorization request before it is sent. */
export const showPlayground =
  (deps: Deps): RequestHandler =>
  (req, res) => {
    const page = { deps, req, res };
    const memory = recall(page) ?? emptyMemory();
    const prompt = queryParameters(req)['prompt'] === 'consent' ? ('consent' as const) : undefined;
    const { pending } = memory;
    // a second tab shows the same request: a new state would invalidate the one in the first tab
    const isSame = pending && pending.prompt === prompt && !pending.wrong_verifier;
    const next = isSame ? pending : newPending({ prompt });
    remember(page, { ...memory, pending: next });
    renderStart(page, authorizationRequest(deps, playgroundClient(deps), next));
  };

/** Reached by a redirect, so that a reload does not redeem the code again. */
export const showFlow =
  (deps: Deps): RequestHandler =>
  (req, res) => {
    const page = { deps, req, res };
    const memory = recall(page);
    if (!memory || memory.flow.length === 0) return redirectWithin(res, deps.config, '/playground');
    return renderFlow(page, memory);
  };

export const showTried =
  (deps: Deps): RequestHandler =>
  (req, res) => {
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
    const form = bodyParameters(req);
    if (formProblem(page, form)) throw new OAuthError('invalid_request', 'the form has expired', { status: 403 });
    const { break: name } = readParameters(breakSchema, form);
    const memory = recall(page);
    if (!memory) return redirectWithin(res, deps.config, '/playground');
    const client = playgroundClient(deps);
    if (name === 'wrong_verifier') {
      // needs a new code, for which the grant of the person is remembered
      const pending = newPending({ wrong_verifier: true });
      remember(page, { ...memory, pending });
      return redirectWithin(res, deps.config, `/authorize?${encode(authorizationQuery(client, pending))}`);
    }
    const actor: Actor = { deps, client, send: sender(page), holding: { ...memory.holding } };
    const tried = await attempts[name as AttemptName](actor);
    remember(page, { ...memory, holding: actor.holding, tried });
    return redirectWithin(res, deps.config, '/playground/tried');
  };
