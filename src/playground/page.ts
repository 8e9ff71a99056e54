import { findScopeCatalogue } from '../catalogue/scopes.sql.ts';
import type { Deps } from '../deps.ts';
import { findPerson, mayRegister } from '../identity/person.ts';
import { websiteOf } from '../people/website/website.ts';
import { issueFormKey } from '../web/form-key.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import type { Views } from '../web/views/views.ts';
import { offers } from './attempts.ts';
import { authorizationRequest, pushRequest } from './begin.ts';
import { demoAccount, demoClient } from './demo.sql.ts';
import { playgroundClient, requestedScopes } from './demo-client.ts';
import { type Memory, modeOf, type Pending } from './flow-memory.ts';
import { chosenIn, encode, parameterOf, parameters } from './messages.ts';
import type { HttpExchange, PlaygroundMode, PlaygroundProblem } from './playground.view.ts';
import { shown } from './shown.ts';

type Data = Views['playground'];

/** The start page: the first request, explained, and the link or the button that sends it. */
export async function renderStart(page: PageContext, pending: Pending, problem?: PlaygroundProblem): Promise<void> {
  const { config } = page.deps;
  const mode = modeOf(pending);
  const first = await firstExchange(page.deps, pending);
  const { query = [], url } = first.request;
  await renderPlayground(page, problem ? 400 : 200, [first], {
    mode,
    ...(mode === 'plain'
      ? { start_href: `${url}?${encode(query)}` }
      : { start_action: `${config.base}/playground/start` }),
    ask_again_href: pending.prompt ? undefined : startHref(page.deps, mode, 'consent'),
    problem,
    website: switchOf(page),
    demo_user: config.seed_file === undefined && config.passwords ? demoAccount : undefined,
  });
}

/** Where neither a real website is configured, nor the only way in is one. */
function switchOf(page: PageContext): Data['website'] {
  const { base, website, passwords } = page.deps.config;
  if (website || !passwords) return undefined;
  return { is_on: websiteOf(page) !== undefined, action: `${base}/playground/website/switch` };
}

/** Returns the first exchange, which the application sends in a bound flow, and the browser otherwise. */
async function firstExchange(deps: Deps, pending: Pending): Promise<HttpExchange> {
  const client = await playgroundClient(deps);
  if (!pending.key) return authorizationRequest(deps, client, pending);
  return { step: 'push_request', by: 'application', request: await pushRequest(deps, client, pending) };
}

/** The whole flow, and the data that the application received. */
export async function renderFlow(page: PageContext, memory: Memory): Promise<void> {
  const tokens = memory.flow.find(({ step }) => step === 'token_request');
  const user = memory.flow.find(({ step }) => step === 'resource_request')?.response;
  const scope = parameterOf(tokens?.response?.members, 'scope');
  await renderPlayground(page, 200, memory.flow, {
    ...nextSteps(page.deps, memory),
    permissions: scope === undefined ? undefined : await permissionsGranted(page.deps, scope),
    chosen: chosenIn(tokens),
    choice_href: `${page.deps.config.base}/account/applications/${demoClient}`,
    received: user?.status === 200 ? user.members : undefined,
    is_denied: memory.flow.some(({ step }) => step === 'refused_response'),
  });
}

/** Shows one attempt. */
export async function renderTried(page: PageContext, memory: Memory): Promise<void> {
  await renderPlayground(page, 200, memory.tried, {
    ...nextSteps(page.deps, memory),
    flow_href: memory.flow.length > 0 ? `${page.deps.config.base}/playground/flow` : undefined,
  });
}

function nextSteps(deps: Deps, { holding }: Memory): Partial<Data> {
  const mode = modeOf(holding);
  const hadTokens = holding.code_verifier !== undefined;
  return {
    mode,
    restart_href: startHref(deps, mode),
    ask_again_href: startHref(deps, mode, 'consent'),
    break_action: `${deps.config.base}/playground/break`,
    ...(hadTokens && offers(holding)),
    ended: hadTokens && !holding.access_token && !holding.refresh_token,
  };
}

function startHref({ config }: Deps, mode: PlaygroundMode, prompt?: 'consent'): string {
  const query = encode(parameters({ mode: mode === 'bound' ? mode : undefined, prompt }));
  return `${config.base}/playground${query && `?${query}`}`;
}

async function renderPlayground(
  page: PageContext,
  status: number,
  exchanges: readonly HttpExchange[],
  data: Partial<Data>,
): Promise<void> {
  const { config } = page.deps;
  const person = await findPerson(page);
  const may_register = person !== undefined && mayRegister(config, person.user);
  const whole: Data = {
    csrf: issueFormKey(page),
    viewer: person?.viewer,
    // under another host, the sign-in would be of no use to the flow
    signed_out: !person && !otherHost(page),
    return_to: '/playground',
    register_href: config.base + (may_register ? '/developer/applications/new' : '/developer/register'),
    mode: 'plain',
    mode_hrefs: { plain: startHref(page.deps, 'plain'), bound: startHref(page.deps, 'bound') },
    uses: [],
    breaks: [],
    thefts: [],
    exchanges: exchanges.map(shown),
    other_host: otherHost(page),
    ...data,
  };
  renderView(page, 'playground', whole, status);
}

/** The permissions that were requested, and whether the scope of the token response grants them [6749 §5.1]. */
async function permissionsGranted({ database }: Deps, scope: string): Promise<Data['permissions']> {
  const requested = [...requestedScopes.values()].flat();
  const granted = scope.split(' ').flatMap((name) => requestedScopes.get(name) ?? [name]);
  const known = (await findScopeCatalogue(database)).filter(({ name }) => requested.includes(name));
  return known.map(({ name, sentence, sentences }) => ({
    ...{ scope: name, sentence, sentences },
    granted: granted.includes(name),
  }));
}

/** Set if the page was opened under another host name than the issuer's: browsers do not share cookies between the two. */
function otherHost({ deps: { config }, req }: PageContext): Data['other_host'] {
  const { host = '' } = req.headers;
  const own = new URL(config.issuer).host;
  return host === own ? undefined : { host, domain: own, href: `${config.issuer}/playground` };
}
