import { findClient } from '../../clients/clients.sql.ts';
import { findVisitor } from '../../identity/person.ts';
import { type Proof, signedInUser } from '../../identity/session.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { checkTypedPassword } from '../../identity/typed-password.ts';
import { isClientId } from '../../lib/client-id.ts';
import { OAuthError } from '../../lib/errors.ts';
import { parseForm } from '../../lib/parameters.ts';
import {
  type AuthorizationPage,
  queryOf,
  redirectToStep,
  requestOf,
  stepPath,
  withParameter,
} from '../../oauth/authorize/authorization-page.ts';
import { openRequest } from '../../oauth/authorize/pushed-request.ts';
import { browserOfForm } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { isOwnPage } from '../../web/return-address.ts';
import type { ClientOnTheWay } from '../../web/views/parts.ts';
import { forgetLink, linkDigest, showDoneOrRefuse } from './mailed-link.ts';

/** What a link has led to: the name of the notice on the account page, and of the message without a session. */
type LinkOutcome = 'signed_up' | 'password_reset';

/** The end of every sign-in, which a later module hands in. */
export type CompleteSignIn = (page: AuthorizationPage, proof: Proof, how: { is_known?: boolean }) => Promise<void>;

/**
 * The page behind a link as a step of the authorization request for which the person asked for the link, if that was in this browser: in
 * another browser, whoever asked would decide where somebody else arrives. A pushed request that is over is left out.
 */
export async function onTheWay<Page extends PageContext>(
  page: Page,
  { query = '', dialect, browser }: Readonly<Record<string, string>> = {},
): Promise<Page & AuthorizationPage> {
  const isOfBrowser = query !== '' && browser === browserOfForm(page);
  const isOpen = isOfBrowser && (await isStillOpen(page, query));
  return { ...page, query: isOpen ? query : '', dialect: isOfBrowser && dialect === 'github' ? 'github' : 'rfc' };
}

async function isStillOpen({ deps }: PageContext, query: string): Promise<boolean> {
  const parameters = parseForm(query);
  if (parameters['request_uri'] === undefined) return true;
  return orUndefined(openRequest(deps, parameters).then(() => true)).then(Boolean);
}

/** The application to which the person goes on afterwards, which every page on the way names. */
export async function clientOnTheWay(page: AuthorizationPage): Promise<ClientOnTheWay | undefined> {
  const request = await orUndefined(requestOf(page));
  const client_id = request?.parameters['client_id'];
  if (typeof client_id !== 'string' || !isClientId(client_id)) return undefined;
  const client = await findClient(page.deps.database, client_id);
  return client && { name: client.name, site_domain: client.site_domain, vouched: client.vouched };
}

const orUndefined = <Found>(found: Promise<Found>): Promise<Found | undefined> =>
  found.catch((error: unknown) => {
    if (error instanceof OAuthError) return undefined;
    throw error;
  });

/**
 * Signs in whoever has set a password behind a link, as that password would, and goes on to the application or to the account page with
 * `notice`. False where somebody else is signed in: a link changes nobody's session.
 */
export async function signInByLink(
  page: AuthorizationPage,
  completeSignIn: CompleteSignIn,
  { user_id, sessions_version }: { user_id: number; sessions_version: string },
  notice: LinkOutcome,
): Promise<boolean> {
  const present = signedInUser(page.req);
  if (present !== undefined && present !== user_id) return false;
  await completeSignIn(
    leadingOn(page, notice),
    { user_id, methods: ['password'], sessions_version },
    { is_known: true },
  );
  return true;
}

function leadingOn(page: AuthorizationPage, notice: LinkOutcome): AuthorizationPage {
  const { client_id, to } = parseForm(queryOf(page));
  const leadsOn = client_id !== undefined || isOwnPage(to);
  return leadsOn ? page : withParameter(page, 'to', encodeURIComponent(`/account?notice=${notice}`));
}

/** Says what the link has led to, to somebody who is not signed in to the account. */
export async function showOutcome(
  page: AuthorizationPage,
  message: LinkOutcome | 'address_taken',
  address?: string,
): Promise<void> {
  forgetLink(page);
  const back = { href: page.deps.config.base + stepPath(page, 'login'), label: 'back.sign_in' } as const;
  const status = message === 'address_taken' ? 409 : 200;
  renderView(page, 'message', { ...(await findVisitor(page)), message, address, back }, status);
}

/** Answers a link that is opened again in the browser that has used it a moment ago: whoever is signed in goes on as the first time. */
export const showUsedOrRefuse = (
  page: PageContext,
  token: string,
  purpose: 'reset' | 'sign_up',
  notice: LinkOutcome,
): Promise<void> =>
  showDoneOrRefuse(page, purpose, linkDigest(page, token), async (_, { user_id, detail }) => {
    const way = await onTheWay(page, detail);
    if (signedInUser(page.req) !== user_id) return showOutcome(way, notice);
    forgetLink(page);
    redirectToStep(leadingOn(way, notice), 'login');
  });

/** Answers a second click as the first one, which has used the link up: whoever sent it in the same browser knows the password. */
export async function signInAgain(
  page: AuthorizationPage,
  completeSignIn: CompleteSignIn,
  { username, password }: { username: string; password: string },
  notice: LinkOutcome,
): Promise<boolean> {
  const check = await checkTypedPassword(page, username, password).catch(refuseTooBusy(page));
  if ('status' in check || !check.isRight || check.account.user_id === null) return false;
  const { user_id, sessions_version } = check.account;
  return signInByLink(page, completeSignIn, { user_id, sessions_version }, notice);
}
