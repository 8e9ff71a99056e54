import * as client from 'openid-client';
import type { Deps } from '../../deps.ts';
import { authenticationIn } from '../../lib/authentication-claims.ts';
import { readFlag } from '../../lib/flag.ts';
import { authTimeFault, clockTolerance, idTokenFault, isSubject, readIdToken } from '../../lib/id-token.ts';
import type { Claims, Jwt } from '../../lib/jwt.ts';
import { isSignedByProvider } from '../../lib/provider-keys.ts';
import type { ProviderMetadata } from '../../lib/provider-metadata.ts';
import { githubMetadata, readGithubPerson } from './github-provider.ts';
import { findMetadata, findProviderKeys } from './provider-documents.ts';
import { converse, ProviderAwayError, type ProviderFetch } from './provider-fetch.ts';
import type { ProviderPerson, SessionAtProvider } from './provider-person.ts';
import { openProviderSecret } from './provider-secrets.ts';
import type { Provider } from './providers.sql.ts';

/** Says why an answer of a provider leads to no sign-in; the message is in fixed words. */
export class ProviderFaultError extends Error {
  readonly problem: 'provider_wrong' | 'not_confirmed' | 'cancelled';

  constructor(message: string, { problem = 'provider_wrong', cause }: FaultDetails = {}) {
    super(message, { cause });
    this.problem = problem;
  }
}

interface FaultDetails {
  problem?: ProviderFaultError['problem'];
  cause?: unknown;
}

export type ProviderDeps = Pick<Deps, 'config' | 'database' | 'log' | 'sessionSecrets'>;

/** What this server remembers of a sign-in that goes on at a provider. Only the browser in which it began has it. */
export interface ProviderRequest {
  state: string;
  nonce: string;
  code_verifier: string;
  /** how old the authentication at the provider may be; 0 with prompt=login */
  max_age: number | undefined;
}

/** Each provider has its own return address, so that the answer of one provider is never taken for that of another [9700 §4.4]. */
export function returnAddress({ config }: Pick<Deps, 'config'>, name: string): string {
  return `${config.issuer}/login/provider/${name}/callback`;
}

export function talkTo<T>(
  { config }: Pick<Deps, 'config'>,
  { name }: Provider,
  run: (fetch: ProviderFetch) => Promise<T>,
): Promise<T> {
  return converse({ name, userAgent: `Latchkey (+${config.issuer})` }, run);
}

/** A max_age that is longer than any session lasts: whoever sends max_age gets auth_time [OpenID Connect Core §3.1.2.1]. */
const anyAge = 31_536_000;

/** Returns where the browser is sent. */
export function authorizationUrl(
  deps: ProviderDeps,
  provider: Provider,
  request: ProviderRequest & { prompt: string | undefined; acr_values?: string | undefined },
): Promise<URL> {
  return talkTo(deps, provider, async (fetch) => {
    const metadata = await metadataOf(deps, provider, fetch);
    const { state, nonce, code_verifier, max_age, prompt, acr_values } = request;
    const parameters = {
      redirect_uri: returnAddress(deps, provider.name),
      scope: provider.scopes.join(' '),
      state,
      code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
      ...(prompt !== undefined && { prompt }),
      ...(acr_values !== undefined && { acr_values }),
      ...(provider.kind !== 'github' && { nonce, max_age: String(max_age ?? anyAge) }),
    };
    return client.buildAuthorizationUrl(configure(deps, provider, metadata), parameters);
  });
}

function metadataOf(deps: ProviderDeps, provider: Provider, fetch: ProviderFetch): Promise<ProviderMetadata> {
  return provider.kind === 'github' ? Promise.resolve(githubMetadata(provider)) : findMetadata(deps, provider, fetch);
}

/** Whether the provider has signed the JWT, with one of the keys of its ID tokens. */
export function isSignedThere(deps: ProviderDeps, provider: Provider, jwt: Jwt): Promise<boolean> {
  const { alg, kid } = jwt.header;
  const algorithm = provider.id_token_signed_response_alg;
  // before keys are looked for: the sender may be anybody
  if (alg !== algorithm || !['string', 'undefined'].includes(typeof kid)) return Promise.resolve(false);
  return talkTo(deps, provider, async (fetch) => {
    const { jwks_uri } = await findMetadata(deps, provider, fetch);
    return isSignedByProvider(jwt, await findProviderKeys(deps, provider, { jwks_uri, kid }, fetch), algorithm);
  });
}

