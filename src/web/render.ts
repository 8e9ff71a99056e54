import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Request } from 'express';
import type { Config } from '../config/config.ts';
import { root } from '../folders.ts';
import { commonPasswords } from '../lib/common-passwords.ts';
import { oneLine } from '../lib/one-line.ts';
import { type Brand, brandSheet, versionOf } from './brand.ts';
import { clock, deviceOf, httpsUri, initial, lastUse, namer, partsOfHost } from './display.ts';
import { chooseLanguage, directionOf, languages, translator } from './language.ts';
import type { PageContext } from './page-context.ts';
import { commonHeaders } from './request-log.ts';
import { sourcePieces } from './source-pieces.ts';
import type { TextKey } from './texts.ts';
import type { ViewName, Views } from './views/views.ts';

/** The configuration that pages show. */
type PageConfig = Pick<Config, 'base' | 'issuer' | 'demo'> &
  Partial<Pick<Config, 'shows_mails' | 'imprint_url' | 'privacy_url' | 'support_url'>> & {
    readonly brand?: Brand | undefined;
  };

/** What rendering needs of a page context; the tests render without a database. */
type RenderContext = Pick<PageContext, 'req' | 'res'> & { readonly deps: { readonly config: PageConfig } };

const assets = new URL('views/assets/', root);
/** The directory that `express.static` serves. The URLs of these files have a version, so browsers cache them for ever. */
export const assetsDirectory = fileURLToPath(assets);
const views = new URL('../', assets);
/** A folder of templates for each module. */
export const viewDirectories = readdirSync(views, { encoding: 'utf8' })
  .filter((name) => name !== 'assets')
  .map((name) => fileURLToPath(new URL(name, views)));
const versions = {
  css: versionOf(readFileSync(new URL('latchkey.css', assets))),
  js: versionOf(readFileSync(new URL('latchkey.js', assets))),
  account: versionOf(readFileSync(new URL('account.js', assets))),
  form_post: versionOf(readFileSync(new URL('form-post.js', assets))),
  passkeys: versionOf(readFileSync(new URL('passkeys.js', assets))),
  passkey_signals: versionOf(readFileSync(new URL('passkey-signals.js', assets))),
  look: versionOf(readFileSync(new URL('look.js', assets))),
  portal: versionOf(readFileSync(new URL('portal.js', assets))),
  print: versionOf(readFileSync(new URL('print.js', assets))),
  new_password: versionOf(readFileSync(new URL('new-password.js', assets))),
  common_passwords: versionOf(commonPasswords),
};
/** The sheets besides latchkey.css, and the views that need them: a page loads no styles that only others use. */
const viewsOfSheet = {
  forms: /^(?!account-export|error|form-post|leaving|portal|signed-out)/,
  boxes:
    /^(account(-security)?|admin-(person|resources?|scopes)|application|consent|developer-(application-(new|registration)|security)|home|not-me|portal-choice|reset-password|second-step)$/,
  account: /^(account|admin-(?!charts)|applications|developer(?!-(application-(new|registration)|connect|security)))/,
  apps: /^applications$/,
  parts: /^(account|application|developer(?!-application-new)|pass)/,
  inset: /^admin-application$/,
  search: /^(admin-(applications?|events|grants|people)|developer-application(s|-activity))$/,
  admin: /^admin-(?!charts)/,
  tabs: /^admin-(events|people)$/,
  codes: /^(factor-setup|recovery-codes)$/,
  fields: /^admin-(events|grants)$/,
  sentences: /^admin-(scope|resources?)$/,
  charts: /^admin-charts$/,
  consent: /^(application|consent)$/,
  developer: /^developer(?!-connect)/,
  security: /^developer-security$/,
  registration: /^developer-application-(new|registration)$/,
  'by-enter': /^developer-(application-new|security)$/,
  presets: /^developer-application-new$/,
  console: /^(developer-(applications|application-(overview|credentials)|connect|document)|secret-shown-once)$/,
  risks: /^(admin-(application|person|resource|scope)|developer-(application-(overview|credentials)|document))$/,
  'new-password': /^(finish-sign-up|reset-password|account-security|password-set)$/,
  home: /^home$/,
  login: /^login$/,
  names: /^(confirm-address|factor-setup|message|not-me|reset-password|second-step)$/,
  lists:
    /^(account|admin|applications|developer(?!-(application-(new|registration)|security))|error-explained|factor-setup|passkey|password|recovery-codes|secret)/,
  log: /^(account-activity|admin-(events|grants|person)|developer-application-activity)$/,
  activity: /^account-activity$/,
  http: /^(developer-connect|playground|portal.*)$/,
  mismatch: /^(error|developer-application(s|-activity)|admin-application)$/,
  playground: /^playground$/,
  state: /^(account-security|admin-health|factor-setup)$/,
  verdict: /^admin-health$/,
  portal: /^portal/,
  cards: /^portal-(choice|start)$/,
  errors: /^portal-errors$/,
  exchange: /^portal-exchange$/,
  programs: /^portal-(choice|programs)$/,
  endpoints: /^portal-endpoints$/,
};
const viewSheets = Object.entries(viewsOfSheet).map(([name, views]) => {
  const version = versionOf(readFileSync(new URL(`${name}.css`, assets)));
  return { file: `${name}.css?v=${version}`, views };
});

