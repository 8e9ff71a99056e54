import type { RequestHandler } from 'express';
import { audit } from '../audit/audit.ts';
import { useProof } from '../clients/used-proofs.sql.ts';
import type { Deps } from '../deps.ts';
import { keepPerson } from '../identity/people.sql.ts';
import { findVisitor } from '../identity/person.ts';
import { forgetStart, keyOfSignIn } from '../identity/started-sign-in.ts';
import { namesOfView } from '../identity/view/view-accounts.ts';
import { OAuthError } from '../lib/errors.ts';
import { type Jwt, readJwt } from '../lib/jwt.ts';
import { parseForm } from '../lib/parameters.ts';
import { digestOfParts } from '../lib/secrets.ts';
import { type AnswerFault, readWebsiteAnswer, type WebsiteAnswer } from '../lib/website-answer.ts';
import { returnPath } from '../lib/website-request.ts';
import { type AuthorizationPage, queryOf, requestOf, stepPath } from '../oauth/authorize/authorization-page.ts';
import { readAuthorizationRequest } from '../oauth/authorize/authorization-request.ts';
import type { ExpectedAnswer } from '../people/website/go-to-website.ts';
import { websiteOf } from '../people/website/website.ts';
import {
  type AnsweredSignIn,
  endWebsiteSignIn,
  findWebsiteSignIn,
  keepWebsiteAnswer,
} from '../people/website/website-answers.sql.ts';
import { isOfWebsite } from '../people/website/website-keys.ts';
import { redirectWithin } from '../web/answers.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { clientAddress, recordRefusal, traceOf } from '../web/request-log.ts';
import { countRefusal } from '../web/request-metrics.ts';
import { bodyParameters, queryParameters } from '../web/request-parameters.ts';
import type { BackLabel, ElsewhereProblem } from '../web/views/views.ts';
import { completeSignIn } from './sign-in.ts';

/**
 * The website answers by a redirect with a query, or by a form, which arrives without the cookies of this site: they come with the
 * redirect that follows.
 */
export const returnFromWebsite =
  (deps: Deps): RequestHandler =>
  (req, res) => {
    const page = { deps, req, res };
    const isForm = req.method === 'POST';
    const { response, nonce, error } = isForm ? bodyParameters(req) : queryParameters(req);
    if (typeof response === 'string') return takeAnswer(page, response, isForm);
    if (!isNonce(nonce)) return refuseElsewhere(page, { name: 'elsewhere_invalid', reason: 'there is no answer' });
    const query = { nonce, error: typeof error === 'string' ? error.slice(0, 100) : undefined };
    return isForm ? toReturn(page, query) : answerSignIn(page, query);
  };

const isNonce = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{32}$/.test(value);

/**
 * Only the browser in which the sign-in began can bring the answer: otherwise whoever sends their own request to somebody else
 * would be signed in as that person. The address of the redirect has no JWT in it, so that neither the history nor a linked site
 * gets it; the JWT is verified there. A second answer replaces the first only if the website has signed it: so a forged answer uses
 * nothing up.
 */
async function takeAnswer(page: PageContext, response: string, isForm: boolean): Promise<void> {
  const jwt = readJwt(response);
  const nonce = jwt?.claims['nonce'];
  if (!jwt || !isNonce(nonce)) {
    return refuseElsewhere(page, {
      name: 'elsewhere_invalid',
      reason: 'the answer is no JWT with a nonce of this server',
    });
  }
  if (isForm) return toReturn(page, { response });
  const { ui_locales } = parseForm((await keepAnswer(page, jwt, { nonce, response })) ?? '');
  return toReturn(page, { nonce, ui_locales });
}

async function keepAnswer(page: PageContext, jwt: Jwt, { nonce, response }: Record<'nonce' | 'response', string>) {
  const { deps } = page;
  const key = keyOfSignIn(page, nonce);
  if (!key) return undefined;
  const query = await keepWebsiteAnswer(deps.database, key, response, false);
  const website = websiteOf(page);
  if (query !== undefined || !website || (await isOfWebsite(deps, website, jwt)) !== true) return query;
  return keepWebsiteAnswer(deps.database, key, response, true);
}

function toReturn({ deps, res }: PageContext, values: Record<string, string | string[] | undefined>): void {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') query.set(name, value);
  redirectWithin(res, deps.config, `${returnPath}?${query}`);
}

const pages = {
  invalid: 'elsewhere_invalid',
  stale: 'elsewhere_stale',
  of_another_source: 'elsewhere_of_another_source',
  disabled: 'elsewhere_disabled',
} as const;

interface Return {
  nonce: string;
  error: string | undefined;
}

/** A sign-in that was answered, in the browser in which it began. */
type ReturnedPage = AuthorizationPage & { expected: ExpectedAnswer };

async function answerSignIn(context: PageContext, { nonce, error }: Return): Promise<void> {
  const { database } = context.deps;
  const key = keyOfSignIn(context, nonce);
  const started = key && (await findWebsiteSignIn(database, key));
  if (!key || !started) {
    return refuseElsewhere(context, { name: 'elsewhere_unknown', reason: 'the sign-in did not begin in this browser' });
  }
  const expected = started.detail as unknown as ExpectedAnswer;
  const page: ReturnedPage = { ...context, dialect: expected.dialect, query: started.query, expected };
  const end = () => endWebsiteSignIn(database, key);
  if (started.detail['is_over'] === true) return refuseOver(page);
  if (error !== undefined) return (await end()) ? answerError(page, error) : refuseOver(page);
  const answer = await verify(page, started, nonce);
  if (answer === 'unknown') return refuseUncertain(page);
  if ('fault' in answer) return refuseElsewhere(page, { name: pages[answer.fault], reason: answer.reason });
  return (await end()) ? signInAs(page, answer) : refuseOver(page);
}