function configure(
  { sessionSecrets }: ProviderDeps,
  provider: Provider,
  metadata: ProviderMetadata,
  clockSkew = 0,
): client.Configuration {
  const secret = openProviderSecret(sessionSecrets, provider);
  if (secret === 'unreadable') throw new ProviderAwayError('its client secret was sealed with another SESSION_SECRET');
  const { client_id, id_token_signed_response_alg, token_endpoint_auth_method } = provider;
  const authentications = {
    client_secret_basic: () => client.ClientSecretBasic(secret),
    client_secret_post: () => client.ClientSecretPost(secret),
    none: () => client.None(),
  };
  const registration = {
    id_token_signed_response_alg,
    [client.clockTolerance]: clockTolerance,
    [client.clockSkew]: clockSkew,
  };
  const configured = new client.Configuration(
    { ...metadata },
    client_id,
    registration,
    authentications[token_endpoint_auth_method](),
  );
  // addresses were checked: https, or loopback
  client.allowInsecureRequests(configured);
  client.enableNonRepudiationChecks(configured);
  return configured;
}

/** What the callback knows: `answer` is the URL to which the provider has sent the browser. */
export interface ProviderAnswer {
  answer: URL;
  request: ProviderRequest;
  /** seconds since 1970, by the clock of the database */
  began_at: number;
  now: number;
}

/** Redeems the code, and says who the person is. */
export async function findProviderPerson(
  deps: ProviderDeps,
  provider: Provider,
  answered: ProviderAnswer,
): Promise<ProviderPerson> {
  try {
    return await talkTo(deps, provider, async (fetch) => {
      const metadata = await metadataOf(deps, provider, fetch);
      if (provider.kind === 'github') return readGithub(deps, { provider, metadata, fetch }, answered);
      return readOpenId(deps, { provider, metadata, fetch }, answered);
    });
  } catch (error) {
    throw namedError(error);
  }
}

interface Conversation {
  provider: Provider;
  metadata: ProviderMetadata;
  fetch: ProviderFetch;
}

async function readGithub(
  deps: ProviderDeps,
  { provider, metadata, fetch }: Conversation,
  { answer, request }: ProviderAnswer,
): Promise<ProviderPerson> {
  const configured = configure(deps, provider, metadata);
  configured[client.customFetch] = (url, init) => fetch(url, init);
  const checks = { pkceCodeVerifier: request.code_verifier, expectedState: request.state };
  const { access_token } = await client.authorizationCodeGrant(configured, answer, checks);
  const person = await readGithubPerson(provider, access_token, fetch);
  if (typeof person === 'string') throw new ProviderFaultError(person);
  return person;
}

async function readOpenId(
  deps: ProviderDeps,
  conversation: Conversation,
  answered: ProviderAnswer,
): Promise<ProviderPerson> {
  const { provider, metadata, fetch } = conversation;
  const { token, configured } = await redeem(deps, conversation, answered);
  const claims = token.claims();
  if (!claims) throw new ProviderFaultError('its answer has no ID token');
  const { access_token } = token;
  const { client_id, id_token_signed_response_alg: algorithm } = provider;
  const { began_at, now, request } = answered;
  const checked = { client_id, began_at, now, max_age: request.max_age, access_token, algorithm };
  const fault = idTokenFault(claims, checked);
  if (fault !== undefined) throw new ProviderFaultError(fault);
  const stale = authTimeFault(claims, checked);
  if (stale !== undefined) throw new ProviderFaultError(stale, { problem: 'not_confirmed' });
  const subject = subjectOf(provider, claims);
  // userinfo is only asked about people who may get an account
  const isAsked = provider.people === 'created' && metadata.userinfo_endpoint && claims['email'] === undefined;
  configured[client.customFetch] = (url, init) => fetch(url, init);
  const more = isAsked ? await client.fetchUserInfo(configured, access_token, claims.sub) : {};
  const profile = profileIn(provider, claims, more);
  const at_provider = sessionIn(claims, began_at);
  const proof = { ...authenticationIn(claims), auth_time: authTimeOf(claims, now), at_provider };
  return { issuer: claims.iss, subject, ...profile, ...proof };
}

/**
 * The subject is `sub`, but with Entra the person's number in the tenant: `sub` differs from application to application there, and
 * addresses can be anybody's.
 */
function subjectOf({ kind, issuers }: Provider, claims: Claims): string {
  const subject = kind === 'entra' ? claims['oid'] : claims['sub'];
  if (!isSubject(subject)) throw new ProviderFaultError('its ID token has no usable subject');
  if (!issuers.includes(String(claims['iss'])))
    throw new ProviderFaultError('its ID token is of another issuer or tenant');
  return subject;
}

