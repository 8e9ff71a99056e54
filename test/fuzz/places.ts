import { read } from './dictionary.ts';
import type { FuzzedRequest } from './requests.ts';
import type { Route } from './routes.ts';
import type { Seeds } from './seeds.ts';

/** A place of a request into which a stranger can write, and the request with a text there; the rest would be accepted. */
export interface Place {
  name: string;
  request(text: string): FuzzedRequest;
}

/** Headers by name, with what comes before the text in each. */
const headers: Record<string, string[]> = {
  authorization: ['', 'Basic ', 'Bearer ', 'DPoP ', 'MAC ', 'MAC id="', 'token '],
  cookie: ['', 'session=', 'form=', 'browser='],
  accept: ['', 'application/', 'text/html,"'],
  'accept-language': ['', 'de-'],
  'client-cert': ['', '-----BEGIN%20CERTIFICATE-----%0A'],
  'content-type': ['', 'application/json', 'application/x-www-form-urlencoded ;'],
  ...Object.fromEntries(
    ['content-encoding', 'dpop', 'host', 'if-none-match', 'latchkey-probe', 'origin', 'range', 'sec-fetch-site']
      .concat(['traceparent', 'user-agent', 'x-fapi-interaction-id', 'x-forwarded-for', 'x-forwarded-proto', 'x-zq'])
      .map((name) => [name, ['']]),
  ),
};

const inUrl = (text: string) => text.replace(/[^\x21-\x7e]|#/gu, encodeURIComponent);
const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, 'e');
const form = 'application/x-www-form-urlencoded';

/** Every place of the requests to an address, with each of its methods. */
export function placesOf({ path, methods }: Route, seeds: Seeds): Place[] {
  // a preflight request reads nothing but the headers of the real one
  const names = methods.map((method) => method.toUpperCase()).filter((method) => method !== 'OPTIONS');
  return names.flatMap((method) => {
    const known = knownRequest(method, path, seeds);
    const isRead = method !== 'GET';
    // the methods of an address share what reads its headers; the last one also has a body
    const headers = method === names.at(-1) ? inHeaders(known) : [];
    return [...inPath(known, path), ...inQuery(known), ...headers, ...(isRead ? inBody(known) : [])];
  });
}

interface Known {
  method: string;
  path: string;
  headers: Record<string, string>;
  query: [string, string][];
  body: [string, string][];
}

function knownRequest(method: string, path: string, { cookie, authorization, values }: Seeds): Known {
  const [, query = '', body = ''] = read.find(([pattern]) => pattern.test(path)) ?? [];
  const pairs = (names: string) =>
    names.split(' ').flatMap((name): [string, string][] => (values[name] ? [[name, values[name][0] ?? '']] : []));
  const credentials = authorization[/user|emails/.test(path) ? 1 : 0] ?? '';
  return {
    method,
    path: path.replace(':library', 'curl').replace(/:\w+/, 'photo-printer'),
    headers: { cookie, authorization: credentials, 'content-type': form },
    query: pairs(query),
    body: pairs(body),
  };
}

const encoded = (pairs: [string, string][]) =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
const without = (pairs: [string, string][], name: string) => pairs.filter(([other]) => other !== name);
const request = ({ method, headers, path, query }: Known, body = ''): FuzzedRequest => {
  return { method, headers, path: query.length > 0 ? `${path}?${encoded(query)}` : path, body };
};

function inPath(known: Known, pattern: string): Place[] {
  const parameters = [...pattern.matchAll(/:\w+/g)].map(([name]) => name);
  return [
    { name: 'the path', request: (text: string) => ({ ...request(known), path: `${known.path}/${inUrl(text)}` }) },
    ...parameters.map((name) => ({
      name,
      request: (text: string) => {
        const path = pattern.replace(name, inUrl(text)).replace(':library', 'curl').replace(/:\w+/, 'photo-printer');
        return { ...request(known), path };
      },
    })),
  ].map(({ name, request: make }) => ({ name: `${known.method} ${name}`, request: make }));
}

function inQuery(known: Known): Place[] {
  return [...known.query.map(([name]) => name), 'client_id', 'login_hint', 'ui_locales', 'zq', ''].map((name) => ({
    name: `${known.method} query ${name}`,
    request(text) {
      const others = encoded(without(known.query, name));
      return { ...request(known), path: `${known.path}?${others}&${name}=${inUrl(text)}` };
    },
  }));
}

function inHeaders(known: Known): Place[] {
  return Object.entries(headers).flatMap(([name, beginnings]) =>
    beginnings.map((beginning) => ({
      name: `${known.method} header ${name} ${beginning}`,
      request: (text: string) => ({
        ...request(known),
        headers: { ...known.headers, [name]: inHeader(beginning + text) },
      }),
    })),
  );
}

function inBody(known: Known): Place[] {
  const json = { ...known, headers: { ...known.headers, 'content-type': 'application/json' } };
  return [
    ...[...known.body.map(([name]) => name), 'zq', ''].flatMap((name) => [
      {
        name: `form ${name}`,
        // as bytes: percent-encoded, a text with many characters would not fit
        request: (text: string) => request(known, `${encoded(without(known.body, name))}&${name}=${text}`),
      },
      {
        name: `JSON ${name}`,
        request: (text: string) => request(json, JSON.stringify({ ...Object.fromEntries(known.body), [name]: text })),
      },
    ]),
    { name: 'form', request: (text: string) => request(known, text) },
    { name: 'JSON', request: (text: string) => request(json, text) },
  ].map(({ name, request: make }) => ({ name: `${known.method} ${name}`, request: make }));
}
