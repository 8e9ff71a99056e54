import type { Deps } from '../deps.ts';
import { issueFormKey } from '../pages/form-key.ts';
import type { PageContext } from '../pages/page-context.ts';
import { renderView } from '../pages/render.ts';
import type { HttpExchange, PlaygroundProblem, PlaygroundStep, ShownExchange } from '../pages/views/playground.ts';
import type { Views } from '../pages/views/views.ts';
import { demoAccount } from '../store/demo.ts';
import { offers } from './attempts.ts';
import { type PlaygroundClient, requestedScopes } from './client.ts';
import { curlOf } from './curl.ts';
import type { Memory, Pending } from './memory.ts';
import { authorizationQuery, encode, parameterOf } from './messages.ts';
import { sectionsOf } from './sections.ts';

type Data = Views['playground'];

/** The authorization request that the browser sends to the server. */
export function authorizationRequest({ config }: Deps, client: PlaygroundClient, pending: Pending): HttpExchange {
  const query = authorizationQuery(client, pending);
  return {
    step: 'authorization_request',
    by: 'browser',
    request: { method: 'GET', url: `${config.issuer}/authorize`, query },
  };
}

/** The start page: the authorization request, explained, and the link that sends it. */
export function renderStart(page: PageContext, request: HttpExchange, problem?: PlaygroundProblem): void {
  const { config } = page.deps;
  const { query = [], url } = request.request;
  const asksAgain = parameterOf(query, 'prompt') !== undefined;
  renderPlayground(page, problem ? 400 : 200, {
    start_href: `${url}?${encode(query)}`,
    ask_again_href: asksAgain ? undefined : `${config.base}/playground?prompt=consent`,
    exchanges: [shown(request)],
    problem,
    demo_user: config.seed_file === undefined ? demoAccount : undefined,
  });
}

/** The whole flow, and the data that the application received. */
export function renderFlow(page: PageContext, memory: Memory): void {
  const tokens = memory.flow.find(({ step }) => step === 'token_request')?.response;
  const user = memory.flow.find(({ step }) => step === 'resource_request')?.response;
  const scope = parameterOf(tokens?.members, 'scope');
  renderPlayground(page, 200, {
    ...nextSteps(page.deps, memory),
    exchanges: memory.flow.map(shown),
    permissions: scope === undefined ? undefined : permissionsGranted(scope),
    received: user?.status === 200 ? user.members : undefined,
    is_denied: memory.flow.some(({ step }) => step === 'refused_response'),
  });
}

/** One attempt. */
export function renderTried(page: PageContext, memory: Memory): void {
  renderPlayground(page, 200, {
    ...nextSteps(page.deps, memory),
    exchanges: memory.tried.map(shown),
    flow_href: memory.flow.length > 0 ? `${page.deps.config.base}/playground/flow` : undefined,
  });
}

function nextSteps({ config }: Deps, { holding, flow }: Memory): Partial<Data> {
  const hadTokens = flow.some(({ step }) => step === 'token_request');
  return {
    restart_href: `${config.base}/playground`,
    ask_again_href: `${config.base}/playground?prompt=consent`,
    break_action: `${config.base}/playground/break`,
    ...(hadTokens && offers(holding)),
    ended: hadTokens && !holding.access_token && !holding.refresh_token,
  };
}

function renderPlayground(page: PageContext, status: number, data: Partial<Data>): void {
  const csrf = issueFormKey(page);
  const whole = { csrf, uses: [], breaks: [], exchanges: [], other_host: otherHost(page), ...data };
  renderView(page, 'playground', whole, status);
}

/** The permissions that were requested, and whether the scope of the token response grants them [6749 §5.1]. */
function permissionsGranted(scope: string): Data['permissions'] {
  const granted = scope.split(' ').flatMap((name) => requestedScopes.get(name) ?? [name]);
  const requested = [...requestedScopes.values()].flat();
  return requested.map((name) => ({ scope: name, sentence: name, granted: granted.includes(name) }));
}

/** Set if the page was opened under another host name than the issuer's: browsers do not share cookies between the two. */
function otherHost({ deps: { config }, req }: PageContext): Data['other_host'] {
  const { host = '' } = req.headers;
  const own = new URL(config.issuer).host;
  return host === own ? undefined : { host, domain: own, href: `${config.issuer}/playground` };
}

const singleUse = ['token_request', 'reused_code', 'wrong_verifier', 'spent_code'];

/** The steps that the server should refuse, or may refuse for lack of a permission. */
const mayBeRefused: ReadonlySet<PlaygroundStep> = new Set([
  'change_request',
  'reused_code',
  'wrong_verifier',
  'spent_code',
  'foreign_redirect_uri',
  'expired_token',
  'revoked_token',
  'refresh_replay',
  'wrong_secret',
  'tampered_token',
  'token_twice',
]);

function shown(exchange: HttpExchange): ShownExchange {
  const { step, request, response } = exchange;
  const isPage = step === 'foreign_redirect_uri';
  return {
    ...exchange,
    sections: sectionsOf(step),
    // the callback needs the cookie of the browser
    curl: step === 'authorization_response' || step === 'refused_response' ? undefined : curlOf(request),
    once: singleUse.includes(step),
    is_rightly_refused: mayBeRefused.has(step) && response !== undefined && response.status >= 400,
    page_href: isPage ? `${request.url}?${encode(request.query ?? [])}` : undefined,
  };
}