/** Views whose form goes to the client and therefore has no form key. */
const viewsWithAnswer: readonly ViewName[] = ['form-post', 'leaving'];

/**
 * Views without form-action in their policy: their forms are answered by a redirect to another site or sent there, and Chromium
 * applies form-action to every redirect after a form, too [measured].
 */
const viewsBeforeRedirect: readonly ViewName[] = [
  'login',
  'second-step',
  'factor-setup',
  'recovery-codes',
  'finish-sign-up',
  'reset-password',
  'account-connect',
  'consent',
  'demo-website',
  ...viewsWithAnswer,
];

/** The headers of every page, error pages included [9700 §4.16]. */
function pageHeaders(view: ViewName, images: readonly (string | undefined)[] = []): Record<string, string> {
  const isBeforeRedirect = viewsBeforeRedirect.includes(view);
  const origins = images.flatMap((uri) => httpsUri(uri)?.origin ?? []);
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(isBeforeRedirect ? [] : ["form-action 'self'"]),
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // with no-referrer, Chromium sends `Origin: null` with forms; a client may want to know which server posts to it
    'Referrer-Policy': viewsWithAnswer.includes(view) ? 'strict-origin' : 'same-origin',
    'Cache-Control': 'no-store',
    // a client that opened this page in a popup needs its reference to the popup after the redirect
    'Cross-Origin-Opener-Policy': isBeforeRedirect ? 'unsafe-none' : 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    Vary: 'Accept-Language, Cookie',
  };
}

/**
 * The paths to which another site sends the browser back: its answer counts once, so the page has no address that could be opened again.
 */
const wayBack = /^\/(login\/(provider\/[^/]+\/callback|return)|playground\/callback)$/;

/** Views whose address cannot be opened once more: what they show is shown once, or answers a form that has no page of its own. */
const viewsShownOnce: readonly ViewName[] = ['recovery-codes', 'secret-shown-once', 'form-post'];
const viewsOfOtherAddress: readonly ViewName[] = ['consent', 'leaving', 'playground', 'session-ended'];
/** The forms behind links of mails. What else answers these forms cannot be opened at their address, since the link is used up. */
const formsOfLinks: readonly ViewName[] = ['finish-sign-up', 'reset-password'];
const pathsOfLinks = /^\/(sign-up\/finish|reset-password)$/;

