import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { redirectWithin } from '../http/answers.ts';
import { queryParameters } from '../http/parameters.ts';
import type { PageContext } from '../pages/page-context.ts';
import type { HttpExchange, PlaygroundProblem } from '../pages/views/playground.ts';
import type { Parameters } from '../protocol/parameters.ts';
import { type Actor, readUser, redeem } from './actor.ts';
import { redeemWrongly } from './attempts.ts';
import { type PlaygroundClient, playgroundClient } from './client.ts';
import { emptyMemory, type Memory, recall, remember } from './memory.ts';
import { newPending, parameterOf, parameters } from './messages.ts';
import { authorizationRequest, renderStart } from './page.ts';
import { sender } from './send.ts';

/** The redirection endpoint of the application [6749 §3.1.2]. */
export const callback =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const memory = recall(page);
    const answer = queryParameters(req);
    const problem = problemOf(deps, memory, answer);
    if (problem || !memory?.pending) return reject(page, memory, problem ?? 'no_memory');
    const { pending, ...kept } = memory;
    const client = playgroundClient(deps);
    const { code } = answer;
    const holding = typeof code === 'string' ? { code, code_verifier: pending.code_verifier } : {};
    const actor: Actor = { deps, client, send: sender(page), holding };
    if (typeof code === 'string' && pending.wrong_verifier) {
      remember(page, { ...kept, tried: await redeemWrongly(actor) });
      return redirectWithin(res, deps.config, '/playground/tried');
    }
    const flow = [authorizationRequest(deps, client, pending), answerExchange(client, answer)];
    if (typeof code === 'string') flow.push(...(await redeemAndReadUser(actor)));
    remember(page, { ...emptyMemory(), holding: actor.holding, flow });
    return redirectWithin(res, deps.config, '/playground/flow');
  };

/** Why the answer is rejected: the checks that protect a client against forged and mixed-up answers [9700 §4.4, §4.7]. */
function problemOf({ config }: Deps, memory: Memory | undefined, answer: Parameters): PlaygroundProblem | undefined {
  if (!memory) return 'no_memory';
  if (!memory.pending) return 'already_used';
  if (answer['state'] !== memory.pending.state) return 'state_mismatch';
  // it comes from another authorization server [9207 §2.4]
  if (answer['iss'] !== config.issuer) return 'iss_mismatch';
  return typeof answer['code'] === 'string' || typeof answer['error'] === 'string' ? undefined : 'no_code';
}

/** Shows the problem and the start page. A pending request stays pending, so that a forged answer cannot end it. */
function reject(page: PageContext, memory: Memory | undefined, problem: PlaygroundProblem): void {
  const { deps } = page;
  const pending = memory?.pending ?? newPending();
  remember(page, { ...(memory ?? emptyMemory()), pending });
  renderStart(page, authorizationRequest(deps, playgroundClient(deps), pending), problem);
}

/** Redeems the code, then reads the profile of the person. */
async function redeemAndReadUser(actor: Actor): Promise<HttpExchange[]> {
  const tokens = await redeem(actor);
  if (tokens.response?.status !== 200) return [tokens];
  const user = await readUser(actor);
  const name = parameterOf(user.response?.members, 'name');
  actor.holding.name = name === 'null' ? undefined : name;
  return [tokens, user];
}

function answerExchange({ redirect_uri }: PlaygroundClient, answer: Parameters): HttpExchange {
  const query = parameters(Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)])));
  const step = typeof answer['code'] === 'string' ? 'authorization_response' : 'refused_response';
  return { step, by: 'browser', request: { method: 'GET', url: redirect_uri, query } };
}
