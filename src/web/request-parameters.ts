import type { Request } from 'express';
import { z } from 'zod';
import { OAuthError, type RefusalTarget } from '../lib/errors.ts';
import { maxJwtLength } from '../lib/jwt.ts';
import { type Parameters, parseForm, parseJson, parseJsonObject } from '../lib/parameters.ts';
import { maxParametersOf } from './body.ts';

/**
 * A parameter that must not be repeated: a repeated one is parsed as an array, which is no string [6749 §3.1, §3.2]. An error
 * description is the parameter's name followed by `problem`.
 */
export function parameter(maxLength: number, syntax?: RegExp, problem = 'is malformed') {
  const text = z.string('is sent more than once').max(maxLength, 'is too long');
  return syntax ? text.regex(syntax, problem) : text;
}

/** An access token may be a JWT, which contains its scope, resource and client. */
export const tokenParameter = parameter(maxJwtLength);

/** Ignores parameters that the schema does not name [6749 §3.1, §3.2]. */
export function readParameters<Schema extends z.ZodType>(
  schema: Schema,
  parameters: Parameters,
  target?: RefusalTarget,
): z.infer<Schema> {
  const read = schema.safeParse(parameters);
  if (read.success) return read.data;
  const { name, problem } = problemOf(read.error, parameters);
  throw new OAuthError('invalid_request', `${name} ${problem}`, target && { target });
}

/** Reads a body. If a missing parameter was sent in the query, where it is ignored because URLs are logged, the description says so [6749 §2.3.1]. */
export function readBody<Schema extends z.ZodType>(
  schema: Schema,
  req: Request,
  parameters: Parameters,
): z.infer<Schema> {
  const read = schema.safeParse(parameters);
  if (read.success) return read.data;
  const { name, problem } = problemOf(read.error, parameters);
  const isMisplaced = parameters[name] === undefined && queryParameters(req)[name] !== undefined;
  throw new OAuthError('invalid_request', `${name} ${isMisplaced ? misplaced : problem}`);
}

export const misplaced = 'is in the query: send it in the body';

function problemOf(error: z.ZodError, parameters: Parameters): { name: string; problem: string } {
  const [issue] = error.issues;
  const name = String(issue?.path[0] ?? 'a parameter');
  if (parameters[name] === undefined) return { name, problem: 'is missing' };
  // zod's own messages contain quotation marks, which an error description must not [6749 §5.2]
  const hasOwnMessage =
    issue?.code === 'invalid_format' || issue?.code === 'too_big' || Array.isArray(parameters[name]);
  return { name, problem: hasOwnMessage ? (issue?.message ?? '') : 'is malformed' };
}

/** The parameters of the query, parsed from the request line: Express would replace what it cannot decode. */
export function queryParameters(req: Request): Parameters {
  return parseForm(rawQuery(req));
}

/** The query as it stands in the request line, without the question mark. */
export function rawQuery(req: Request): string {
  const cut = req.url.indexOf('?');
  const query = cut < 0 ? '' : req.url.slice(cut + 1);
  if (/[^\x21-\x7e]/.test(query)) throw new OAuthError('invalid_request', 'the query is not percent-encoded');
  return query;
}

const formType = /^application\/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$/i;
const jsonType = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** The parameters of the body, a form or JSON, which the middleware `body` has read. */
export function bodyParameters(req: Request): Parameters {
  const body: unknown = req.body;
  const type = req.headers['content-type'] ?? '';
  if (!Buffer.isBuffer(body) || body.length === 0) return Object.create(null);
  if (formType.test(type)) return parseForm(decodeUtf8(body), maxParametersOf(req));
  if (jsonType.test(type)) return parseJson(decodeUtf8(body));
  throw new OAuthError(
    'invalid_request',
    'the body must be application/x-www-form-urlencoded or application/json, in UTF-8',
  );
}

/** The members of a body that must be JSON; their values are of any type. */
export function jsonBody(req: Request): object {
  const body: unknown = req.body;
  if (!Buffer.isBuffer(body) || !jsonType.test(req.headers['content-type'] ?? '')) {
    throw new OAuthError('invalid_request', 'the body must be application/json, in UTF-8');
  }
  return parseJsonObject(decodeUtf8(body));
}

export function isForm(req: Request): boolean {
  return formType.test(req.headers['content-type'] ?? '');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new OAuthError('invalid_request', 'the body is not valid UTF-8');
  }
}

/** Returns the value of a form field; empty if the field is missing or repeated. */
export function fieldOf(form: Parameters, name: string): string {
  const value = form[name];
  return typeof value === 'string' ? value : '';
}