/** A provider that tells no auth_time may have authenticated the person long before this sign-in. */
function sessionIn({ sub, sid, auth_time }: Claims, began_at: number): SessionAtProvider {
  return {
    sub: String(sub),
    sid: isSubject(sid) ? sid : null,
    began_at: typeof auth_time === 'number' ? auth_time : began_at - clockTolerance,
  };
}

/** Returns when the person signed in, never later than now: the clock of the provider may be ahead. */
function authTimeOf({ auth_time }: Claims, now: number): Date | undefined {
  return typeof auth_time === 'number' ? new Date(Math.min(auth_time, now) * 1000) : undefined;
}

type Profile = Pick<ProviderPerson, 'username' | 'name' | 'email' | 'email_verified'>;

/** Reads the profile; the ID token goes before userinfo. Only the answer that has the address can say whether the address is verified. */
function profileIn(provider: Provider, token: Claims, userinfo: Claims): Profile {
  const sayer = (name: string) => [token, userinfo].find((claims) => typeof claims[name] === 'string') ?? {};
  const text = (name: string) => sayer(name)[name] as string | undefined;
  return {
    username: text('preferred_username'),
    name: text('name'),
    email: text('email'),
    email_verified: isAddressVerified(provider, sayer('email')),
  };
}

/** Entra does not send `email_verified`, but a tenant can make it up; `xms_edov` says that the tenant has proved the domain of the address. */
function isAddressVerified({ kind }: Provider, { email_verified, xms_edov }: Claims): boolean {
  return readFlag(kind === 'entra' ? xms_edov : email_verified) === true;
}

/**
 * Redeems the code and verifies the ID token. The keys of the provider are looked up as soon as the token names a key, so that
 * openid-client never fetches keys: it would count its pause for this process alone, and a key may be newer than that pause.
 */
async function redeem(deps: ProviderDeps, { provider, metadata, fetch }: Conversation, answered: ProviderAnswer) {
  const { answer, request, now } = answered;
  // the ID token is judged by the clock of the database
  const skew = Math.round(now - Date.now() / 1000);
  let response: Response | undefined;
  let named: unknown = metadata.issuer;
  const redeemFor = async (issuer: string) => {
    const configured = configure(deps, provider, { ...metadata, issuer }, skew);
    configured[client.customFetch] = async (url, init) => {
      if (url !== metadata.token_endpoint) throw new ProviderFaultError('openid-client has asked for more than tokens');
      response ??= await fetch(url, init);
      const { iss, kid } = readIdToken(await response.clone().text());
      named = iss;
      const keys = await findProviderKeys(deps, provider, { jwks_uri: metadata.jwks_uri, kid }, fetch);
      client.setJwksCache(configured, { jwks: { keys: [...keys] }, uat: Math.floor(Date.now() / 1000) });
      return response.clone();
    };
    const { state, nonce, code_verifier } = request;
    const checks = {
      pkceCodeVerifier: code_verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    };
    return { configured, token: await client.authorizationCodeGrant(configured, answer, checks) };
  };
  // where tenants share their metadata, the answer may name its own already
  const iss = answer.searchParams.get('iss') ?? '';
  try {
    return await redeemFor(provider.issuers.includes(iss) ? iss : metadata.issuer);
  } catch (error) {
    // otherwise only the token says whose it is, and openid-client must know that before it looks at the token
    const isOfTenant = typeof named === 'string' && named !== metadata.issuer && provider.issuers.includes(named);
    if (!isOfTenant) throw error;
    return redeemFor(named as string);
  }
}

/** Unwraps an error: openid-client wraps what was thrown below it. */
function namedError(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderAwayError || cause instanceof ProviderFaultError) return cause;
  }
  if (error instanceof client.AuthorizationResponseError) return errorAnswer(error.error);
  if (error instanceof client.ResponseBodyError) {
    return new ProviderFaultError(`its token endpoint answers ${codeIn(error.error)}`, { cause: error });
  }
  // its message is fixed, and names no value
  if (error instanceof client.ClientError) return new ProviderFaultError(reasonOf(error), { cause: error });
  return error;
}

/** The error with which the provider has sent the browser back [6749 §4.1.2.1]. */
function errorAnswer(code: string): Error {
  const reason = `it answers ${codeIn(code)}`;
  if (code === 'access_denied') return new ProviderFaultError(reason, { problem: 'cancelled' });
  const isAway = code === 'temporarily_unavailable' || code === 'server_error';
  return isAway ? new ProviderAwayError(reason) : new ProviderFaultError(reason);
}

/** Returns an error code only in this form: anybody can write another text into the address. */
const codeIn = (code: unknown) => (typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'an unknown error');

function reasonOf({ message, cause }: client.ClientError): string {
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}
