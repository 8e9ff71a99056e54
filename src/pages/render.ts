import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Request } from 'express';
import type { Config } from '../config.ts';
import { commonHeaders } from '../http/request-log.ts';
import { type Brand, brandSheet, versionOf } from './brand.ts';
import { clock, deviceOf, httpsUri, initial, oneLine } from './display.ts';
import { chooseLanguage, directionOf, languages, translator } from './language.ts';
import type { PageContext } from './page-context.ts';
import type { ViewName, Views } from './views/views.ts';

/** The part of the configuration that pages see. */
type PageConfig = Pick<Config, 'base' | 'issuer' | 'demo'> & { readonly brand?: Brand | undefined };

/** What rendering needs of a page context; the tests render without a database. */
type RenderContext = Pick<PageContext, 'req' | 'res'> & { readonly deps: { readonly config: PageConfig } };

const assets = new URL('../../views/assets/', import.meta.url);
/** For `express.static`, which may let browsers keep them for ever: their addresses carry their version. */
export const assetsDirectory = fileURLToPath(assets);
export const viewsDirectory = fileURLToPath(new URL('../', assets));
const versions = {
  css: versionOf(readFileSync(new URL('latchkey.css', assets))),
  js: versionOf(readFileSync(new URL('latchkey.js', assets))),
};

/**
 * Chromium applies form-action to every redirect that follows a form post, so on the pages whose answer may leave for an
 * application it would break the way back [measured]. These carry none; all their forms are ours and carry a token.
 */
const answersMayLeave: readonly ViewName[] = ['login', 'consent'];

/** Without which no page is sent, error pages included [9700 §4.16]. */
function pageHeaders(view: ViewName, images: readonly (string | undefined)[] = []): Record<string, string> {
  const mayLeave = answersMayLeave.includes(view);
  const origins = images.flatMap((uri) => httpsUri(uri)?.origin ?? []);
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    `img-src ${["'self'", ...new Set(origins)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(mayLeave ? [] : ["form-action 'self'"]),
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // Not no-referrer: with it Chromium sends `Origin: null` on our own forms.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    // An application that opened us in a window of its own has to hear from that window again.
    'Cross-Origin-Opener-Policy': mayLeave ? 'unsafe-none' : 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    Vary: 'Accept-Language',
  };
}

/** The same page in another language: a query-only link, so that a path like `//evil.example` cannot take it elsewhere. */
function languageLinks(req: Request, explained?: string): { language: string; name: string; href: string }[] {
  const { search, searchParams } = new URL(req.originalUrl.replace(/^[^?]*/, ''), 'http://query.invalid');
  searchParams.delete('ui_locales');
  // an error page repeats nothing of a request that may be hostile: then what the error means is told in that language
  const isElsewhere = explained !== undefined && (req.method !== 'GET' || searchParams.size > 0);
  if (!isElsewhere && (req.method !== 'GET' || search.length > 1500)) return [];
  return languages.map(({ language, name }) => {
    searchParams.set('ui_locales', language);
    return { language, name, href: isElsewhere ? `${explained}?ui_locales=${language}` : `?${searchParams}` };
  });
}

/** The only caller of `res.render`. A template sees `data`, its texts and a few ways to show a value; nothing of the request. */
export function renderView<View extends ViewName>(
  { deps: { config }, req, res }: RenderContext,
  view: View,
  data: Views[View],
  status = 200,
): void {
  const language = chooseLanguage(req);
  const logo = 'client' in data ? (data.client as { logo_uri?: string } | undefined)?.logo_uri : undefined;
  const brand = { name: 'Latchkey', ...config.brand, logo_uri: httpsUri(config.brand?.logo_uri)?.href };
  res
    .status(status)
    .set(commonHeaders(res))
    .set(pageHeaders(view, [brand.logo_uri, logo]));
  res.render(view, {
    data,
    view,
    ...translator(language),
    ...clock(language),
    oneLine,
    initial,
    httpsUri,
    deviceOf,
    lang: language,
    dir: directionOf(language),
    languages: languageLinks(req, explainedAt(config, view, data)),
    base: config.base,
    brand,
    demo: config.demo,
    issuer: config.issuer,
    issuer_host: new URL(config.issuer).host,
    sheet: brand.color === undefined ? undefined : versionOf(brandSheet(brand)),
    versions,
  });
}

/** The page about the error that this page shows. */
function explainedAt<View extends ViewName>({ base }: PageConfig, view: View, data: Views[View]): string | undefined {
  return view === 'error' && 'code' in data ? `${base}/errors/${data.code}` : undefined;
}
