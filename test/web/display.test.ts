import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneLine } from '../../src/lib/one-line.ts';
import { clock, deviceOf, httpsUri, lastUse, partsOfHost } from '../../src/web/display.ts';
import { translator } from '../../src/web/language.ts';

test('a hostile name becomes one line without direction overrides, zero-width or control characters', () => {
  assert.equal(oneLine('Photo\u202e rednirp\u200b\u2066 \n\t\u0000X'), 'Photo rednirp X');
  assert.equal(oneLine('e\u0301'.normalize('NFD')), 'e\u0301');
  assert.equal(oneLine(`Z${'\u0335'.repeat(500)}`), 'Z\u0335\u0335\u0335');
  assert.equal(oneLine('\u200b\u200e\u3164'), '–');
});

test('a long name is clipped between graphemes, so that no emoji is cut in half', () => {
  const family = '👩‍👩‍👧‍👦';
  assert.equal(oneLine(family.repeat(100), 4), `${family.repeat(3)}…`);
  assert.equal(oneLine('x'.repeat(10_000_000), 5), 'xxxx…');
  assert.equal(oneLine('abcde', 5), 'abcde');
});

test('a host is parted before the name that somebody registered, whatever its port', () => {
  for (const [before, registered] of [
    ['', 'printer.example'],
    ['', 'evil.co.uk'],
    ['', '203.0.113.7:8443'],
    ['', '[2001:db8::1]:8443'],
    ['', 'localhost:3000'],
    ['accounts.printer.example.login', '.evil.example'],
    ['accounts.google.com.login', '.evilcorp.co.uk:8443'],
  ] as const) {
    assert.deepEqual(partsOfHost(before + registered), { before, registered });
  }
});

test('only https URIs are linked or loaded', () => {
  for (const uri of [
    'javascript:alert(1)',
    'http://printer.example/',
    'data:image/png,x',
    'https://',
    '//x.example',
    '',
  ]) {
    assert.equal(httpsUri(uri), undefined, uri);
  }
  assert.equal(httpsUri('https://printer.example/logo.png')?.origin, 'https://printer.example');
});

test('elapsed time is given in the reader’s language', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const ago = (language: string, at: string) => clock(language, () => now).ago(new Date(at));
  assert.equal(ago('en', '2026-11-21T11:59:50Z'), 'now');
  assert.equal(ago('en', '2026-11-21T11:15:00Z'), '45 minutes ago');
  assert.equal(ago('de', '2026-11-21T09:00:00Z'), 'vor 3 Stunden');
  assert.equal(ago('fr', '2026-11-20T11:00:00Z'), 'hier');
  assert.equal(ago('en', '2026-03-03T11:00:00Z'), '3 March 2026');
  assert.equal(ago('en', '2027-01-01T00:00:00Z'), 'now');
});

test('when something was used last is told about by the minute, because it is stored once in five minutes', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const used = (language: 'en' | 'de' | 'fr', at: string) =>
    lastUse(translator(language).t, clock(language, () => now).ago, () => now)(new Date(at));
  assert.equal(used('en', '2026-11-21T11:52:00Z'), 'about 8 minutes ago');
  assert.equal(used('de', '2026-11-21T11:52:00Z'), 'etwa vor 8 Minuten');
  assert.equal(used('fr', '2026-11-21T11:52:00Z'), 'il y a 8 minutes environ');
  assert.equal(used('en', '2026-11-21T11:59:50Z'), 'just now');
  assert.equal(used('en', '2026-11-21T09:00:00Z'), '3 hours ago');
});

test('a known device gets its common name, and an unknown one the name it sends', () => {
  const edge = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0';
  assert.equal(deviceOf(edge), 'Edge · Windows');
  assert.equal(deviceOf('Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36'), 'Chrome · Android');
  assert.equal(deviceOf('<b>my\u202e tool</b>'), '<b>my tool</b>');
});

test('Intl objects are created once for each language, not for each page', () => {
  const made: string[] = [];
  const intl = Intl as unknown as Record<string, new (...values: unknown[]) => object>;
  const names = ['Segmenter', 'DateTimeFormat', 'RelativeTimeFormat', 'NumberFormat'];
  const originals = names.map((name) => intl[name]);
  clock('de');
  for (const [index, name] of names.entries()) {
    intl[name] = new Proxy(originals[index] as (typeof intl)[string], {
      construct: (target, values) => {
        made.push(name);
        return new target(...values);
      },
    });
  }
  try {
    for (let page = 0; page < 3; page += 1) {
      assert.equal(oneLine('Photo Printer'), 'Photo Printer');
      clock('de').ago(new Date());
    }
  } finally {
    for (const [index, name] of names.entries()) intl[name] = originals[index] as (typeof intl)[string];
  }
  assert.deepEqual(made, []);
});
