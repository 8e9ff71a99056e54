import { OAuthError } from './errors.ts';

/** The parameters of a request by name; a repeated parameter has an array of values. The object has no prototype. */
export type Parameters = Record<string, string | string[]>;

/** How many parameters a request may have, also a signed one. */
export const maxParameters = 100;

/**
 * Parses application/x-www-form-urlencoded [6749 App. B], a query or a body. Malformed percent-encoding, bytes that are not
 * UTF-8 and NUL are refused instead of replaced. A parameter without a value counts as omitted [6749 §3.1].
 */
export function parseForm(text: string, most = maxParameters): Parameters {
  const parameters: Parameters = Object.create(null);
  if (text === '') return parameters;
  const pairs = text.split('&');
  if (pairs.length > most) throw new OAuthError('invalid_request', 'there are too many parameters');
  for (const pair of pairs) {
    const cut = pair.indexOf('=');
    const name = decodeFormValue(cut < 0 ? pair : pair.slice(0, cut), 'a parameter name');
    const value = cut < 0 ? '' : decodeFormValue(pair.slice(cut + 1), mentionable(name));
    if (value !== '') add(parameters, name, value);
  }
  return parameters;
}

/** Parses a JSON object whose members are strings; other types are refused, because the rules are written for strings. */
export function parseJson(text: string): Parameters {
  const parameters: Parameters = Object.create(null);
  const members = Object.entries(parseJsonObject(text));
  for (const [name, value] of members) {
    if (typeof value !== 'string') throw new OAuthError('invalid_request', `${mentionable(name)} is not a string`);
    if (value !== '') add(parameters, name, refuseUnstorable(value, mentionable(name)));
  }
  return parameters;
}

/** Decodes a form-encoded value; also the user name and password of HTTP Basic [6749 §2.3.1]. */
export function decodeFormValue(text: string, name: string): string {
  // a shortcut for tokens, in which nothing is encoded
  if (/^[\w.~-]*$/.test(text)) return text;
  try {
    return refuseUnstorable(decodeURIComponent(text.replaceAll('+', ' ')), name);
  } catch (error) {
    if (error instanceof URIError) throw new OAuthError('invalid_request', `${name} is not valid UTF-8`);
    throw error;
  }
}

/** Parses a JSON object whose values are of any type. */
export function parseJsonObject(text: string): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new OAuthError('invalid_request', 'the body is not valid JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new OAuthError('invalid_request', 'the body is not a JSON object');
  }
  if (hasRepeatedMember(text)) throw new OAuthError('invalid_request', 'a parameter is sent more than once');
  return parsed;
}

/** Whether a member is repeated: JSON.parse keeps the last of two members of one name; a proxy or filter may have read the first. */
export function hasRepeatedMember(json: string): boolean {
  const objects: Set<string>[] = [];
  for (const [token, colon] of json.matchAll(/[{}]|"(?:[^"\\]|\\.)*"(\s*:)?/g)) {
    if (token === '{') objects.push(new Set());
    if (token === '}') objects.pop();
    if (colon === undefined) continue;
    const name: string = JSON.parse(token.slice(0, -colon.length));
    if (objects.at(-1)?.has(name)) return true;
    objects.at(-1)?.add(name);
  }
  return false;
}

function add(parameters: Parameters, name: string, value: string): void {
  const earlier = parameters[name];
  if (earlier === undefined) parameters[name] = value;
  else if (typeof earlier === 'string') parameters[name] = [earlier, value];
  else earlier.push(value);
}

/**
 * Whether the database can store a text: Postgres stores no NUL, and a lone surrogate would be stored as another character than the one
 * sent.
 */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
}

function refuseUnstorable(value: string, name: string): string {
  if (!isStorable(value)) {
    throw new OAuthError('invalid_request', `${name} contains a character that cannot be stored`);
  }
  return value;
}

/** Returns a name as it may appear in an error description: in full only if it is made of plain letters [6749 §5.2]. */
function mentionable(name: string): string {
  return /^[a-z_]{1,40}$/.test(name) ? name : 'a parameter';
}