/** Links to the same page in other languages: only a query, since a path such as `//evil.example` leads to another host. */
function languageLinks(
  req: Request,
  view: ViewName,
  explanation: string | undefined,
): { language: string; name: string; href: string }[] {
  const { search, searchParams } = new URL(req.originalUrl.replace(/^[^?]*/, ''), 'http://query.invalid');
  searchParams.delete('ui_locales');
  // the secret of a link of a mail, in a request that nobody makes by opening it
  for (const [name, value] of [...searchParams]) if (/lk_/i.test(value)) searchParams.delete(name);
  // an error page does not repeat a request that may be hostile: its links lead to the explanation of the error
  const isGet = req.method === 'GET';
  const linksToExplanation = explanation !== undefined && (!isGet || wayBack.test(req.path) || searchParams.size > 0);
  const isAfterLink = pathsOfLinks.test(req.path) && !formsOfLinks.includes(view);
  const isShownOnce = viewsShownOnce.includes(view) || (!isGet && (isAfterLink || viewsOfOtherAddress.includes(view)));
  if (!linksToExplanation && (isShownOnce || wayBack.test(req.path) || search.length > 1500)) return [];
  const beginning = linksToExplanation ? `${explanation}?` : `?${searchParams}${searchParams.size > 0 ? '&' : ''}`;
  return languages.map(({ language, name }) => ({ language, name, href: `${beginning}ui_locales=${language}` }));
}

/**
 * What a template finds wrong with a form: in a field, which has this id and label, or in the form as a whole. `retyped`: the field keeps
 * the focus, since the person has nothing to do but to enter it again.
 */
type Fault = { of?: string; label?: string; text?: string; retyped?: boolean; remedy?: { href: string; text: string } };

/**
 * The only caller of `res.render`. A template sees `data`, the texts, and functions that format values; not the request. A page with
 * faults, which its partials report while it is rendered, is rendered once more, with their summary at its top.
 */
export function renderView<View extends ViewName>(
  { deps: { config }, req, res }: RenderContext,
  view: View,
  data: Views[View],
  status = 200,
): void {
  const language = chooseLanguage(req);
  const texts = translator(language);
  const times = clock(language);
  const logo = 'client' in data ? (data.client as { logo?: string } | undefined)?.logo : undefined;
  const brand = { name: 'Latchkey', ...config.brand, logo_uri: httpsUri(config.brand?.logo_uri)?.href };
  res
    .status(status)
    .set(commonHeaders(res))
    .set(pageHeaders(view, [brand.logo_uri, logo]));
  const page = 'part' in data ? `${view}-${data.part}` : view;
  const values = {
    data,
    view,
    ...texts,
    ...times,
    used: lastUse(texts.t, times.ago),
    oneLine,
    initial,
    partsOfHost,
    nameOf: namer(texts.t),
    httpsUri,
    deviceOf,
    sourcePieces,
    lang: language,
    dir: directionOf(language),
    languages: languageLinks(req, view, explanationPath(config, view, data)),
    base: config.base,
    footer: footerOf(config),
    brand,
    demo: config.demo,
    shows_mails: config.shows_mails === true,
    issuer: config.issuer,
    issuer_host: new URL(config.issuer).host,
    sheet: brand.color === undefined ? undefined : versionOf(brandSheet(brand)),
    view_sheets: viewSheets.filter(({ views }) => views.test(page)).map(({ file }) => file),
    versions,
  };
  const found: Fault[] = [];
  const render = (faults: readonly Fault[], then: (html: string) => void) =>
    res.render(view, { ...values, faults, fault: (fault: Fault) => void found.push(fault) }, (error: unknown, html) =>
      error ? req.next?.(error) : then(html),
    );
  const send = (html: string) => void res.send(html);
  render([], (html) => (found.length > 0 && status >= 400 ? render([...found], send) : send(html)));
}

/** Returns the links that the operator gives to every page. */
function footerOf({
  imprint_url,
  privacy_url,
  support_url,
}: PageConfig): { name: string; label: TextKey; href: string }[] {
  const links = [
    { name: 'imprint', label: 'footer.imprint', href: imprint_url },
    { name: 'privacy', label: 'footer.privacy', href: privacy_url },
    { name: 'support', label: 'footer.support', href: support_url },
  ] as const;
  return links.flatMap(({ href, ...link }) => (href === undefined ? [] : [{ ...link, href }]));
}

/** Returns the path of the page that explains the error of an error page. */
function explanationPath<View extends ViewName>(
  { base }: PageConfig,
  view: View,
  data: Views[View],
): string | undefined {
  return view === 'error' && 'code' in data ? `${base}/errors/${data.code}` : undefined;
}
