import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import type { Parameters } from '../lib/parameters.ts';
import { seal, unseal } from '../lib/sealing.ts';
import type { PageContext } from './page-context.ts';
import { bodyParameters, fieldOf, isForm, queryParameters } from './request-parameters.ts';

// What was typed into a form whose session has ended goes with the person to the sign-in page and back, sealed, as a parameter of its
// address: so every way to sign in carries it, and nothing is stored here. What is too long for an address stays in a page that is open
// beside the sign-in, and sends it (orReturned). Then the form is shown with it, to the same person only, and is sent by that person or
// not at all.

/** The name of the parameter in the query, and of the field in the page that waits. */
export const keptParameter = 'kept';

const keptFields = new WeakMap<Request, RegExp>();

/** A form of which these fields are kept: no form key, no ticket that makes something, and nothing that proves who somebody is. */
export const keeping =
  (fields: RegExp, change: RequestHandler): RequestHandler =>
  (req, res, next) => {
    keptFields.set(req, fields);
    return change(req, res, next);
  };

const purpose = 'kept form';
/** The parameter is limited so that the address fits into what proxies accept, the field so that the body does. */
const longest = 6000;
const longestField = 16_000;
/** The most characters of a form as JSON, which can write a character as six. */
const longestForm = 128 * 1024;

interface Kept {
  path: string;
  form: Record<string, unknown>;
}

/**
 * Returns the form of this request as a value of the parameter; undefined if nothing is kept of it, or if it is too long for an address.
 */
export function keepForm(page: PageContext): string | undefined {
  const sealed = sealForm(page);
  return isSealed(sealed) ? sealed : undefined;
}

/** Returns the form of this request as a value of the field; a waiting page sends one along, which is then used. */
export function keepLongForm(page: PageContext): string | undefined {
  const sealed = returnedForm(page.req) ?? sealForm(page);
  return openKept(page, sealed, page.req.path) && sealed;
}

function sealForm({ deps, req }: PageContext): string | undefined {
  const fields = keptFields.get(req);
  if (!fields || !isForm(req)) return undefined;
  const sent = bodyParameters(req);
  // a form that an earlier release has sealed does not say whose it is
  if (fieldOf(sent, 'made_from') === '') return undefined;
  const isKept = (name: string) => name === 'made_from' || fields.test(name);
  const form = Object.fromEntries(Object.entries(sent).filter(([name]) => isKept(name)));
  if (isKept('jwks') && hasPrivateKey(fieldOf(sent, 'jwks'))) delete form['jwks'];
  const kept: Kept = { path: req.path, form };
  const content = deflateRawSync(Buffer.from(JSON.stringify(kept)));
  return seal(deps.sessionSecrets[0] ?? '', purpose, content).toString('base64url');
}

/** Returns what a page that waited for the sign-in sends. */
function returnedForm(req: Request): string | undefined {
  const sealed = req.method === 'POST' && isForm(req) ? bodyParameters(req)[keptParameter] : undefined;
  return typeof sealed === 'string' ? sealed : undefined;
}

/** Shows a form that has waited instead of doing what it asks for: nobody has pressed its button yet. */
export const orReturned =
  (show: RequestHandler, change: RequestHandler): RequestHandler =>
  (req, res, next) =>
    (returnedForm(req) === undefined ? change : show)(req, res, next);

/** Returns the sealed form with which this page was opened. */
export const keptIn = (req: Request): unknown => returnedForm(req) ?? queryParameters(req)[keptParameter];

/** Opens the form that was sent to this path; undefined if the value is no such form. Whose form it is, `isOwnInput` says. */
export function openKept({ deps }: PageContext, sealed: unknown, path: string): Parameters | undefined {
  if (!isSealed(sealed, longestField)) return undefined;
  const content = unseal(deps.sessionSecrets, purpose, Buffer.from(sealed, 'base64url'));
  if (!content) return undefined;
  const kept = JSON.parse(inflateRawSync(content, { maxOutputLength: longestForm }).toString()) as Kept;
  return kept.path === path ? (kept.form as Parameters) : undefined;
}

export const isSealed = (value: unknown, most = longest): value is string =>
  typeof value === 'string' && value.length <= most && /^[\w-]+$/.test(value);

/** Whether a text contains a private key, which is neither kept nor shown again, also in text that is not JSON, or in PEM. */
export const hasPrivateKey = (jwks: string): boolean =>
  /PRIVATE KEY/.test(jwks) ||
  /"(d|p|q|dp|dq|qi|k|oth)"\s*:/.test(
    jwks.replaceAll(/\\u00([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  );
