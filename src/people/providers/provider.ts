import type { StoppedSignIn } from '../../identity/identity.view.ts';
import { signedInUser } from '../../identity/session.ts';
import { showStopped } from '../../identity/stopped-sign-in.ts';
import { readPrompt } from '../../lib/prompt.ts';
import { isProviderName } from '../../lib/provider-metadata.ts';
import type { Level } from '../../lib/sign-in-level.ts';
import { type AuthorizationPage, carriedQuery, requestOf, stepPath } from '../../oauth/authorize/authorization-page.ts';
import { missingSignIn, requiredSignIn } from '../../oauth/authorize/missing-sign-in.ts';
import { redirectToProvider } from '../../web/answers.ts';
import type { Views } from '../../web/views/views.ts';
import { beginAtProvider, providerProblem, sourceOf } from './begin-provider-sign-in.ts';
import { findProvider, type Provider } from './providers.sql.ts';

/** Sends the browser to the provider whose button was pressed. */
export async function goToProvider(page: AuthorizationPage, name: string): Promise<void> {
  const { deps, res, dialect } = page;
  const provider = isProviderName(name) ? await findProvider(deps.database, name) : undefined;
  if (!provider) return stop(page, { title: '' }, { problem: 'provider_gone', reason: 'provider unknown or disabled' });
  const asked = await signInThere(page);
  // GitHub cannot say when somebody has signed in
  if (provider.kind === 'github' && asked.max_age !== undefined) {
    return stop(page, provider, { problem: 'not_confirmed', reason: `provider ${name}: GitHub knows no auth_time` });
  }
  const { prompt, max_age, level } = asked;
  try {
    const start = { max_age, dialect };
    const url = await beginAtProvider(page, provider, {
      query: carriedQuery(page),
      prompt: promptFor(provider, prompt),
      acr_values: level === 2 ? acrNamesOf(page, provider) : undefined,
      start,
    });
    return redirectToProvider(res, url);
  } catch (error) {
    return stop(page, provider, providerProblem(error, provider));
  }
}

interface SignInThere {
  /** whether the person has to sign in there again, or may choose another account there */
  prompt: 'login' | undefined;
  max_age: number | undefined;
  level: Level | undefined;
}

/** What the application demands of the authentication; a malformed value is refused later. */
async function signInThere(page: AuthorizationPage): Promise<SignInThere> {
  const { parameters } = await requestOf(page);
  const { client_id, prompt } = parameters;
  const { level, max_age } = await requiredSignIn(page);
  // a person who is signed in already was asked to prove it again
  const isAgain = 'again' in parameters || signedInUser(page.req) !== undefined;
  if (client_id === undefined) return { prompt: isAgain ? 'login' : undefined, max_age, level };
  const values = typeof prompt === 'string' ? readPrompt(prompt) : undefined;
  if (values?.has('login')) return { prompt: 'login', max_age: 0, level };
  const isOther = values?.has('select_account') || 'again' in parameters;
  // a provider that knows the person already would say the same as before
  const isTooWeak = (await missingSignIn(page)) === 'level';
  return { prompt: isOther || isTooWeak ? 'login' : undefined, max_age, level };
}

/** Returns what two factors are called at a provider, as far as the operator has written it down. */
function acrNamesOf({ deps }: AuthorizationPage, { name }: Provider): string | undefined {
  const beginning = `${sourceOf(name)}:acr=`;
  const known = [...deps.config.two_factors_elsewhere].filter((one) => one.startsWith(beginning));
  return known.map((one) => one.slice(beginning.length)).join(' ') || undefined;
}

/** GitHub supports only `select_account`; some OpenID providers do not support it. */
function promptFor({ kind }: Provider, prompt: SignInThere['prompt']): string | undefined {
  return kind === 'github' && prompt ? 'select_account' : prompt;
}

/** Ends the sign-in on a page whose button leads to its beginning. There the person can choose another way, or another account. */
export function stop(
  page: AuthorizationPage,
  { title }: Pick<Provider, 'title'>,
  { problem, reason }: { problem: StoppedSignIn; reason: string },
): void {
  showStopped(page, { problem, reason, provider: title, retry: retryOf(page) });
}

function retryOf(page: AuthorizationPage): Views['sign-in-stopped']['retry'] {
  const path = stepPath(page, 'login');
  const isMarked = /[?&]again=/.test(path);
  const again = `${path.includes('?') ? '&' : '?'}again=1`;
  return { href: page.deps.config.base + path + (isMarked ? '' : again), label: 'stopped.back_to_sign_in' };
}
