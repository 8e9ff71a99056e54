import type { Deps } from '../deps.ts';
import { issueFormKey } from '../pages/form-key.ts';
import type { PageContext } from '../pages/page-context.ts';
import { renderView } from '../pages/render.ts';
import type { HttpExchange, PlaygroundProblem, PlaygroundStep, ShownExchange } from '../pages/views/playground.ts';
import type { Views } from '../pages/views/views.ts';
import { demoAccount } from '../store/demo.ts';
import { offers } from './attempts.ts';
import { type PlaygroundClient, permissionsAsked } from './client.ts';
import { curlOf } from './curl.ts';
import type { Memory, Pending } from './memory.ts';
import { authorizationQuery, encode, parameterOf } from './messages.ts';
import { sectionsOf } from './sections.ts';

type Data = Views['playground'];

/** What the browser is about to carry to the server. */
export function authorizationRequest({ config }: Deps, client: PlaygroundClient, pending: Pending): HttpExchange {
  const query = authorizationQuery(client, pending);
  return {
    step: 'authorization_request',
    by: 'browser',
    request: { method: 'GET', url: `${config.issuer}/authorize`, query },
  };
}

/** The request, explained, and the link that sends it. */
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

/** The whole flow, and what the application has in the end. */
export function renderFlow(page: PageContext, memory: Memory): void {
  const tokens = memory.flow.find(({ step }) => step === 'token_request')?.response;
  const user = memory.flow.find(({ step }) => step === 'resource_request')?.response;
  const scope = parameterOf(tokens?.members, 'scope');
  renderPlayground(page, 200, {
    ...afterwards(page.deps, memory),
    exchanges: memory.flow.map(shown),
    permissions: scope === undefined ? undefined : permissionsGranted(scope),
    received: user?.status === 200 ? user.members : undefined,
    is_denied: memory.flow.some(({ step }) => step === 'refused_response'),
  });
}

/** One use or one attempt. */
export function renderTried(page: PageContext, memory: Memory): void {
  renderPlayground(page, 200, {
    ...afterwards(page.deps, memory),
    exchanges: memory.tried.map(shown),
    flow_href: memory.flow.length > 0 ? `${page.deps.config.base}/playground/flow` : undefined,
  });
}

function afterwards({ config }: Deps, { holding, flow }: Memory): Partial<Data> {
  const isThrough = flow.some(({ step }) => step === 'token_request');
  return {
    restart_href: `${config.base}/playground`,
    ask_again_href: `${config.base}/playground?prompt=consent`,
    break_action: `${config.base}/playground/break`,
    ...(isThrough && offers(holding)),
    ended: isThrough && !holding.access_token && !holding.refresh_token,
  };
}

function renderPlayground(page: PageContext, status: number, data: Partial<Data>): void {
  const csrf = issueFormKey(page);
  const whole = { csrf, uses: [], breaks: [], exchanges: [], other_host: otherHost(page), ...data };
  renderView(page, 'playground', whole, status);
}

/** What a group or a member in the answer opens; the answer always states it [6749 §5.1]. */
function permissionsGranted(scope: string): Data['permissions'] {
  const granted = scope.split(' ').flatMap((name) => permissionsAsked.get(name) ?? [name]);
  const asked = [...permissionsAsked.values()].flat();
  return asked.map((name) => ({ scope: name, sentence: name, granted: granted.includes(name) }));
}

/** Cookies ignore ports but not names: what was set for 127.0.0.1 does not come back to localhost. */
function otherHost({ deps: { config }, req }: PageContext): Data['other_host'] {
  const { host = '' } = req.headers;
  const own = new URL(config.issuer).host;
  return host === own ? undefined : { host, domain: own, href: `${config.issuer}/playground` };
}

const goodOnce = ['token_request', 'reused_code', 'wrong_verifier', 'spent_code'];

/** What no server may do for anybody, and what it may do only with the permission; the rest is meant to succeed. */
const toBeRefused: ReadonlySet<PlaygroundStep> = new Set([
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
    // the callback knows its own browser by a cookie that a terminal does not have
    curl: step === 'authorization_response' || step === 'refused_response' ? undefined : curlOf(request),
    once: goodOnce.includes(step),
    is_rightly_refused: toBeRefused.has(step) && response !== undefined && response.status >= 400,
    page_href: isPage ? `${request.url}?${encode(request.query ?? [])}` : undefined,
  };
}
