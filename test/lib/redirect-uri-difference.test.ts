import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirectUriDifference, type UriPiece } from '../../src/lib/redirect-uri-difference.ts';

const registered = 'https://printer.example/callback';
/** Marked stretches in brackets. */
const written = (pieces: UriPiece[]) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

function difference(received: string, ...uris: string[]): [received: string, registered: string, differs_in: string] {
  const { received: here, registered: there } = redirectUriDifference(received, uris.length > 0 ? uris : [registered]);
  return [written(here), written(there[0]?.pieces ?? []), there[0]?.differs_in.join(' ') ?? ''];
}

for (const [received, expected] of [
  [
    'http://printer.example/callback',
    ['http://printer.example/callback', 'http[s]://printer.example/callback', 'scheme'],
  ],
  [
    'https://www.printer.example/callback',
    ['https://[www.]printer.example/callback', 'https://printer.example/callback', 'host'],
  ],
  [
    'https://printer.example:8443/callback',
    ['https://printer.example[:8443]/callback', 'https://printer.example/callback', 'port'],
  ],
  ['https://printer.example/callback/', ['https://printer.example/callback[/]', registered, 'slash']],
  [
    'https://printer.example/Callback',
    ['https://printer.example/[C]allback', 'https://printer.example/[c]allback', 'path'],
  ],
  ['https://printer.example/callback?a=b', ['https://printer.example/callback[?a=b]', registered, 'query']],
  ['https://printer.example/callback#f', ['https://printer.example/callback[#f]', registered, 'fragment']],
  [
    'HTTPS://printer.example/callback',
    ['[HTTPS]://printer.example/callback', '[https]://printer.example/callback', 'scheme'],
  ],
  ['https://printer.example', ['https://printer.example', 'https://printer.example[/callback]', 'path']],
] as const) {
  test(`the difference of ${received} is in the ${expected[2]}`, () =>
    assert.deepEqual(difference(received), expected));
}

test('a registered URI that differs by a trailing slash only is reported as such', () => {
  assert.deepEqual(difference(registered, `${registered}/`), [registered, `${registered}[/]`, 'slash']);
  assert.deepEqual(difference('https://printer.example', 'https://printer.example/')[2], 'slash');
});

test('every differing part is named, compared with the nearest of several registered URIs', () => {
  const { received, registered: there } = redirectUriDifference('http://www.printer.example:8080/callback/', [
    'https://printer.example/oauth/return',
    registered,
  ]);
  assert.equal(written(received), 'http://[www.]printer.example[:8080]/callback[/]');
  assert.deepEqual(
    there.map(({ differs_in }) => differs_in),
    [
      ['scheme', 'host', 'port', 'slash'],
      ['scheme', 'host', 'port', 'path'],
    ],
  );
});

test('private-use schemes, missing schemes and nonsense are parsed as well', () => {
  assert.deepEqual(difference('com.example.app://callback', 'com.example.app:/callback')[2], 'host path');
  assert.equal(difference('//printer.example/callback')[2], 'scheme');
  assert.equal(difference('printer.example/callback')[2], 'scheme host path');
  assert.deepEqual(difference(''), ['', '[https:][//printer.example][/callback]', 'scheme host path']);
});

test('look-alike and invisible characters are shown as encoded on the wire', () => {
  assert.deepEqual(
    difference('https://printer.example/callback\u200b')[0],
    'https://printer.example/callback[%E2%80%8B]',
  );
  assert.deepEqual(difference('https://p\u0433inter.example/callback')[0], 'https://p[%D0%B3]inter.example/callback');
  assert.match(difference('https://printer.example/\u{1F511}\ud800')[0], /\[%F0%9F%94%91%EF%BF%BD\]/);
});

test('the parts joined together give the URI, whatever it is', () => {
  for (const uri of ['a:b:c', ':::', '//', '?#', 'https://user:pw@h:1:2/p?q#f#g', 'x'.repeat(2000), '/a//b//']) {
    assert.equal(
      redirectUriDifference(uri, [registered])
        .received.map(({ text }) => text)
        .join(''),
      uri,
    );
  }
});

test('without a registered URI no difference is marked', () => {
  assert.deepEqual(redirectUriDifference('a b', []), { received: [{ text: 'a%20b', differs: false }], registered: [] });
});

test('of thousands of registered URIs, only the first fifty are read and compared', () => {
  const uris = Array.from({ length: 2000 }, (_, index) => `https://printer.example/${'x'.repeat(1900)}/${index}`);
  for (let index = 50; index < uris.length; index += 1) {
    Object.defineProperty(uris, index, { get: () => assert.fail(`the URI ${index} was read`) });
  }
  const { registered: there } = redirectUriDifference(`https://printer.example/${'y'.repeat(1900)}`, uris);
  assert.equal(there.length, 50);
});

test('a surrogate pair is marked as a whole', () => {
  const [received] = difference('https://printer.example/\u{1f600}', 'https://printer.example/\u{1f601}');
  assert.equal(received, 'https://printer.example/[%F0%9F%98%80]');
});
