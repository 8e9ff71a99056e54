import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../deps.ts';
import { redirectWithin } from '../http/answers.ts';
import { queryOf } from '../http/parameters.ts';
import type { HttpExchange, PlaygroundProblem } from '../pages/views/playground.ts';
import type { Parameters } from '../protocol/parameters.ts';
import { type Actor, readUser, redeem } from './actor.ts';
import { redeemWrongly } from './attempts.ts';
import { playgroundClient } from './client.ts';
import { emptyMemory, type Memory, type Pending, recall, remember } from './memory.ts';
import { newPending, parameterOf, parameters } from './messages.ts';
import { authorizationRequest, renderStart } from './page.ts';
import { sender } from './send.ts';

/** The redirection endpoint of the application [6749 §3.1.2]. */
export const callback =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const memory = recall(deps, req);
    const answer = queryOf(req);
    const problem = problemOf(deps, memory, answer);
    if (problem || !memory?.pending) return throwAway(deps, req, res, memory, problem ?? 'no_memory');
    const { pending, ...kept } = memory;
    const exchanges = [authorizationRequest(deps, playgroundClient(deps), pending), answerExchange(deps, answer)];
    if (typeof answer['code'] !== 'string') {
      remember(deps, res, { ...emptyMemory(), flow: exchanges });
      return redirectWithin(res, deps.config, '/playground/flow');
    }
    return acceptCode(deps, req, res, kept, pending, exchanges, answer['code']);
  };

/** Whether this answers a request of ours: the order is that of what an attacker could bring about [9700 §4.4, §4.7]. */
function problemOf({ config }: Deps, memory: Memory | undefined, answer: Parameters): PlaygroundProblem | undefined {
  if (!memory) return 'no_memory';
  if (!memory.pending) return 'already_used';
  if (answer['state'] !== memory.pending.state) return 'state_mismatch';
  // whoever sent it, it was not the server that was asked [9207 §2.4]
  if (answer['iss'] !== config.issuer) return 'iss_mismatch';
  return typeof answer['code'] === 'string' || typeof answer['error'] === 'string' ? undefined : 'no_code';
}

/** Says why, and offers a new request; one that is under way stays valid, or a forged answer could end it. */
function throwAway(
  deps: Deps,
  req: Request,
  res: Response,
  memory: Memory | undefined,
  problem: PlaygroundProblem,
): void {
  const pending = memory?.pending ?? newPending();
  remember(deps, res, { ...(memory ?? emptyMemory()), pending });
  renderStart(deps, req, res, authorizationRequest(deps, playgroundClient(deps), pending), problem);
}

async function acceptCode(
  deps: Deps,
  req: Request,
  res: Response,
  memory: Memory,
  { code_verifier, wrong_verifier }: Pending,
  exchanges: HttpExchange[],
  code: string,
): Promise<void> {
  const holding = { code, code_verifier };
  const actor: Actor = { deps, client: playgroundClient(deps), send: sender(deps, req), holding };
  if (wrong_verifier) {
    const tried = await redeemWrongly(actor);
    remember(deps, res, { ...memory, tried });
    return redirectWithin(res, deps.config, '/playground/tried');
  }
  const tokens = await redeem(actor);
  const flow = [...exchanges, tokens];
  if (tokens.response?.status === 200) {
    const user = await readUser(actor);
    const name = parameterOf(user.response?.members, 'name');
    actor.holding.name = name === 'null' ? undefined : name;
    flow.push(user);
  }
  remember(deps, res, { holding: actor.holding, flow, tried: [] });
  return redirectWithin(res, deps.config, '/playground/flow');
}

function answerExchange(deps: Deps, answer: Parameters): HttpExchange {
  const query = parameters(Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)])));
  const step = typeof answer['code'] === 'string' ? 'authorization_response' : 'refused_response';
  return { step, by: 'browser', request: { method: 'GET', url: playgroundClient(deps).redirect_uri, query } };
}
