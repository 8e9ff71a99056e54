import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { chapters } from '../../src/portal/portal.ts';
import { startLatchkey } from '../support/latchkey.ts';
import { unescapeHtml } from '../support/shown-program.ts';

const { origin } = await startLatchkey({ BRAND_NAME: 'Wonder & Co', REGISTRATION: 'open' });

const read = async (query: string, language = 'en') => {
  const answer = await fetch(`${origin}/developer?q=${encodeURIComponent(query)}&ui_locales=${language}`);
  return { status: answer.status, text: await answer.text() };
};

/** The links of the results, with their texts. */
async function found(query: string, language?: string): Promise<{ href: string; name: string }[]> {
  const { status, text } = await read(query, language);
  assert.equal(status, 200);
  const [, list = ''] = /<ul class="found">([\s\S]*?)<\/ul>/.exec(text) ?? [];
  return [...list.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href = '', name = '']) => ({
    href,
    name: unescapeHtml(name),
  }));
}

test('a search lists the sections with all words, headings first, and each result leads to its section', async () => {
  const results = await found('refresh token');
  assert.deepEqual(results[0], { href: '/developer/messages#refresh', name: 'Requests and responses › Refresh' });
  assert.ok(results.length > 5);
  const [, said] = /<p class="soft" role="status">([^<]*)</.exec((await read('refresh token')).text) ?? [];
  if (results.length < 20) assert.equal(said, `Results: ${results.length}`);
  const [, count = ''] =
    />The 20 best of (\d+) results\. Add a word to see fewer\.</.exec((await read('token')).text) ?? [];
  assert.ok(Number(count) > 20);
  for (const { href } of results) {
    const { pathname, hash } = new URL(href, origin);
    const page = await (await fetch(origin + pathname)).text();
    assert.ok(hash === '' || page.includes(`<h2 id="${hash.slice(1)}">`), href);
    assert.match(page, /refresh/i, href);
  }
  assert.deepEqual(await found('REFRESH   Token'), results);
  assert.deepEqual(await found('refresh kubernetes'), []);
});

test('sections that say the words come before those where only a program has them, and no page of the menu is the present one', async () => {
  const results = await found('refresh_token');
  const last = (pattern: RegExp) => results.findLastIndex(({ name }) => pattern.test(name));
  const inProgram = results.findIndex(({ name }) => /Read what was chosen|Ready-made program/.test(name));
  for (const said of [/› Refresh$/, /Authenticate with a key/, /Token request/]) {
    assert.ok(last(said) >= 0 && last(said) < inProgram, `${said} ${last(said)} ${inProgram}`);
  }
  // the best of many say the words, and programs have no place among them
  const best = await found('refresh token');
  for (const said of [/What your application has to do/, /What proves who someone is/, /At \/token/])
    assert.ok(best.some(({ name }) => said.test(name)) && !best.some(({ name }) => /Ready-made program/.test(name)));
  const { text } = await read('refresh token');
  assert.doesNotMatch(text, /aria-current="page"/);
  const cut = text.match(/\S*…<\/p>/g) ?? [];
  assert.ok(cut.length > 0 && cut.every((end) => end === '…</p>'), `${cut}`);
});

test('sentences, lists, programs and the pages of errors are searched, in the language of the page, with or without accents', async () => {
  const paths = async (query: string, language?: string) => (await found(query, language)).map(({ href }) => href);
  assert.ok((await paths('invalid_target')).some((href) => href.startsWith('/developer/errors#')));
  assert.ok((await paths('requests-oauthlib')).some((href) => href.startsWith('/developer/native-application#')));
  assert.ok((await paths('express-session')).some((href) => href.startsWith('/developer/web-application#')));
  assert.ok((await paths('reponses', 'fr')).some((href) => href.startsWith('/developer/messages')));
  assert.ok((await paths('Lebensdauer', 'de')).length > 0);
  assert.deepEqual(await paths('Lebensdauer', 'en'), []);
});

