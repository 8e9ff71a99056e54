import { randomBytes } from 'node:crypto';
import type { StoppedSignIn } from '../../identity/identity.view.ts';
import { beginElsewhere } from '../../identity/started-sign-in.ts';
import { isValidProfileValue } from '../../lib/profile.ts';
import type { Dialect } from '../../oauth/github/dialect.ts';
import type { PageContext } from '../../web/page-context.ts';
import type { PersonOfProvider } from './identities.sql.ts';
import { ProviderAwayError } from './provider-fetch.ts';
import type { ProviderPerson } from './provider-person.ts';
import { authorizationUrl, ProviderFaultError, type ProviderRequest } from './provider-sign-in.ts';
import type { Provider } from './providers.sql.ts';

/** The source of an account that comes from this provider. */
export const sourceOf = (name: string) => `provider:${name}`;

/** What the callback needs to know of the start. */
export interface ProviderStart extends Pick<ProviderRequest, 'max_age'> {
  dialect: Dialect;
  /** the person who connects an account of the provider, and the digest of the session in which that began */
  link?: { user_id: number; session: string } | undefined;
}

/** The stored form of the start. */
export interface ProviderDetail extends ProviderStart {
  /** the issuer of the provider, whose name can be given to another one */
  issuer: string;
  nonce: string;
  code_verifier: string;
}

interface Beginning {
  query: string;
  prompt: string | undefined;
  acr_values?: string | undefined;
  start: ProviderStart;
}

/** Begins a sign-in at a provider and returns where to send the browser. */
export async function beginAtProvider(
  page: PageContext,
  provider: Provider,
  { query, prompt, acr_values, start }: Beginning,
): Promise<URL> {
  const nonce = randomBytes(24).toString('base64url');
  const code_verifier = randomBytes(32).toString('base64url');
  const detail = { ...start, issuer: provider.issuer, nonce, code_verifier } satisfies ProviderDetail;
  const state = await beginElsewhere(page, { source: sourceOf(provider.name), query, detail });
  const { max_age } = start;
  return authorizationUrl(page.deps, provider, { state, nonce, code_verifier, max_age, prompt, acr_values });
}

/** Says why the provider has led to no sign-in; the provider is not to blame for any other error. */
export function providerProblem(error: unknown, { name }: Provider): { problem: StoppedSignIn; reason: string } {
  if (error instanceof ProviderAwayError) {
    return { problem: 'provider_away', reason: `provider ${name}: ${error.message}` };
  }
  if (error instanceof ProviderFaultError) {
    return { problem: error.problem, reason: `provider ${name}: ${error.message}` };
  }
  throw error;
}

/** Returns what is kept of a provider's statements: nothing that could not be registered. */
export function personOf(provider: Provider, person: ProviderPerson): PersonOfProvider {
  const { issuer, subject, email_verified } = person;
  const name = valid('name', person.name);
  const email = valid('email', person.email);
  const called = valid('name', person.username);
  return {
    provider: provider.name,
    issuer,
    subject,
    label: email ?? called ?? name,
    // somebody else's address must not become a name by which this person is known
    usernames: [called, email, name].map(localPart).filter((one) => one !== undefined),
    name,
    email,
    email_verified: email !== null && email_verified,
  };
}

function valid(field: 'name' | 'email', value: string | undefined): string | null {
  const text = value?.trim() ?? '';
  return text !== '' && isValidProfileValue(field, text) ? text : null;
}

/** The part before the at sign, in the form in which names are compared: Unicode has three at signs, which become one. */
function localPart(name: string | null): string | undefined {
  return name?.normalize('NFKC').split('@')[0]?.trim().replaceAll(/\s+/g, '.') || undefined;
}
