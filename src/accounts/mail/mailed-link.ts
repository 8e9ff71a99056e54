import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import { findVisitor } from '../../identity/person.ts';
import { digestOfParts, isSecret } from '../../lib/secrets.ts';
import { redirectWithin } from '../../web/answers.ts';
import { readCookie } from '../../web/cookies.ts';
import { browserOfForm, issueFormKey } from '../../web/form-key.ts';
import type { PageContext } from '../../web/page-context.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf, queryParameters } from '../../web/request-parameters.ts';
import { findUsedLink, type LinkPurpose, type MailedLink, type UsedLink } from './mailed-links.sql.ts';
import { linkPaths, openLink } from './mailed-links.ts';

/** A page behind the link of a mail. What the link is for follows from its secret alone, and from no session. */
export interface LinkPage extends PageContext {
  readonly link: MailedLink;
  readonly token: string;
  readonly csrf: string;
}

type Show = (page: LinkPage) => void | Promise<void>;
type IfOver = (page: PageContext, token: string) => void | Promise<void>;

/** Shows the page, and changes nothing: programs open the links of mails, too. */
export const showForLink =
  (
    deps: Deps,
    purpose: LinkPurpose,
    show: Show,
    ifOver: IfOver = (page) => refuseLink(page, purpose),
  ): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    if (movesLink(page, linkPaths[purpose])) return;
    const kept = keptLink(page);
    const link = await openLink(deps, purpose, kept);
    if (!link) return ifOver(page, kept);
    return show({ ...page, link, token: kept, csrf: issueFormKey(page) });
  };

/**
 * Moves the secret from the address into a cookie at once, so that neither the history nor a Referer has it; the form of the page has it
 * from then on. False if the address has no secret.
 */
export function movesLink(page: PageContext, path: `/${string}`): boolean {
  const { token, ui_locales } = queryParameters(page.req);
  if (token === undefined) return false;
  // a malformed secret may end with the full stop of a sentence
  if (typeof token !== 'string' || !isSecret('mailed_link', token)) forgetLink(page);
  else keepLink(page, token);
  const query = typeof ui_locales === 'string' ? `?${new URLSearchParams({ ui_locales })}` : '';
  redirectWithin(page.res, page.deps.config, `${path}${query}`);
  return true;
}

/**
 * Makes the change that a form asks for, by the secret in it: whatever another tab has opened in the meantime, it is for the account
 * that was shown. `ifOver` answers if the link is over.
 */
export const changeByLink =
  (
    deps: Deps,
    purpose: LinkPurpose,
    change: Show,
    ifOver: IfOver = (page) => refuseLink(page, purpose),
  ): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const token = fieldOf(bodyParameters(req), 'link');
    const link = await openLink(deps, purpose, token);
    if (!link) return ifOver(page, token);
    return change({ ...page, link, token, csrf: issueFormKey(page) });
  };

/**
 * The digest by which a form that is sent once more is recognised: its link and its browser, with what decides about the answer.
 * Somebody else with the used link thus learns from no answer whether a typed password is the right one.
 */
export const formDigest = (page: PageContext, token: string, ...typed: string[]): Buffer =>
  digestOfParts('form of a mailed link', token, browserOfForm(page), ...typed);

/** The digest by which a link that was used is recognised in the same browser. */
export const linkDigest = (page: PageContext, token: string): Buffer =>
  digestOfParts('used mailed link', token, browserOfForm(page));

/** Answers a second click as the first one, which has used the link up. */
export async function showDoneOrRefuse(
  page: PageContext,
  purpose: LinkPurpose | 'sign_up',
  digest: Buffer,
  showDone: (page: PageContext, used: UsedLink) => void | Promise<void>,
): Promise<void> {
  const used = await findUsedLink(page.deps.database, digest);
  return used ? showDone(page, used) : refuseLink(page, purpose);
}

/** Answers a link that was used, replaced, is too old or was never made in the same way, so each counts as a guess. */
export async function refuseLink(page: PageContext, purpose: LinkPurpose | 'sign_up'): Promise<void> {
  const { deps, req, res } = page;
  const shown = req.method === 'POST' ? fieldOf(bodyParameters(req), 'link') : keptLink(page);
  if (isSecret('mailed_link', shown)) await limitFailures(deps, traceOf(req, res));
  const { base } = deps.config;
  const ways = {
    reset: { href: `${base}/forgot-password`, label: 'back.new_link' },
    sign_up: { href: `${base}/sign-up`, label: 'back.new_link' },
    address: { href: `${base}/account`, label: 'back.account' },
    not_me: { href: `${base}/account`, label: 'back.account' },
  } as const;
  const back = ways[purpose];
  renderView(page, 'message', { ...(await findVisitor(page)), message: 'link_over', back }, 410);
}

/** Keeps the link in a cookie until its page is closed, an hour at most. */
function keepLink(page: PageContext, token: string): void {
  page.res.cookie(cookieName(page), token, { ...cookieOptions(page), maxAge: 3_600_000 });
}

export const keptLink = (page: PageContext): string => readCookie(page.req, cookieName(page)) ?? '';

export function forgetLink(page: PageContext): void {
  page.res.clearCookie(cookieName(page), cookieOptions(page));
}

/** Leads from a page behind a link to the next page, with another link. */
export function goToLink(page: PageContext, purpose: LinkPurpose, token: string): void {
  keepLink(page, token);
  redirectWithin(page.res, page.deps.config, linkPaths[purpose]);
}

const cookieName = ({ deps: { config } }: PageContext) => (config.secure ? '__Host-link' : 'link');

// the mail is opened on another site, so Strict would keep the cookie back
const cookieOptions = ({ deps: { config } }: PageContext) =>
  ({ httpOnly: true, sameSite: 'lax', secure: config.secure, path: '/' }) as const;
