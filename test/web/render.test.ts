import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import ejs from 'ejs';
import { fixtures } from '../browser/fixtures.ts';
import { openGallery } from '../browser/gallery.ts';

const { origin, close } = await openGallery();
after(close);

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${origin}${path}`, { headers });
  return { headers: response.headers, text: await response.text() };
};
const languageOf = async (path: string, accept = '') =>
  /<html lang="(\w+)" dir="(\w+)">/.exec((await read(path, { 'accept-language': accept })).text)?.[1];

test('the language is that of ui_locales, then of Accept-Language, then English', async () => {
  assert.equal(await languageOf('/login?ui_locales=de', 'fr'), 'de');
  assert.equal(await languageOf('/login?ui_locales=xx%20fr-CA%20de', 'es'), 'fr');
  assert.equal(await languageOf('/login', 'pt, es-MX;q=0.8, de;q=0.5'), 'es');
  assert.equal(await languageOf('/login', 'zh-CN'), 'zh');
  assert.equal(await languageOf('/login', 'pt'), 'en');
  assert.equal(await languageOf('/login?ui_locales=constructor&ui_locales=de', 'fr'), 'fr');
});

test('a language link keeps the request, and cannot lead to another site', async () => {
  const { text } = await read('/login?client_id=a&state=%22%3E%3Cb&ui_locales=fr');
  const links = [...text.matchAll(/href="([^"]*)" lang="\w+"/g)].map(([, href]) => href);
  assert.equal(links.length, 5);
  assert.ok(links.every((href) => href?.startsWith('?')));
  assert.equal(links[1], '?client_id=a&amp;state=%22%3E%3Cb&amp;ui_locales=de');
});

test('every page carries the security headers, whatever its status', async () => {
  for (const { name, view } of fixtures) {
    const { headers } = await read(`/${name}`);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'/,
      name,
    );
    assert.match(policy, /frame-ancestors 'none'/, name);
    assert.doesNotMatch(policy, /unsafe|\*/, name);
    assert.equal(headers.get('x-frame-options'), 'DENY', name);
    assert.equal(headers.get('cache-control'), 'no-store', name);
    const referrer = ['form-post', 'leaving'].includes(view) ? 'strict-origin' : 'same-origin';
    assert.equal(headers.get('referrer-policy'), referrer, name);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', name);
  }
});

test('only pages whose form may redirect to an application omit form-action', async () => {
  for (const { name, view } of fixtures) {
    const { headers } = await read(`/${name}`);
    const ofLinks = ['finish-sign-up', 'reset-password'];
    const ofSignIn = ['login', 'second-step', 'factor-setup', 'recovery-codes', 'account-connect', ...ofLinks];
    const isFree = [...ofSignIn, 'consent', 'demo-website', 'form-post', 'leaving'].includes(view);
    assert.equal(headers.get('content-security-policy')?.includes("form-action 'self'"), !isFree, name);
  }
});

test('a page with faults says so in its title, and begins with a summary that has the focus and leads to every field', async () => {
  const pages: string[] = [];
  for (const { name, view } of fixtures) {
    const { text } = await read(`/${name}?status=400`);
    const main = text.slice(text.indexOf('<main'));
    const isFaulty = /<div class="problem"[^>]* role="alert"|aria-invalid="true"/.test(main);
    assert.equal(text.includes('<title>Error: '), isFaulty, name);
    const [summary = ''] = /<div class="problem" id="faults"[\s\S]*?<\/div>/.exec(main) ?? [];
    const linked = [...summary.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    for (const id of linked) assert.ok(main.includes(` id="${id}"`), `${name} #${id}`);
    const [first = ''] = /<[^>]* autofocus[^>]*>/.exec(main) ?? [];
    // whoever is refused there types the same field again, and it has the text of the problem
    if (view === 'login' || view === 'second-step') continue;
    const invalid = [...main.matchAll(/<(?:input|textarea)[^>]*aria-invalid="true"[^>]*>/g)].map(
      ([tag]) => / id="([^"]+)"/.exec(tag)?.[1],
    );
    assert.deepEqual(
      invalid.filter((id) => !linked.includes(id)),
      [],
      name,
    );
    if (isFaulty) assert.match(first, /class="problem"/, name);
    if (linked.length > 0) pages.push(view);
    if (linked.length > 0) assert.match(first, /id="faults"/, name);
    // no menu separates the heading from the summary
    if (linked.length > 0 && /^(admin-|account(-security)?$)/.test(view))
      assert.ok(main.indexOf('</h1>') < main.indexOf('id="faults"'), name);
  }
  const known = ['finish-sign-up', 'reset-password', 'developer-application-new', 'account-security', 'admin-events'];
  assert.deepEqual(
    known.filter((view) => !pages.includes(view)),
    [],
  );
});

