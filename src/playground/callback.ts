import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import type { Parameters } from '../lib/parameters.ts';
import { redirectWithin } from '../web/answers.ts';
import type { PageContext } from '../web/page-context.ts';
import { queryParameters } from '../web/request-parameters.ts';
import { type Actor, introspect, redeem, requestUser } from './actor.ts';
import { redeemWrongly } from './attempts.ts';
import { authorizationRequest } from './begin.ts';
import { type PlaygroundClient, playgroundClient } from './demo-client.ts';
import { emptyMemory, type Memory, modeOf, recall, remember } from './flow-memory.ts';
import { chosenIn, newPending, parameterOf, parameters } from './messages.ts';
import { renderStart } from './page.ts';
import type { HttpExchange, PlaygroundProblem } from './playground.view.ts';
import { sender } from './send.ts';

/** The redirection endpoint of the application [6749 §3.1.2]. */
export const callback =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const memory = recall(page);
    const answer = queryParameters(req);
    const problem = problemOf(deps, memory, answer);
    if (problem || !memory?.pending) return await reject(page, memory, problem ?? 'no_memory');
    const { pending, ...kept } = memory;
    const client = await playgroundClient(deps);
    const { code } = answer;
    const { key, code_verifier, pushed } = pending;
    const holding = typeof code === 'string' ? { key, code, code_verifier } : { key };
    const sent: HttpExchange[] = [];
    const actor: Actor = { deps, client, send: sender(page, sent), holding };
    if (typeof code === 'string' && pending.wrong_verifier) {
      await redeemWrongly(actor);
      remember(page, { ...kept, tried: sent });
      return redirectWithin(res, deps.config, '/playground/tried');
    }
    if (typeof code === 'string') await redeemAndReadUser(actor);
    const redirects = [authorizationRequest(deps, client, pending), answerExchange(client, answer)];
    const flow = [...(pushed ? [pushed] : []), ...redirects, ...sent];
    remember(page, { ...emptyMemory(), holding: actor.holding, flow });
    return redirectWithin(res, deps.config, '/playground/flow');
  };

/** Says why the answer is rejected: the checks that protect a client against forged and mixed-up answers [9700 §4.4, §4.7]. */
function problemOf({ config }: Deps, memory: Memory | undefined, answer: Parameters): PlaygroundProblem | undefined {
  if (!memory) return 'no_memory';
  if (!memory.pending) return 'already_used';
  if (answer['state'] !== memory.pending.state) return 'state_mismatch';
  // the answer comes from another authorization server [9207 §2.4]
  if (answer['iss'] !== config.issuer) return 'iss_mismatch';
  return typeof answer['code'] === 'string' || typeof answer['error'] === 'string' ? undefined : 'no_code';
}

/** Shows the problem and the start page. A pending request stays pending, so that a forged answer cannot end it. */
async function reject(page: PageContext, memory: Memory | undefined, problem: PlaygroundProblem): Promise<void> {
  const pending = memory?.pending ?? newPending(modeOf(memory?.holding ?? {}));
  remember(page, { ...(memory ?? emptyMemory()), pending });
  await renderStart(page, pending, problem);
}

/** Redeems the code, looks at the key to which the tokens are bound, and reads the profile of the person. */
async function redeemAndReadUser(actor: Actor): Promise<void> {
  const { holding } = actor;
  const tokens = await redeem(actor);
  if (tokens.response?.status !== 200) return;
  if (holding.key) await introspect(actor);
  const user = await requestUser(actor);
  const name = parameterOf(user.response?.members, 'name');
  holding.name = name === 'null' ? undefined : name;
  const chosen = chosenIn(tokens);
  holding.chosen = chosen && chosen.length > 1 ? chosen[0] : undefined;
}

function answerExchange({ redirect_uri }: PlaygroundClient, answer: Parameters): HttpExchange {
  const query = parameters(Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)])));
  const step = typeof answer['code'] === 'string' ? 'authorization_response' : 'refused_response';
  return { step, by: 'browser', request: { method: 'GET', url: redirect_uri, query } };
}
