import fc from 'fast-check';
import { read, text } from './dictionary.ts';
import type { Route } from './routes.ts';
import type { Seeds } from './seeds.ts';

export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

type Pair = [name: string, value: string];

/** Mostly what is read there, with values that would do; then a few spoilt, doubled, dropped, invented. */
function pairsOf({ values }: Seeds, names: string): fc.Arbitrary<Pair[]> {
  const wanted = names.split(' ').filter((name) => name in values);
  const goodValue = (name: string) => {
    const [first = '', ...rest] = values[name] ?? [];
    return fc.oneof(
      { weight: 20, arbitrary: fc.constant(first) },
      { weight: /^(grant_type|decision)$/.test(name) ? 20 : 1, arbitrary: fc.constantFrom(first, ...rest) },
    );
  };
  const pair = (name: string) =>
    fc.option(
      goodValue(name).map((value): Pair => [name, value]),
      { freq: 20, nil: undefined },
    );
  const known = fc.tuple(...wanted.map(pair)).map((pairs) => pairs.filter((one) => one !== undefined));
  const anyName = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...(wanted.length > 0 ? wanted : ['x'])) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(values)) },
  );
  const spoilt = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 3,
      arbitrary: fc.array(fc.tuple(fc.oneof({ weight: 5, arbitrary: anyName }, { weight: 1, arbitrary: text }), text), {
        maxLength: 3,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.array(
        anyName.chain((name) => fc.tuple(fc.constant(name), goodValue(name))),
        { maxLength: 2 },
      ),
    },
  );
  return fc.tuple(known, spoilt, fc.integer({ min: 0, max: 2 })).map(([good, bad, how]) => {
    // two of a name are refused; to spoil one it has to be the only one
    const others = good.filter(([name]) => how === 2 || !bad.some(([spoiltName]) => spoiltName === name));
    return how === 0 ? [...bad, ...others] : [...others, ...bad];
  });
}

const wellFormed = (part: string) => part.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
const encoded = (pairs: Pair[]) =>
  pairs.map((pair) => pair.map((part) => encodeURIComponent(wellFormed(part))).join('=')).join('&');
/** Without percent-encoding; only characters that HTTP cannot carry are left out. */
const raw = (pairs: Pair[]) => pairs.map((pair) => pair.join('=')).join('&');
const sendable = (path: string) => path.replace(/[^\x21-\x7e]/g, '').replace(/#/g, '');

function bodyOf(seeds: Seeds, names: string): fc.Arbitrary<[type: string, body: string]> {
  const pairs = pairsOf(seeds, names);
  const form = 'application/x-www-form-urlencoded';
  return fc.oneof(
    { weight: 9, arbitrary: pairs.map((some): [string, string] => [form, encoded(some)]) },
    { weight: 1, arbitrary: pairs.map((some): [string, string] => [form, raw(some)]) },
    {
      weight: 3,
      arbitrary: pairs.map((some): [string, string] => ['application/json', JSON.stringify(Object.fromEntries(some))]),
    },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).map((json): [string, string] => ['application/json', json]) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('text/plain', 'multipart/form-data', '', `${form}; charset=utf-7`), text),
    },
  );
}

const headerText = text.map((value) => value.replace(/[^\x20-\x7e\x80-\xff]/g, ''));

const jwtPart = (json: string) => Buffer.from(json).toString('base64url');
const unsignedJwt = fc.tuple(fc.json(), fc.json()).map((parts) => `${parts.map(jwtPart).join('.')}.AAAA`);

function headersOf({ cookie, authorization }: Seeds): fc.Arbitrary<Record<string, string>> {
  const cookies = fc.oneof(
    { weight: 12, arbitrary: fc.constant(cookie) },
    { weight: 1, arbitrary: headerText.map((value) => `${cookie}; session=${value}; form=${value}`) },
    { weight: 1, arbitrary: headerText },
  );
  const credentials = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...authorization) },
    { weight: 1, arbitrary: headerText.map((value) => `Basic ${Buffer.from(value).toString('base64')}`) },
    { weight: 1, arbitrary: headerText.map((value) => `Bearer ${value}`) },
    { weight: 1, arbitrary: headerText },
  );
  const headers = fc.record({
    cookie: in10(8, cookies),
    authorization: in10(6, credentials),
    origin: in10(1, fc.oneof(fc.constantFrom('null', 'https://printer.example', 'https://evil.example'), headerText)),
    'sec-fetch-site': in10(2, fc.constantFrom('same-origin', 'none', 'cross-site')),
    accept: in10(3, fc.oneof(fc.constantFrom('*/*', 'application/json', 'text/html'), headerText)),
    'accept-language': in10(3, fc.oneof(fc.constantFrom('de', 'fr;q=0.1, zh'), headerText)),
    'x-forwarded-for': in10(2, headerText),
    'x-forwarded-proto': in10(1, headerText),
    'user-agent': in10(2, headerText),
    dpop: in10(1, fc.oneof(unsignedJwt, headerText)),
    range: in10(1, headerText),
    'content-encoding': in10(1, fc.constantFrom('gzip', 'identity', 'zq', '')),
  });
  return headers.map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')));
}

/** There so many times in ten; '' stands for a header that is left out. */
function in10(times: number, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: times, arbitrary: value }, { weight: 10 - times, arbitrary: fc.constant('') });
}

const otherMethods = ['head', 'put', 'delete', 'patch', 'options', 'trace'];

/** A request to one address: mostly by one of its methods, with everything that it reads. */
export function requestTo({ path, methods }: Route, known: Seeds): fc.Arbitrary<FuzzedRequest> {
  const { cookie, csrf } = known.stranger;
  // a signed-in session does not sign in again
  const seeds = path.endsWith('/login') ? { ...known, cookie, values: { ...known.values, csrf: [csrf] } } : known;
  const [, inQuery = '', inBody = ''] = read.find(([pattern]) => pattern.test(path)) ?? [];
  const method = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...methods.filter((name) => name !== 'options')) },
    { weight: 1, arbitrary: fc.constantFrom(...otherMethods) },
  );
  const filled = fc
    .oneof(fc.constantFrom('photo-printer', 'public', 'invalid_grant'), text)
    .map((value) => path.replace(/:\w+/, encodeURIComponent(wellFormed(value)) || '-'))
    .map((value) => value.replace(':library', 'curl'));
  const query = fc.oneof(
    { weight: 4, arbitrary: pairsOf(seeds, inQuery).map(encoded) },
    { weight: 1, arbitrary: pairsOf(seeds, inQuery).map(raw) },
    { weight: 1, arbitrary: fc.constant('') },
  );
  return fc
    .tuple(method, filled, query, headersOf(seeds), bodyOf(seeds, inBody))
    .map(([verb, address, asked, headers, [type, body]]) => {
      const hasBody = verb !== 'get' && verb !== 'head' && verb !== 'trace';
      return {
        method: verb.toUpperCase(),
        path: sendable(asked ? `${address}?${asked}` : address).slice(0, 12_000),
        headers: { ...headers, ...(hasBody && type && { 'content-type': type }) },
        body: hasBody ? body : '',
      };
    });
}