test('a result marks the words that were found, also with accents; where only a program has them, it quotes the line', async () => {
  const excerpts = async (query: string, language?: string) =>
    [...(await read(query, language)).text.matchAll(/<p class="soft small">(.*?)<\/p>/g)].map(([, text]) => text);
  const [first = ''] = await excerpts('Refresh token');
  assert.deepEqual([...new Set(first.toLowerCase().match(/<mark>.*?<\/mark>/g))].sort(), [
    '<mark>refresh</mark>',
    '<mark>token</mark>',
  ]);
  assert.ok((await excerpts('reponse', 'fr')).some((text) => text?.includes('<mark>réponse</mark>')));
  const found =
    'In the example passport-oauth2 server.mjs: <code>// npm install express <mark>express-session</mark> passport passport-oauth2</code>';
  const same =
    'The same text: <a href="/developer/sign-in#ready">Sign in with Wonder &amp; Co › Ready-made program</a>';
  assert.deepEqual(await excerpts('express-session'), [found, same]);
  // a line that says nothing by itself stands between its neighbours
  assert.ok(
    (await excerpts('state:')).some(
      (text = '') =>
        unescapeHtml(text) ===
        'In the example passport-oauth2 server.mjs: <code>scope: "user", <mark>state:</mark> true, pkce: true,</code>',
    ),
  );
});

test('the cells of a row stand apart, and a long text is quoted where its first word was found', async () => {
  const excerpts = async (query: string) =>
    [...(await read(query)).text.matchAll(/<p class="soft small">(.*?)<\/p>/g)].map(([, text = '']) =>
      text.replaceAll(/<\/?mark>/g, ''),
    );
  assert.ok((await excerpts('refresh token not used')).includes('Refresh token, if not used · 30 d'));
  assert.ok(
    (await excerpts('invalid_grant')).some((text) => /^invalid_grant · 400 · The authorization code/.test(text)),
  );
  const [far = ''] = (await excerpts('earlier')).filter((text) => text.startsWith('… '));
  assert.match(far, /auth_time is earlier than your request\.$/);
});

test('where nothing is found, the page says so and what to do, and an empty search is the first page', async () => {
  const { text } = await read('kubernetes');
  assert.match(text, /<h1>Search for “kubernetes”<\/h1>/);
  assert.match(text, /<p role="status">Nothing found for “kubernetes”\.<\/p>\s*<p>Try fewer words/);
  assert.match(text, /<a href="\/developer">Build on Wonder &amp; Co<\/a>/);
  for (const query of ['', '   ']) assert.match((await read(query)).text, /<h1>Build on Wonder &amp; Co<\/h1>/);
});

test('every page has the form, which sends the query to the first page and keeps it', async () => {
  for (const { path } of chapters) {
    const page = await (await fetch(origin + path)).text();
    assert.match(
      page,
      /<form method="get" action="\/developer" role="search"[^>]*><input type="search" name="q"/,
      path,
    );
  }
  assert.match((await read('max_age')).text, /name="q"[^>]* value="max_age"/);
  const other = await (await fetch(`${origin}/developer/errors?q=max_age`)).text();
  assert.match(other, /<h1>Errors and limits<\/h1>/);
});

test('a hostile query is text, its length and its words are bounded, and no search takes long', async () => {
  const { text } = await read('"><script>alert(1)</script>');
  assert.match(text, /Search for “&#34;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;”/);
  assert.doesNotMatch(text, /<script>alert/);
  assert.deepEqual(await found('(a+)+$'), []);
  // what is beyond the hundredth character is not read
  const words = 'token '.repeat(17);
  assert.deepEqual(await found(`${words}kubernetes`), await found('token'));
  assert.match(await (await fetch(`${origin}/developer?q=a&q=b`)).text(), /<h1>Build on Wonder/);
  const begin = performance.now();
  for (const query of ['a '.repeat(50), 'a'.repeat(100), '\u0301'.repeat(100), 'e']) await read(query);
  assert.ok(performance.now() - begin < 4000, `${performance.now() - begin} ms`);
});