test('a host breaks before a dot but never within the name that its owner registered, and what stands before that name is paler', async () => {
  assert.match(
    (await read('/consent-unknown')).text,
    /<h1>Allow <bdi[^>]*><span class="soft">accounts<wbr>\.printer<wbr>\.example<wbr>\.[a-z-]+<\/span><wbr>\.evil\.example<\/bdi>/,
  );
  const hostile = (await read('/consent-hostile')).text;
  assert.match(hostile, /a{60}<\/span><wbr>\.b{60}<wbr>\.example</);
  assert.match(hostile, /b{60}<\/span><wbr>\.printer\.co\.uk:8443</, 'a port is not part of the name');
});

test('what has changed and what is new are one notice, and a problem says already what to do', async () => {
  const { text } = await read('/consent-unknown');
  assert.equal(text.match(/class="notice[^"]*" role="status"/g)?.length, 1);
  assert.match(
    text,
    /since you last allowed it\.<\/strong>\s*<\/p><ul[^>]*><li>[\s\S]*<li> The application now sends you back to [\s\S]*<li> The application asks for one more permission\.\s*<\/li><\/ul><p> Please decide again\.<\/p>/,
  );
  assert.match(
    (await read('/consent-hostile')).text,
    /was missing from your answer\. Choose again\.[\s\S]*since you last allowed it\.<\/strong>\s*The name has changed\.\s*<\/p>/,
  );
});

test('what nobody can allow is marked as not available, and is not counted as new', async () => {
  const { text } = await read('/consent-choice-kinds');
  assert.equal(text.match(/class="tag dot"/g)?.length, 2);
  assert.match(text, /<span class="tag">Not available<\/span>/);
  assert.match(text, /asks for <bdi[^>]*>2<\/bdi> more permissions/);
});

test('a page that asks only what the application may access does not ask whether it may access the account', async () => {
  const { text } = await read('/consent-choice-only');
  assert.match(text, /<h1>Choose what <bdi[^>]*>Photo Printer<\/bdi> may access<\/h1>/);
  assert.match(text, /<title>Choose what Photo Printer may access/);
  assert.match(text, /The application never sees your password\.\s*</);
  assert.doesNotMatch(text, /access your account|not allowed here|type="checkbox" id="scope/);
  assert.match(text, /approved these permissions[\s\S]*<li>See your name and username<\/li>/);
});

test('an explanation shows names of parameters and paths as code, and a URI breaks after a slash', async () => {
  const { text } = await read('/error-explained');
  assert.match(text, /Start again from <code>\/authorize<\/code>\./);
  assert.match(text, /The <code>redirect_uri<\/code> or the <code>code_verifier<\/code> does not match/);
  assert.match((await read('/error-mismatch')).text, /:\/\/printer\.example\/<wbr>callback</);
});

test('a page has a footer only if there is something in it', async () => {
  for (const { name } of fixtures) {
    const { text } = await read(`/${name}`);
    assert.doesNotMatch(text, /<footer>\s*<\/footer>/, name);
  }
  assert.doesNotMatch((await read('/form-post')).text, /<footer/);
});

test('a required permission is a ticked, disabled box whose value is sent anyway', async () => {
  const { text } = await read('/consent');
  const boxes = [...text.matchAll(/<input type="checkbox"[^>]*name="scope" value="([^"]+)"([^>]*)>/g)];
  assert.deepEqual(
    boxes.map(([, scope]) => scope),
    ['user:name', 'user:email', 'repo:read', 'repo:write'],
  );
  assert.match(boxes[0]?.[2] ?? '', / checked disabled/);
  assert.doesNotMatch(boxes.slice(1).join(), /disabled/);
  assert.deepEqual(text.match(/<input type="hidden" name="scope"[^>]*>/g), [
    '<input type="hidden" name="scope" value="user:name">',
  ]);
});

test('the name of an application is shown as escaped text, on one line and clipped', async () => {
  const { text } = await read('/consent-hostile');
  assert.doesNotMatch(text, /<img src=x|\u202e/);
  assert.match(text, /<bdi class="parameter-client">&lt;img src=x onerror=alert\(1\)&gt;/);
  assert.ok(text.length < 10_000, `${text.length} characters`);
});

test('assets are served at the versioned address that the page links', async () => {
  const { text } = await read('/login');
  const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, href = '']) => href);
  assert.ok(assets.some((href) => href.includes('.css')) && assets.some((href) => href.includes('.js')), `${assets}`);
  for (const href of assets) assert.equal((await fetch(`${origin}${href}`)).status, 200, href);
});

