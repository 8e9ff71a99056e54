import type { Request } from 'express';
import { OAuthError } from '../../lib/errors.ts';
import { decodeFormValue, parseForm } from '../../lib/parameters.ts';
import { redirectWithin } from '../../web/answers.ts';
import { keptParameter } from '../../web/kept-form.ts';
import type { PageContext } from '../../web/page-context.ts';
import { rawQuery } from '../../web/request-parameters.ts';
import { type Dialect, flowPaths } from '../github/dialect.ts';
import { isUsed, type SentRequest } from './authorization-request.ts';
import { openRequest } from './pushed-request.ts';

/** The context of a page of the authorization flow. The query of every such page is the authorization request. */
export interface AuthorizationPage extends PageContext {
  readonly dialect: Dialect;
  /** the query of the page on which a sign-in began that another site has answered */
  readonly query?: string;
}

/** The query of the page, as it was sent. */
export const queryOf = ({ req, query }: AuthorizationPage): string => query ?? rawQuery(req);

/** A page of the authorization flow for a person who is signed in. */
export interface SignedInAuthorizationPage extends AuthorizationPage {
  readonly user_id: number;
}

/** Keeps the authorization request of each HTTP request, which may look at it several times. */
const sentRequests = new WeakMap<Request, Promise<SentRequest>>();

/** The authorization request in the query of a page, or the pushed request that the query refers to. */
export function requestOf(page: AuthorizationPage): Promise<SentRequest> {
  const known = sentRequests.get(page.req) ?? readRequest(page);
  sentRequests.set(page.req, known);
  return known;
}

async function readRequest(page: AuthorizationPage): Promise<SentRequest> {
  const { deps, dialect } = page;
  const parameters = parseForm(queryOf(page));
  if (parameters['request_uri'] === undefined) return { parameters };
  if (dialect === 'github') throw new OAuthError('invalid_request_uri', 'pushed requests are for /authorize only');
  return openRequest(deps, parameters);
}

type Step = keyof (typeof flowPaths)[Dialect];

/**
 * What else the pages read of their query: where a pushed request is, the language, where to go after the sign-in and whether that
 * needs a new proof, that a sign-in at another server was in vain, whether the person wants to sign in as somebody else, and a form
 * that waits.
 */
const ofPages: ReadonlySet<string> = new Set([
  'request_uri',
  'ui_locales',
  'to',
  'fresh',
  'again',
  'other',
  keptParameter,
]);

/** The part of the query that means something here, as it came: every page of the flow carries it on. */
export function carriedQuery(page: AuthorizationPage): string {
  const isCarried = (pair: string) => {
    const name = decodeFormValue(pair.split('=', 1)[0] ?? '', 'a parameter name');
    return isUsed(name) || ofPages.has(name);
  };
  return queryOf(page).split('&').filter(isCarried).join('&');
}

const withoutPairs = (query: string, ...names: string[]): string =>
  query
    .split('&')
    .filter((pair) => !names.includes(pair.split('=', 1)[0] ?? ''))
    .join('&');

/** A copy of the page whose query has this parameter in place of the page's own. */
export function withParameter<Page extends AuthorizationPage>(page: Page, name: string, value: string): Page {
  const others = withoutPairs(carriedQuery(page), name);
  return { ...page, query: `${others}${others && '&'}${name}=${value}` };
}

/** The authorization request alone: neither the language of its pages nor a form that waits. */
export const requestQuery = (page: AuthorizationPage): string =>
  withoutPairs(carriedQuery(page), 'ui_locales', keptParameter);

/**
 * The query for a mail whose link leads back to the authorization request. If the query is too long, the application has to send
 * its request again.
 */
export function keptQuery(page: AuthorizationPage): string {
  const query = withoutPairs(carriedQuery(page), keptParameter);
  return query.length <= 4000 ? query : '';
}

/** The path of another step of the same authorization request. */
export function stepPath(page: AuthorizationPage, step: Step): `/${string}` {
  const { dialect } = page;
  const query = carriedQuery(page);
  return query === '' ? flowPaths[dialect][step] : `${flowPaths[dialect][step]}?${query}`;
}

export function redirectToStep(page: AuthorizationPage, step: Step): void {
  redirectWithin(page.res, page.deps.config, stepPath(page, step));
}
