import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDistinguishedName } from '../../src/lib/distinguished-name.ts';
import { OAuthError } from '../../src/lib/errors.ts';
import { freshFor } from '../../src/lib/freshness.ts';
import { readJwt } from '../../src/lib/jwt.ts';
import { readMacHeader } from '../../src/lib/mac.ts';
import { withoutPort } from '../../src/lib/network.ts';
import { oneLine } from '../../src/lib/one-line.ts';
import { parseForm, parseJson } from '../../src/lib/parameters.ts';
import { readPrompt } from '../../src/lib/prompt.ts';
import { publicHttpsUrl } from '../../src/lib/public-address.ts';
import { publicSuffixProblem } from '../../src/lib/public-suffix.ts';
import { redirectUriMaxLength } from '../../src/lib/redirect-uri.ts';
import { redirectUriDifference } from '../../src/lib/redirect-uri-difference.ts';
import { scopeProblem } from '../../src/lib/scope.ts';
import { withoutSecrets } from '../../src/lib/secrets.ts';
import { hostsOf } from '../../src/lib/site.ts';
import { readTraceparent } from '../../src/lib/traceparent.ts';
import { createClientId } from '../../src/registration/console/registration.ts';
import { literalsIn, repeated, units } from '../fuzz/hostile.ts';

/** The modules whose code reads what strangers send. */
const folders = [
  'lib',
  'telemetry',
  'web',
  'identity',
  'clients',
  'oauth',
  'people',
  'accounts',
  'sign-in',
  'registration',
  'portal',
  'admin',
  'playground',
];
const source = new URL('../../src/', import.meta.url);

const files = folders
  .flatMap((folder) => readdirSync(new URL(folder, source), { recursive: true }).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith('.ts'));

/** Comments and strings, so that what looks like a pattern in them is passed over, and then patterns. */
const tokens =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=(?:[(,=:[!&|?{};>]|return)\s*)\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;

function patternsOf(name: string): RegExp[] {
  const text = readFileSync(new URL(name, source), 'utf8');
  return [...text.matchAll(tokens)].flatMap(([, pattern, flags = '']) =>
    pattern === undefined ? [] : [new RegExp(pattern, `g${flags.replace(/[gy]/g, '')}`)],
  );
}

/** Milliseconds: the least of several, since what else this machine does can only make one longer. */
function costOf(read: Read, text: string, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const start = performance.now();
    read(text);
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

type Read = (text: string) => unknown;
type TextOf = (length: number) => string;

/** Characters of a text for a first look, and the milliseconds that need no closer one: linear ones take less than a tenth of it. */
const [glance, negligible] = [2048, 0.4];
/** Lengths, some texts being cut somewhere between them. Four times as long is to cost about four times as much, not sixteen times. */
const lengths = [1024, 4096, 16_384] as const;
const mostGrowth = 10;

/** However often it is measured. */
function isMoreThanLinear(read: Read, textOf: TextOf): boolean {
  if (costOf(read, textOf(glance), 1) < negligible) return false;
  const texts = lengths.map(textOf);
  return [3, 10, 30].every((times) => {
    const [short = 0, middle = 0, long = 0] = texts.map((text) => costOf(read, text, times));
    return long > 5 && (middle > mostGrowth * short || long > mostGrowth * middle);
  });
}

function assertLinear(name: string, read: Read, texts: Iterable<TextOf>): void {
  for (const textOf of texts) {
    assert.ok(!isMoreThanLinear(read, textOf), `${name} with ${JSON.stringify(textOf(40))}`);
  }
}

/** Texts that make a pattern begin many times, without an end that fits. */
function* hostileTexts(own: readonly string[]): Generator<TextOf> {
  for (const beginning of ['', ...own]) {
    for (const unit of [...own, ...units]) {
      for (const end of ['\0', '@']) yield (length) => beginning + repeated(unit, length) + end;
    }
  }
}

let checked = 0;
for (const name of files) {
  const patterns = patternsOf(name);
  if (patterns.length === 0) continue;
  test(`every pattern of src/${name} takes time in proportion to the text`, () => {
    for (const pattern of patterns) {
      assertLinear(String(pattern), (text) => text.replace(pattern, ''), hostileTexts(literalsIn(pattern.source)));
      checked += 1;
    }
  });
}

test('there are patterns', () => assert.ok(checked > 100, String(checked)));

/** Functions that do more with a text than to compare it with a pattern, what can stand before it, and where it is cut before them. */
const functions: [name: string, beginnings: string[], read: Read][] = [
  ['withoutSecrets', ['lk_at_', 'eyJ'], (text) => withoutSecrets(text, text.length)],
  ['oneLine', [], (text) => oneLine(text, 200)],
  ['parseForm', ['a='], (text) => parseForm(text)],
  ['parseJson', ['{"', '{"a":"'], (text) => parseJson(text)],
  ['readScope', [], (text) => scopeProblem([], text, [])],
  ['readPrompt', [], (text) => readPrompt(text)],
  ['readMacHeader', ['id="'], (text) => readMacHeader(text)],
  ['readDistinguishedName', ['CN='], (text) => readDistinguishedName(text.slice(0, 2000))],
  ['publicHttpsUrl', ['https://', 'https://a.example/'], (text) => publicHttpsUrl(text)],
  ['publicSuffixProblem', ['a.'], (text) => publicSuffixProblem(text)],
  ['hostsOf', ['https://'], (text) => hostsOf([text])],
  [
    'redirectUriDifference',
    ['https://'],
    (text) => redirectUriDifference(text.slice(0, redirectUriMaxLength), ['https://a.example/']),
  ],
  ['createClientId', [], (text) => createClientId(text, Buffer.alloc(8))],
  ['withoutPort', ['['], (text) => withoutPort(text)],
  ['readTraceparent', ['00-'], (text) => readTraceparent(text)],
  ['freshFor', ['max-age='], (text) => freshFor({ 'cache-control': text })],
  ['readJwt', ['eyJ'], (text) => readJwt(text)],
];

for (const [name, beginnings, read] of functions) {
  test(`${name} takes time in proportion to the text`, () => {
    assertLinear(name, unlessRefused(read), hostileTexts(beginnings));
  });
}

/** A refusal costs something, too. */
function unlessRefused(read: Read): Read {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      assert.ok(error instanceof OAuthError);
      return undefined;
    }
  };
}