test('every page links the sheets that style its classes', async () => {
  const stylesOf = new Map<string, { all: Set<string>; own: Set<string> }>();
  const pages: { name: string; links: string[]; classes: string[] }[] = [];
  for (const { name } of fixtures) {
    const { text } = await read(`/${name}`);
    const links = [...text.matchAll(/href="(\/assets\/[\w-]+\.css)/g)].map(([, href = '']) => href);
    for (const href of links.filter((one) => !stylesOf.has(one))) {
      const styles = (await read(href)).text.replaceAll(/url\(.*?\)/g, '');
      const named = (pattern: RegExp) => new Set([...styles.matchAll(pattern)].map(([, styled = '']) => styled));
      // a rule of a class alone, outside of media queries, is what the class needs everywhere
      stylesOf.set(href, { all: named(/\.([a-z][\w-]*)/g), own: named(/^\.([a-z][\w-]*)(?: \{|,)$/gm) });
    }
    const classes = [...text.matchAll(/ class="([^"]+)"/g)].flatMap(([, list = '']) => list.split(' '));
    pages.push({ name, links, classes });
  }
  const sheets = readdirSync(new URL('../../views/assets/', import.meta.url)).filter((file) => file.endsWith('.css'));
  assert.deepEqual([...stylesOf.keys()].sort(), sheets.map((file) => `/assets/${file}`).sort());
  const isStyled = (sheets: Iterable<string>, one: string, by: 'all' | 'own') =>
    [...sheets].some((href) => stylesOf.get(href)?.[by].has(one));
  for (const { name, links, classes } of pages) {
    const misses = (one: string, by: 'all' | 'own') => isStyled(stylesOf.keys(), one, by) && !isStyled(links, one, by);
    const missed = classes.filter((one) => misses(one, 'all') || misses(one, 'own'));
    assert.deepEqual(missed, [], name);
  }
});

test('all templates are compiled at the start: no page reads a file', async () => {
  const { fileLoader } = ejs;
  const read: string[] = [];
  ejs.fileLoader = (path) => {
    read.push(path);
    return fileLoader(path);
  };
  const fresh = await openGallery();
  try {
    for (const { name } of fixtures) await (await fetch(`${fresh.origin}/${name}`)).text();
  } finally {
    ejs.fileLoader = fileLoader;
    fresh.close();
  }
  assert.deepEqual(read, []);
});

// the buttons of a sign-in, of a decision and of what is shown once are the way on
const decisions = ['login', 'consent', 'second-step', 'factor-setup', 'recovery-codes', 'form-post', 'demo-website'];

test('no page is a dead end: beside its form, each has a way on', async () => {
  for (const { name, view } of fixtures.filter(({ view }) => !decisions.includes(view))) {
    const { text } = await read(`/${name}`);
    const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(text) ?? [];
    assert.match(main, /<a [^>]*href="(?!#|https:)/, `${name} (${view})`);
  }
  assert.match((await read('/error-server')).text, /href="">Try again</);
  assert.doesNotMatch((await read('/error')).text, /Try again/);
});