/** Verifies that an answer is from the website. `unknown` if its keys cannot be fetched. */
async function verify(
  page: ReturnedPage,
  { detail, started_at, now }: AnsweredSignIn,
  nonce: string,
): Promise<WebsiteAnswer | AnswerFault | 'unknown'> {
  const { deps, expected } = page;
  const website = websiteOf(page);
  const jwt = readJwt(String(detail['answer'] ?? ''));
  if (!website || !jwt) return { fault: 'invalid', reason: 'there is no answer' };
  const isSigned = await isOfWebsite(deps, website, jwt);
  if (isSigned === 'unknown') return isSigned;
  if (!isSigned) return { fault: 'invalid', reason: 'the answer is not signed by the website' };
  const { login, max_age } = expected;
  return readWebsiteAnswer(jwt, {
    ...{ issuer: deps.config.issuer, nonce, now, started_at },
    ...{ login, max_age: max_age ?? undefined },
  });
}

async function signInAs(page: ReturnedPage, answer: WebsiteAnswer): Promise<void> {
  const { deps, req, res } = page;
  const { sub, jti, exp, auth_time, acr, amr, ...profile } = answer;
  const proof = { proof_sha256: digestOfParts('answer of the website', jti), expires_at: Math.ceil(exp) };
  if ((await useProof(deps.database, proof)) !== null) {
    return refuseElsewhere(page, { name: 'elsewhere_invalid', reason: 'jti was used before' });
  }
  const of_view = await namesOfView(deps, [profile.username, profile.email], sub);
  const kept = await keepPerson(deps.database, { source: 'website', subject: sub, ...profile }, of_view);
  if (kept.outcome !== 'kept') {
    const { outcome } = kept;
    await audit(deps, traceOf(req, res), { event: 'sign_in_refused', detail: `website: ${outcome}` });
    return refuseElsewhere(page, { name: pages[outcome], status: 403, reason: outcome });
  }
  const { user_id } = kept;
  await forgetStart(page);
  return completeSignIn(page, {
    user_id,
    methods: ['website'],
    auth_time: new Date(auth_time * 1000),
    acr,
    amr,
    source: 'website',
  });
}

/** Answers an error: the person did not want to sign in, which the application has to know, or something went wrong at the website. */
async function answerError(page: ReturnedPage, error: string): Promise<void> {
  if (error !== 'access_denied')
    return refuseElsewhere(page, { name: 'elsewhere_failed', reason: 'an error of the website' });
  const sent = await requestOf(page);
  if (sent.parameters['client_id'] === undefined) {
    return refuseElsewhere(page, { name: 'elsewhere_denied', status: 403, reason: 'the person did not sign in' });
  }
  const requester = { dialect: page.dialect, user_id: undefined, address: clientAddress(page.req) };
  const { target } = await readAuthorizationRequest(page.deps, sent, requester);
  throw new OAuthError('access_denied', 'the person did not sign in', { target });
}

/** Refuses a sign-in that is over, after two clicks, a reload, or the button Back. */
function refuseOver(page: ReturnedPage): Promise<void> {
  return refuseElsewhere(page, { name: 'elsewhere_over', reason: 'the sign-in is over' });
}

/** Refuses an answer that could not be verified. Nothing was used up: the page offers its own address to be opened again. */
function refuseUncertain(page: ReturnedPage): Promise<void> {
  page.res.setHeader('Retry-After', 6);
  const reason = 'the keys of the website cannot be fetched';
  const again = page.deps.config.base + page.req.url;
  return refuseElsewhere(page, { name: 'elsewhere_uncertain', status: 503, reason, again });
}

interface Refusal {
  name: ElsewhereProblem;
  /** fixed words in the log */
  reason: string;
  status?: number;
  /** the path at which the person can try again, if that is not where the sign-in began */
  again?: string;
}

/**
 * Shows that a sign-in at another site has failed. The page leads back to where it began, but not to the other site by itself, which
 * could loop.
 */
async function refuseElsewhere(
  page: PageContext & Partial<AuthorizationPage>,
  { name, reason, status = 400, again }: Refusal,
): Promise<void> {
  const error = status === 503 ? 'temporarily_unavailable' : 'access_denied';
  countRefusal(error, reason);
  recordRefusal(page.res, { error, reason, client_id: undefined });
  const back = backTo(page, again, name);
  renderView(page, 'message', { ...(await findVisitor(page)), message: name, back }, status);
}

function backTo(
  page: PageContext & Partial<AuthorizationPage>,
  again: string | undefined,
  name: ElsewhereProblem,
): { href: string; label: BackLabel } {
  const { base } = page.deps.config;
  if (again !== undefined) return { href: again, label: 'back.again' };
  const { dialect } = page;
  if (dialect === undefined) return { href: `${base}/`, label: 'back.home' };
  const step = parseForm(queryOf({ ...page, dialect }))['client_id'] === undefined ? 'login' : 'authorize';
  const href = base + stepPath({ ...page, dialect }, step);
  return { href, label: name === 'elsewhere_over' ? 'back.go_on' : 'back.again' };
}
