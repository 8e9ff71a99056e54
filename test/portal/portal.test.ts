import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { clientMetadata } from '../../src/clients/client-metadata.ts';
import { freeFailures } from '../../src/identity/failed-authentications.ts';
import { errorStatus } from '../../src/lib/errors.ts';
import { chapters, groups, start } from '../../src/portal/portal.ts';
import { libraries } from '../../src/registration/programs/libraries.ts';
import { languages } from '../../src/web/language.ts';
import { Browser } from '../support/browser.ts';
import { issueCertificate, noOpenssl } from '../support/certificate.ts';
import { authorizationQuery, getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { type Latchkey, printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { writeFile } from '../support/scratch.ts';
import { shownProgram, unescapeHtml } from '../support/shown-program.ts';

const run = promisify(execFile);
const paths = chapters.map(({ path }) => path);
const secrets = {
  SESSION_SECRET: 'session-secret-session-secret-1234',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.internal:4318',
  SMTP_URL: 'smtp://mailer:mail-password@mail.internal:587',
  MAIL_FROM: 'robot@mail.internal',
};
const settings: Record<string, string> = {
  BRAND_NAME: 'Wonder & Co',
  REGISTRATION: 'open',
  REGISTRATION_ENDPOINT: 'open',
  CLIENT_ID_DOCUMENTS: 'on',
  ACCESS_TOKEN_TTL: '1234',
  SUPPORT_URL: 'mailto:help@wonder.example',
  ...secrets,
};
const certificates = { TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' };
const server = await startLatchkey(settings);
const plain = await startLatchkey({ REGISTRATION: 'off', ACCESS_TOKEN_TTL: '4321' });
await registerPeople(server.database, ['alice', 'root']);
await registerPrinter(server.database, { client_id: 'somebody-elses-application', name: 'Secret Project' });
// those of the examples of an API and an MCP server, before the scopes are read for the first time
await server.database.query(
  `select register_scope(name => 'mcp:tools', sentence => 'Use the tools of the MCP server'),
     register_scope(name => 'photos:read', sentence => 'See your photos')`,
);

const open = (path: string, init: RequestInit = {}, { origin }: Latchkey = server) =>
  fetch(origin + path, { redirect: 'manual', ...init });
const read = async (path: string, init: RequestInit = {}, at: Latchkey = server) => (await open(path, init, at)).text();
const all = async (at: Latchkey = server) =>
  (await Promise.all([...paths, '/developer/docs.txt'].map((path) => read(path, {}, at)))).join('\n');
const main = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? assert.fail(html);

test('every anchor of a page is there once, and every link to a section leads to one, whatever is switched on', async () => {
  const certain = await startLatchkey({ ...settings, ...certificates }, server.url);
  for (const at of [server, plain, certain]) {
    const pages = new Map<string, string>();
    for (const path of paths) pages.set(path, main(await read(path, {}, at)).replaceAll('<wbr>', ''));
    const anchorsOf = (html = '') => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    for (const [path, html] of pages) {
      const anchors = anchorsOf(html);
      assert.deepEqual(anchors, [...new Set(anchors)], path);
      for (const [link, to = '', anchor] of html.matchAll(/<a href="(\/developer[\w/-]*|)#([^"]*)"/g))
        assert.ok(anchorsOf(pages.get(to || path)).includes(anchor), `${path}: ${link}`);
    }
  }
});

test('every address on every page leads somewhere, and so does every address of the plain text', async () => {
  const text = await all();
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => unescapeHtml(href));
  // addresses in sentences and programs, too
  const written = unescapeHtml(text).match(new RegExp(`${server.origin}[\\w./-]*[\\w/]`, 'g')) ?? [];
  const addresses = new Set([...links, ...written].filter((one) => !/^(https:|mailto:|\?)/.test(one)));
  assert.ok(addresses.size > 60, `${addresses.size}`);
  // an example, and what a library or a path is added to
  const unfinished = ['/api/v3', '/applications/my-application/token', '/account/applications/my-application'];
  for (const address of addresses) {
    const { pathname } = new URL(address, server.origin);
    const { status } = await open(pathname);
    assert.ok(status !== 404 || unfinished.includes(pathname), address);
  }
});

test('every page is linked from the first, which the home page, the pages about errors and the console link', async () => {
  const first = await read('/developer');
  for (const path of paths) assert.ok(first.includes(`href="${path}"`), path);
  assert.ok(first.includes('href="/developer/docs.txt"'));
  const alice = await signedInBrowser(server.origin);
  const pages = ['/', '/errors/invalid_grant', '/nothing', '/developer/applications'];
  for (const path of pages) assert.ok((await alice.open(path)).text.includes('href="/developer"'), path);
});

test('every chapter stands in one group; the first page begins with the steps, then has a tile for each thing to build', async () => {
  assert.equal(new Set(paths).size, paths.length);
  const first = await read(start.path);
  const menu = /<nav aria-label="Contents">[\s\S]*?<\/nav>/.exec(first)?.[0] ?? '';
  for (const path of paths) assert.equal(menu.split(`<a href="${path}"`).length, 2, path);
  assert.deepEqual(
    [...menu.matchAll(/<span>([^<]*)<\/span>/g)].map(([, title]) => title),
    ['Get started', 'Build an application', 'Protect an API', 'Look something up'],
  );
  const links =
    /<li><a href="\/playground">Playground<\/a><\/li><li><a href="\/developer\/applications">Developer console</;
  const demo = await startLatchkey({ DEMO: 'true' });
  assert.match(await read('/developer/errors', {}, demo), links);
  assert.match(menu, /<a href="\/developer\/applications">/);
  const [steps = '', tiles = ''] = first.slice(first.indexOf('<ol class="numbered">')).split('<ul class="tiles">');
  assert.match(steps, /^<ol/);
  const [, run = ''] =
    /as one program, open the page for what you build, for example: <a href="([^"]*)">/.exec(first) ?? [];
  assert.match(await read(run), /<pre class="http" id="code-passport-oauth2"/, 'a program that runs as a whole');
  assert.match(steps, /adds its secret: <code>&amp;client_secret=lk_cs_…<\/code>/);
  const built = groups.slice(1, 3).flatMap((group) => group.chapters);
  assert.deepEqual(
    [...tiles.slice(0, tiles.indexOf('</ul>')).matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href),
    built.filter(({ of_page }) => of_page === undefined).map(({ path }) => path),
  );
});

test('the first button leads to the form where everyone may register, otherwise to the page that says who does', async () => {
  const primary = (html: string) => /<a class="button primary" href="([^"]*)">([^<]*)</.exec(html)?.slice(1);
  const [form = '', name] = primary(await read('/developer')) ?? [];
  assert.deepEqual([form, name], ['/developer/applications/new', 'Register an application']);
  const opened = await (await signedInBrowser(server.origin)).visit(form);
  assert.match(opened.text, /<input[^>]* name="redirect_uris"|id="redirect_uris"/);
  assert.deepEqual(primary(await read('/developer', {}, plain)), ['/developer/register', 'Register an application']);
});

test('the requests of the first page are those of the page about messages, and the plain text has each once', async () => {
  const [first, messages] = [await read('/developer'), await read('/developer/messages')];
  const text = await read('/developer/docs.txt');
  for (const id of ['authorization-request', 'token-request', 'user-request']) {
    const program = shownProgram({ text: first, url: '' }, `code-${id}`);
    assert.equal(program, shownProgram({ text: messages, url: '' }, `code-${id}`));
    assert.equal(text.split(`\`\`\`\n${program}\n`).length, 2, id);
  }
});

test('the addresses are those of the metadata, the scopes those of the catalogue, each error has its page', async () => {
  const metadata = await (await open('/.well-known/oauth-authorization-server')).json();
  const page = await read('/developer/reference');
  const text = await read('/developer/docs.txt');
  const addresses = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$|^issuer$/.test(name));
  assert.ok(addresses.length >= 9);
  for (const [name, address] of addresses) {
    assert.ok(page.includes(`<code>${name}</code></dt><dd><code id="${name}">${address}</code>`), name);
    assert.ok(page.includes(`data-copy="${name}"`), name);
    assert.ok(text.includes(`- ${name}: ${address}\n`), name);
  }
  const permissions = metadata.scopes_supported.filter((scope: string) => scope !== 'offline_access');
  for (const scope of permissions) assert.match(page, new RegExp(`<code>${scope}</code>`));
  const errors = await read('/developer/errors');
  for (const [code, status] of Object.entries(errorStatus)) {
    assert.ok(
      errors.includes(`<a href="/errors/${code}"><code>${code}</code></a></dt><dd><code>${status}</code>`),
      code,
    );
    assert.equal(errors.split(`<dt><a href="/errors/${code}">`).length, 2, code);
  }
  assert.ok(errors.includes(`<code>${freeFailures.credential}</code> in 15 minutes`));
});

test('another setting is another page: lifetimes, who registers, the brand, whom to ask', async () => {
  const [here, there] = [await all(), await all(plain)];
  assert.match(here, /<code>1234 s<\/code>/);
  assert.match(there, /<code>4321 s<\/code>/);
  assert.match(here, /Everyone with an account can register applications/);
  assert.match(there, /The operator of this server registers applications/);
  assert.match(here, /Build on Wonder &amp; Co/);
  assert.match(here, /href="mailto:help@wonder\.example"/);
  assert.doesNotMatch(there, /Wonder|Questions|Everyone with an account/);
});

test('what is switched off is not told as on [A542]', async () => {
  const off = await all(plain);
  assert.doesNotMatch(off, /itself at|RFC 7591|metadata document|needs no registration|DPoP-Nonce|playground/i);
  assert.doesNotMatch(off, new RegExp(`${plain.origin}/register\\b`));
  const on = await all();
  for (const told of [/RFC 7591/, /metadata document/, new RegExp(`${server.origin}/register\\b`)])
    assert.match(on, told);
  const invited = await startLatchkey({ REGISTRATION_ENDPOINT: 'token', DPOP_NONCE: 'on' }, server.url);
  const text = await read('/developer/docs.txt', {}, invited);
  assert.match(text, /with an initial access token[\s\S]*Bearer \$INVITATION/);
  assert.match(text, /DPoP-Nonce/);
  assert.match(text, /Administrators of this server register applications/);
  assert.doesNotMatch(text, /Any application can register itself|can register itself here/);
});

test('a scope or resource that a seed adds is on the pages, with what it demands; a private address is not [A542]', async () => {
  const latchkey = await startLatchkey();
  await latchkey.database.query(`
    insert into scopes (name, group_name, sentence, changes, acr, max_age)
    values ('pay', 'pay', 'Pay <b>now</b>' || chr(10) || '# and \`\`\` here', true, 2, 300)`);
  for (const [resource, format] of [
    ['https://api.wonder.example/', 'jwt'],
    ['https://billing.internal/', 'opaque'],
    ['https://10.0.0.7/', 'opaque'],
    ['http://localhost:9/', 'opaque'],
  ]) {
    await latchkey.database.query('select register_resource(resource => $1, scopes => $2, token_format => $3)', [
      resource,
      ['pay'],
      format,
    ]);
  }
  const page = await read('/developer/reference', {}, latchkey);
  assert.match(
    page,
    /<code>pay<\/code><\/dt><dd>Pay &lt;b&gt;now&lt;\/b&gt; # and ``` here\. <small class="soft">For <code>https:\/\/api\.wonder\.example\/<\/code>\. Allows changes\. Requires a sign-in with two factors in the last <code>5 min<\/code>/,
  );
  assert.match(
    page,
    /<code>https:\/\/api\.wonder\.example\/<\/code><\/dt><dd>Scopes: <code>pay<\/code>\. Its tokens are signed\./,
  );
  const text = await read('/developer/docs.txt', {}, latchkey);
  assert.match(
    text,
    /^- pay: Pay <b>now<\/b> # and ``` here\. For https:\/\/api\.wonder\.example\/\. Allows changes\. Requires/m,
  );
  for (const document of [page, text]) {
    assert.doesNotMatch(document, /billing|10\.0\.0\.7|localhost:9/);
    assert.match(document, /Resources without a public https URL, such as those on localhost, are not listed\./);
  }
});

test('each scope says which address it opens, or for which resource it is, also in the plain text', async () => {
  const latchkey = await startLatchkey();
  await latchkey.database.query("select register_scope(name => 'diary:read', sentence => 'Read your diary')");
  const page = (await read('/developer/reference', {}, latchkey)).replaceAll(/<\/?code>/g, '');
  const text = await read('/developer/docs.txt', {}, latchkey);
  const user = `${latchkey.origin}/user`;
  for (const document of [page, text]) {
    for (const [scope, use] of [
      ['user:name', `Gives access to GET ${user}.`],
      ['user:email', `Gives access to GET ${user}.`],
      ['user:write', `Gives access to PATCH ${user}.`],
      ['diary:read', 'Gives access to nothing on this server: it is for a resource.'],
    ] as const) {
      const [, said = ''] = new RegExp(`^.*?${scope}(?::|</dt><dd>)(.*?)(?=<dt>|</dl>|$)`, 'm').exec(document) ?? [];
      assert.ok(said.includes(use), `${scope}: ${said}`);
    }
  }
});

test('the pages about scopes and APIs, and the plain text, say that a group stands for all of its scopes', async () => {
  for (const path of ['/developer/reference', '/developer/api', '/developer/docs.txt']) {
    assert.match(
      (await read(path)).replaceAll(/<\/?code>/g, ''),
      /user stands for user:name user:email together[\s\S]*So accept either a scope or the group that it is part of/,
      path,
    );
  }
});

test('the page for native applications registers what its programs use, and the first listens there', async () => {
  const page = { text: await read('/developer/native-application'), url: '' };
  const text = unescapeHtml(page.text.replaceAll(/<[^>]*>/g, ''));
  assert.match(text, /Register http:\/\/127\.0\.0\.1\/callback and listen on any free port, as the first program does/);
  assert.deepEqual(
    new Set(text.match(/the redirection URI \S+/g)),
    new Set(['the redirection URI http://127.0.0.1/callback']),
  );
  const [, first = ''] = /id="code-([\w-]+)"/.exec(page.text) ?? [];
  assert.match(shownProgram(page, `code-${first}`), /HTTPServer\(\("127\.0\.0\.1", 0\)/);
  // an example that the rules accept for the site beside it
  const [, site = '', scheme = ''] =
    /for the site (\S+), register a private scheme .*, such as (\S+)\.Or /.exec(text) ?? [];
  const { rows } = await server.database.query('select check_redirect_uri($1, $2, true) as problem', [scheme, site]);
  assert.deepEqual(rows, [{ problem: null }]);
  assert.match(await read('/developer/register'), /com\.example\.app:\/callback.*a private scheme/);
  const form = await (await signedInBrowser(server.origin)).visit('/developer/applications/new?preset=native');
  assert.match(form.text, /Public applications can also use a private scheme, such as com\.example\.app:\/callback/);
});

test('where an MCP server is unknown, its page and the page of the error say who registers it', async () => {
  await registerPrinter(server.database);
  const alice = await signedInBrowser(server.origin);
  const refused = await alice.visit(
    `/authorize?${authorizationQuery({ resource: 'https://mcp.unknown.example/mcp' })}`,
  );
  assert.match(refused.location ?? '', /error=invalid_target/);
  const asking = { scope: 'mcp:unknown', resource: 'https://mcp.unknown.example/mcp' };
  const unknownScope = await alice.visit(`/authorize?${authorizationQuery(asking)}`);
  assert.match(unknownScope.location ?? '', /error=invalid_scope/);
  const page = await read('/developer/mcp-client');
  assert.match(page, /not registered here as a resource, the response is <a href="\/errors\/invalid_target">/);
  assert.match(
    page,
    /, or <a href="\/errors\/invalid_scope">.{0,80} if the MCP server publishes scopes that are unknown here/,
  );
  assert.match(page, /Ask the operator of Wonder &amp; Co: <a href="mailto:help@wonder\.example">/);
  for (const text of [page, await read('/errors/invalid_target'), await read('/developer/docs.txt')]) {
    assert.match(text, /Only the operator of this server can register it[.:] [sS]end them its URL/);
  }
});

test('the page for MCP servers registers what its programs check, and says how clients come [RFC 9728]', async () => {
  const latchkey = await startLatchkey(settings);
  const page = { text: await read('/developer/mcp-server', {}, latchkey), url: '' };
  await registerPrinter(latchkey.database, { client_id: 'my-mcp-server' });
  await latchkey.database.query(shownProgram(page, 'code-mcp-registration'));
  const { rows } = await latchkey.database.query('select resource, scopes, client_id from resources');
  const resource = 'http://localhost:8000/mcp';
  assert.deepEqual(
    rows.filter((one) => one.resource === resource),
    [{ resource, scopes: ['mcp:tools'], client_id: 'my-mcp-server' }],
  );
  const metadata = JSON.parse(shownProgram(page, 'code-mcp-metadata'));
  assert.deepEqual([metadata.resource, metadata.authorization_servers], [resource, [latchkey.origin]]);
  const programs = { text: await read('/developer/mcp-server-programs', {}, latchkey), url: '' };
  for (const id of ['mcp-server', 'mcp-server-python']) {
    const program = shownProgram(programs, `code-${id}`);
    for (const value of [resource, latchkey.origin, 'mcp:tools', 'my-mcp-server']) {
      assert.ok(program.includes(JSON.stringify(value)), `${id}: ${value}`);
    }
  }
  const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, '');
  assert.match(
    wordsOf(page.text),
    /needs no registration\.[\s\S]*Any other client can register itself: Let the application register itself/,
  );
  assert.match(wordsOf(await read('/developer/mcp-server', {}, plain)), /Clients must be registered first\./);
});

test('what the pages say of scripts holds: one vouched application of localhost opens all of its ports, for all applications', async () => {
  const readers = ['http://localhost:5173', 'http://127.0.0.1:9', 'https://stranger.example'];
  const allowed = async () =>
    Promise.all(
      readers.map(async (origin) =>
        (await open('/user', { headers: { origin } })).headers.has('access-control-allow-origin'),
      ),
    );
  for (const [client_id, site_domain] of [
    ['local', 'localhost'],
    ['stranger', 'stranger.example'],
  ] as const) {
    const redirect_uris = [`https://${site_domain}/callback`];
    await registerPrinter(server.database, { client_id, site_domain, redirect_uris });
  }
  await server.database.query(
    "update clients set vouched = client_id = 'local' where client_id in ('local', 'stranger')",
  );
  assert.deepEqual(await allowed(), [true, true, false]);
  await server.database.query("update clients set vouched = false where site_domain = 'localhost'");
  assert.deepEqual(await allowed(), [false, false, false]);
  await server.database.query(
    "update clients set owner_id = (select user_id from users where username = 'alice') where client_id = 'local'",
  );
  const console = await (await signedInBrowser(server.origin)).visit('/developer/applications/local');
  for (const text of [
    console.text,
    await read('/developer/single-page-application'),
    await read('/developer/register'),
  ]) {
    assert.match(text, /All ports of localhost count as one site/);
    assert.doesNotMatch(text, /scripts of (the|its) site cannot read/);
  }
});

test('whoever may register finds the form on the page about registering', async () => {
  assert.match(
    await read('/developer/register'),
    /<a class="button primary" href="\/developer\/applications\/new">Register an application</,
  );
  assert.doesNotMatch(await read('/developer/register', {}, plain), /applications\/new/);
});

test('the page about registering says each thing once, and the long pages lead to their sections', async () => {
  const paragraphs = (await read('/developer/register')).match(/<(p|li)>[\s\S]*?<\/\1>/g) ?? [];
  assert.ok(paragraphs.length > 8);
  assert.equal(new Set(paragraphs).size, paragraphs.length);
  for (const path of [
    '/developer/register',
    '/developer/api',
    '/developer/choices',
    '/developer/choices-request',
    '/developer/messages',
    '/developer/dpop',
    '/developer/errors',
  ]) {
    const page = await read(path);
    const headings = [...page.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g)].map(([, id, name]) => [`#${id}`, name]);
    assert.ok(headings.length > 4);
    assert.deepEqual(
      [...page.matchAll(/<a href="(#\w+)">(.*?)<\/a>/g)].map(([, href, name]) => [href, name]),
      headings,
    );
  }
});

test('no page of the documentation weighs 30 KiB in any language, with style sheets and scripts, for readers who are not signed in', async () => {
  const everything = await startLatchkey({ ...settings, DPOP_NONCE: 'on' }, server.url);
  const sizes = new Map<string, number>();
  const sizeOf = async (path: string) => {
    const known = sizes.get(path) ?? Buffer.byteLength(await read(path, {}, everything));
    sizes.set(path, known);
    return known;
  };
  const heavy: string[] = [];
  for (const path of paths) {
    for (const { language } of languages) {
      const html = await read(`${path}?ui_locales=${language}`, {}, everything);
      const files = [...html.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]*)"/g)];
      assert.ok(files.length >= 4);
      let weight = Buffer.byteLength(html);
      for (const [, file = ''] of files) weight += await sizeOf(file);
      if (weight >= 30 * 1024) heavy.push(`${path} ${language}: ${weight} bytes`);
    }
  }
  assert.deepEqual(heavy, []);
});

test('the page about errors links every error it names, and paths, headers and parameters are code in its texts', async () => {
  const page = await read('/developer/errors');
  for (const code of ['invalid_scope', 'invalid_target', 'invalid_authorization_details']) {
    assert.equal(page.split(`<a href="/errors/${code}"><code>${code}</code></a>`).length, 3, code);
  }
  for (const language of ['en', 'de', 'fr', 'es', 'zh']) {
    const text = main(await read(`/developer/errors?ui_locales=${language}`));
    for (const name of ['prompt=none', '/token', '/par', 'Allow', 'DPoP', 'request']) {
      assert.ok(text.includes(`<code>${name}</code>`), `${language} ${name}`);
    }
    assert.doesNotMatch(
      text.replaceAll(/<code[\s\S]*?<\/code>/g, ''),
      /prompt=none|\s\/(token|par)\b|\bAllow\b/,
      language,
    );
  }
});

test('nothing of the installation, and nothing of other developers, is on any page [A542]', async () => {
  const text = `${await all()}${await read('/openapi.json')}`;
  for (const secret of [
    ...Object.values(secrets),
    'mail-password',
    'collector.internal',
    server.url,
    'somebody-elses-application',
    'Secret Project',
  ]) {
    assert.ok(!text.includes(secret), secret);
  }
  assert.doesNotMatch(text, /lk_(cs|at|rt|ac|ra|it)_\w/, 'no example has a secret');
});

test('a hostile name of the provider is text everywhere [A542]', async () => {
  const BRAND_NAME = '"><script>alert(1)</script>](javascript:';
  const hostile = await startLatchkey({ BRAND_NAME: BRAND_NAME.slice(0, 40) }, server.url);
  for (const path of paths) {
    const page = await read(path, {}, hostile);
    assert.doesNotMatch(page, /<script>|href="javascript/, path);
  }
  assert.match(
    await read('/developer/docs.txt', {}, hostile),
    /^# Build on "><script>alert\(1\)<\/script>\]\(javascript:\n/,
  );
});

test('a hostile sentence of a scope is text on every page and on one line of the plain text [A542]', async () => {
  const sentence = `</li><script>alert(1)</script>](javascript:alert(1)) \`\`\` \u202e<!--`;
  const hostile = await startLatchkey(settings);
  await hostile.database.query(`select register_scope(name => 'evil:scope', sentence => $1, sentences => $2)`, [
    sentence,
    JSON.stringify({ de: sentence }),
  ]);
  for (const path of paths) {
    for (const language of ['en', 'de']) {
      const page = await read(`${path}?ui_locales=${language}`, {}, hostile);
      assert.doesNotMatch(page, /<script>|href="javascript|\u202e/, path);
    }
  }
  const lines = (await read('/developer/docs.txt', {}, hostile)).split('\n').filter((line) => line.includes('alert'));
  assert.ok(lines.length > 0);
  for (const line of lines) assert.match(line, /^- evil:scope: [^\u202e]*$/);
  for (const more of ['\n# Other', '\u0000', 'x'.repeat(10_000)]) {
    await assert.rejects(
      hostile.database.query(`select register_scope(name => 'evil:scope', sentence => $1)`, [`Read${more}`]),
    );
  }
});

test('the pages are the same for everybody, but for the header, and no cache keeps one with a name [A541]', async () => {
  const alice = await signedInBrowser(server.origin);
  for (const path of paths) {
    const page = await alice.open(path);
    assert.equal(main(page.text), main(await read(path)), path);
    assert.match(page.text.slice(0, page.text.indexOf('<main')), /alice/);
    for (const { headers } of [page, await open(path)]) {
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(headers.get('vary') ?? '', /Accept-Language/);
      assert.equal(headers.get('set-cookie'), null);
    }
  }
  const { text, headers } = await alice.open('/developer/docs.txt');
  assert.equal(text, await read('/developer/docs.txt', { headers: { 'accept-language': 'de' } }));
  assert.equal(text, await read('/developer/docs.txt?ui_locales=fr&utm=1'));
  assert.doesNotMatch(text, /alice/);
  assert.equal(headers.get('set-cookie'), null);
  assert.equal(headers.get('content-type'), 'text/plain;charset=UTF-8');
  assert.equal(headers.get('cache-control'), 'public, max-age=60');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('addresses come from the issuer, whatever the request says of itself [A541]', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/evil' };
  for (const path of [...paths, '/developer/docs.txt', '/']) {
    const text = await read(path, { headers });
    assert.equal(text, await read(path), path);
    assert.doesNotMatch(text, /evil/);
  }
  const below = await startLatchkey({ ...settings, ISSUER: '/auth' });
  const first = await read('/auth/developer', {}, below);
  assert.ok(
    first.includes(`href="/auth/developer/api"`) && first.includes(`<code>POST ${below.origin}/auth/token</code>`),
  );
  const text = await read('/auth/developer/docs.txt', {}, below);
  const addresses = text.match(new RegExp(`${below.origin}[^\\s)\`"';&]*`, 'g')) ?? [];
  assert.ok(addresses.length > 60);
  for (const address of addresses) assert.ok(address.startsWith(`${below.origin}/auth`), address);
});

test('no other address is taken for one of these pages, nor for the account [A541]', async () => {
  const alice = await signedInBrowser(server.origin);
  const others = [
    '/account/x.css',
    '/account;.js',
    '/account.css',
    '/developer/x.css',
    '/developer/docs.txt/',
    '/developer/',
  ];
  for (const path of [...others, '//developer', '/developer/%2e%2e%2faccount', '/developer/api.css', '/Developer']) {
    const page = await alice.open(server.origin + path);
    assert.equal(page.status, 404, path);
    assert.equal(page.headers.get('cache-control'), 'no-store', path);
  }
  for (const path of ['/developer', '/developer/docs.txt']) {
    const head = await open(path, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    const range = await open(path, { headers: { range: 'bytes=0-3' } });
    assert.deepEqual([range.status, (await range.text()).length > 1000], [200, true]);
    assert.equal((await open(path, { method: 'POST' })).status, 405);
  }
  assert.equal(
    (await new Browser(server.origin).open('/developer/applications')).location,
    '/login?to=%2Fdeveloper%2Fapplications',
  );
  assert.equal((await alice.open('/developer/applications')).status, 200, 'the console is where it was');
});

test('the pages speak five languages, and the code in them stays as it is', async () => {
  const programs = (html: string) => html.match(/<pre[\s\S]*?<\/pre>/g);
  const english = await read('/developer/api');
  for (const [language, title] of Object.entries({
    de: 'Ihre eigene API',
    fr: 'Votre propre API',
    es: 'Su propia API',
    zh: '您自己的 API',
  })) {
    const page = await read(`/developer/api?ui_locales=${language}`);
    assert.ok(page.includes(`<h1>${title}</h1>`), language);
    assert.deepEqual(programs(page), programs(english));
    assert.ok(!/\{\w+\}<|undefined/.test(page.replaceAll(/<pre[\s\S]*?<\/pre>/g, '')));
  }
});

test('of several programs one is open, each named by its language, and sentences link to pages by their titles', async () => {
  const page = await read('/developer/native-application');
  assert.deepEqual(
    [...page.matchAll(/<details name="program-3"( open)?>\s*<summary><h3>([^<]*)<\/h3>/g)].map(([, open, name]) => [
      name,
      open,
    ]),
    [
      ['Python: requests-oauthlib', ' open'],
      ['Go: golang.org/x/oauth2', undefined],
    ],
  );
  assert.deepEqual(
    [...page.matchAll(/<details name="program-4"[\s\S]*?<h3>([^<]*)<\/h3>/g)].map(([, name]) => name),
    ['Swift', 'Kotlin'],
  );
  assert.doesNotMatch(await read('/developer/sign-in'), /<details name=/);
  assert.match(
    await read('/developer/native-application'),
    /Register your application to get a client ID: <a href="\/developer\/register">Register an application<\/a>/,
  );
  assert.match(
    await read('/developer/docs.txt'),
    /Register your application to get a client ID: http\S+\/developer\/register/,
  );
  for (const path of paths)
    assert.doesNotMatch(await read(path), /<a href="\/developer\/[^"]*"><code>http(?!.*docs\.txt)/, path);
});

test('each program is the one that the console shows for an application with that registration', async () => {
  const root = await signedInBrowser(server.origin, 'root');
  await server.database.query("update users set is_admin = true where username = 'root'");
  let compared = 0;
  for (const path of paths) {
    const page = { text: await read(path), url: path };
    const client_id =
      path === '/developer/api-programs' ? 'my-api' : /mcp-server/.test(path) ? 'my-mcp-server' : 'my-application';
    const isPublic = !/web-application|\/api|sign-in|mcp-server/.test(path);
    for (const [, id = ''] of page.text.matchAll(/id="code-([\w-]+)"/g)) {
      if (!libraries.some((library) => library.id === id)) continue;
      const [, redirect_uri = 'http://localhost:8080/callback'] =
        new RegExp(`data-copy="code-${id}"[\\s\\S]*?<code>(http:[^<]*)</code>[\\s\\S]*?id="code-${id}"`).exec(
          page.text,
        ) ?? [];
      await registerPrinter(server.database, {
        client_id,
        client_secret: isPublic ? null : printer.client_secret,
        redirect_uris: [redirect_uri],
        site_domain: 'localhost',
        scopes: ['user'],
      });
      if (path === '/developer/api-programs') {
        const registration = { text: await read('/developer/api'), url: '' };
        const { aud } = JSON.parse(shownProgram(registration, 'code-introspection-answer'));
        await server.database.query(shownProgram(registration, 'code-api-registration'));
        assert.ok(
          id === 'nginx' || shownProgram(page, `code-${id}`).includes(aud),
          `${id} accepts the tokens of its page`,
        );
      }
      if (path === '/developer/mcp-server-programs') {
        const registration = { text: await read('/developer/mcp-server'), url: '' };
        await server.database.query(shownProgram(registration, 'code-mcp-registration'));
      }
      const shown = await root.visit(`/developer/applications/${client_id}/connect/${id}`);
      assert.equal(shownProgram(page, `code-${id}`), shownProgram(shown), `${path} ${id}`);
      compared += 1;
    }
    await server.database.query('delete from resources where client_id = $1', [client_id]);
    await server.database.query('delete from clients where client_id = $1', [client_id]);
  }
  assert.equal(compared, 14);
});

/** Runs a program of the pages, which is for a shell, as it is shown. */
async function runShell(program: string, env: Record<string, string> = {}): Promise<string> {
  const { PATH = '' } = process.env;
  return (await run('sh', ['-c', program], { env: { PATH, ...env } })).stdout;
}

test('the programs that read the profile and revoke a token do so', async () => {
  const redirect_uri = 'http://localhost:8080/callback';
  await registerPrinter(server.database, {
    client_id: 'my-application',
    redirect_uris: [redirect_uri],
    site_domain: 'localhost',
  });
  const alice = await signedInBrowser(server.origin);
  const code = await obtainCode(alice, { client_id: 'my-application', redirect_uri });
  const authorization = `Basic ${btoa(`my-application:${printer.client_secret}`)}`;
  const { body } = await redeem(server.origin, code, { redirect_uri }, { authorization });
  const read_user = shownProgram({ text: await read('/developer/sign-in'), url: '' }, 'code-read-user');
  assert.match(await runShell(read_user, { TOKEN: String(body['access_token']) }), /"sub":/);
  const program = shownProgram({ text: await read('/developer/sign-out'), url: '' }, 'code-revoke');
  await runShell(program, { CLIENT_SECRET: printer.client_secret, TOKEN: String(body['refresh_token']) });
  assert.equal((await getUser(server.origin, body['access_token'])).status, 401);
});

test('the page about the fields of a registration has every member that this server reads, each as a target of links, and nothing else', {
  skip: noOpenssl,
}, async () => {
  const members = Object.keys(clientMetadata.shape).sort();
  const { cert } = issueCertificate('/CN=authority', { extensions: ['basicConstraints=critical,CA:TRUE'] });
  const withCertificates = await startLatchkey(
    { ...settings, ...certificates, CLIENT_CA_FILE: writeFile('authority.pem', cert) },
    server.url,
  );
  // a long name can be broken at an underscore
  const targets = (text: string) =>
    [...text.replaceAll('_<wbr>', '_').matchAll(/<code id="(\w+)">\1<\/code>/g)].map(([, name]) => name).sort();
  const all = await read('/developer/registration-fields', {}, withCertificates);
  assert.deepEqual(targets(all), members);
  assert.match(all, />tls_client_<wbr>certificate_<wbr>bound_<wbr>access_tokens<\/code>/);
  // each with its type in JSON
  for (const row of [
    'redirect_uris</code> <small>array of strings',
    'scope</code> <small>string',
    '"jwks">jwks</code> <small>object',
    '"jwks_uri">jwks_uri</code> <small>string',
  ])
    assert.ok(all.includes(row), row);
  assert.match(
    all,
    /<small>boolean<\/small><\/dt><dd>[^<]*<code>true<\/code>[^<]*<a href="\/developer\/stronger-security#bind">Bind access tokens to the certificate</,
  );
  const forCertificates = /^tls_client_(auth|certificate)_/;
  assert.deepEqual(
    targets(await read('/developer/registration-fields')),
    members.filter((name) => !forCertificates.test(name)),
  );
  assert.deepEqual(targets(await read('/developer/registration-fields', {}, plain)), []);
  assert.match(await read('/developer/dpop'), /href="\/developer\/registration-fields#dpop_bound_access_tokens"/);
  assert.doesNotMatch(await read('/developer/dpop', {}, plain), /registration-fields#/);
});

test('of the fields that it does not list, a server without certificates refuses those for certificates, and says so', async () => {
  assert.match(
    await read('/developer/registration-fields'),
    /not listed here, this server refuses those for client certificates/,
  );
  const statusOf = async (field: object) => {
    const body = JSON.stringify({ redirect_uris: ['https://app.example/callback'], ...field });
    return (await open('/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status;
  };
  assert.equal(await statusOf({ tls_client_certificate_bound_access_tokens: true }), 400);
  assert.equal(await statusOf({ tls_client_auth_subject_dn: 'CN=app' }), 400);
  assert.equal(await statusOf({ unknown: true }), 201);
});

test('the defaults of fields are those that a registration without them has', async () => {
  const page = (await read('/developer/registration-fields')).replaceAll('<wbr>', '');
  const rows = [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)];
  const body = JSON.stringify({ redirect_uris: ['https://app.example/callback'] });
  const headers = { 'content-type': 'application/json' };
  const registered = JSON.parse(await (await open('/register', { method: 'POST', headers, body })).text());
  const told = rows.flatMap(([, term = '', about = '']) => {
    const [, value] = /Default: <code>(\w+)<\/code>/.exec(about) ?? [];
    return value === undefined ? [] : [[/<code id="(\w+)"/.exec(term)?.[1] ?? '', value] as const];
  });
  assert.ok(told.length > 5, `${told}`);
  for (const [name, value] of told) assert.equal(String(registered[name]), value, name);
  for (const [, term = '', about = ''] of rows) assert.ok(/Default: |<b>/.test(about + term), term);
  assert.ok(page.includes(`Default: the scopes that change nothing, here <code>${registered.scope}</code>`));
  assert.match(page, /<code>client_secret_basic<\/code>, or <code>none<\/code> in a metadata document/);
});

test('where applications do not register themselves, nothing leads to the fields of a registration', async () => {
  const path = '/developer/registration-fields';
  const told = async (at: Latchkey) =>
    Promise.all(
      ['/developer', '/developer/register', '/developer/docs.txt', '/developer?q=redirect_uris'].map(async (one) =>
        (await read(one, {}, at)).includes(path),
      ),
    );
  assert.deepEqual(await told(server), [true, true, true, true]);
  assert.deepEqual(await told(plain), [false, false, false, false]);
  assert.match(
    main(await read(path, {}, plain)),
    /<p>How applications are registered: <a href="\/developer\/register">/,
  );
});

test('the table of methods has those of this server, and each row leads to what explains it', async () => {
  const { token_endpoint_auth_methods_supported } = await (
    await open('/.well-known/oauth-authorization-server')
  ).json();
  const [, table = ''] =
    /Confidential or public<\/h2>[\s\S]*?<dl class="facts">([\s\S]*?)<\/dl>/.exec(await read('/developer/register')) ??
    [];
  const named = [...table.matchAll(/<dt>(.*?)<\/dt>/g)].flatMap(([, term = '']) => term.match(/(?<=<code>)\w+/g) ?? []);
  assert.deepEqual(named.sort(), token_endpoint_auth_methods_supported.toSorted());
  const links = [...table.matchAll(/<dd>.*?<a href="(\/developer\/[\w-]+)#(\w+)">(.*?)<\/a><\/dd>/g)];
  assert.equal(links.length, table.split('<dt>').length - 1);
  for (const [, path = '', id, title] of links)
    assert.ok((await read(path)).includes(`<h2 id="${id}">${title}</h2>`), title);
});

test('the site of an application that registers itself is the one that the page about registering says', async () => {
  const said = main(await read('/developer/register')).replaceAll(/<[^>]*>/g, '');
  assert.match(
    said,
    /The host of com\.example\.app:\/callback is app\.example\.com\. If all of them are loopback .* localhost\./,
  );
  const siteOf = async (redirect_uris: string[], token_endpoint_auth_method = 'none') => {
    const body = JSON.stringify({ redirect_uris, token_endpoint_auth_method });
    const answer = await open('/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { client_id, error } = await answer.json();
    const { rows } = await server.database.query('select site_domain from clients where client_id = $1', [client_id]);
    return rows[0]?.site_domain ?? error;
  };
  const [scheme, loopback] = ['com.example.app:/callback', 'http://127.0.0.1/callback'];
  assert.equal(await siteOf([scheme]), 'app.example.com');
  assert.equal(await siteOf([scheme, loopback]), 'app.example.com');
  assert.equal(
    await siteOf([scheme, 'https://example.com/callback', 'https://www.example.com/callback']),
    'example.com',
  );
  assert.equal(await siteOf([loopback, 'http://localhost/callback']), 'localhost');
  // all those of this site, but of no other
  assert.equal(await siteOf([loopback], 'client_secret_basic'), 'localhost');
  assert.equal(await siteOf([loopback, 'https://example.com/callback'], 'client_secret_basic'), 'invalid_redirect_uri');
  assert.equal(await siteOf(['http://localhost/callback', 'https://example.com/callback']), 'example.com');
});

test('where developers register by hand, the page says what differs until an administrator vouches for an application', async () => {
  const byHand = await startLatchkey({ REGISTRATION: 'open' }, server.url);
  assert.match(await read('/developer/register', {}, byHand), /Until an administrator vouches for an application:/);
  assert.doesNotMatch(await read('/developer/register', {}, plain), /Until an administrator/);
});

test('what the answer to a registration adds to it is in the table of the answer', async () => {
  const page = await read('/developer/register');
  const [, table = ''] = /contains all fields[\s\S]*?<dl class="facts">([\s\S]*?)<\/dl>/.exec(page) ?? [];
  const named = [...table.matchAll(/<dt>(.*?)<\/dt>/g)].flatMap(([, term = '']) => term.match(/(?<=<code>)\w+/g) ?? []);
  const body = JSON.stringify({ redirect_uris: ['https://app.example/callback'] });
  const headers = { 'content-type': 'application/json' };
  const response = await open('/register', { method: 'POST', headers, body });
  const answered = Object.keys(JSON.parse(await response.text()));
  assert.deepEqual(named.sort(), answered.filter((name) => !(name in clientMetadata.shape)).sort());
});

test('a change without the scope narrows it for good, which the page says', async () => {
  assert.match(await read('/developer/register'), /\(a scope that is left out cannot be added again\)/);
  const members = { redirect_uris: ['http://localhost:8080/callback'], token_endpoint_auth_method: 'none' };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ...members, scope: 'user user:write' });
  const response = await open('/register', { method: 'POST', headers, body });
  const registered = JSON.parse(await response.text());
  const { client_id, registration_client_uri, registration_access_token } = registered;
  const change = async (changes: object) => {
    const changed = await fetch(registration_client_uri, {
      ...{ method: 'PUT', headers: { ...headers, authorization: `Bearer ${registration_access_token}` } },
      body: JSON.stringify({ client_id, ...members, ...changes }),
    });
    return JSON.parse(await changed.text());
  };
  assert.equal((await change({})).scope, 'user');
  assert.match((await change({ scope: 'user user:write' })).error_description, /scope can only be narrowed/);
});

test('the program that registers an application does so, and so would the metadata document', async () => {
  const page = { text: await read('/developer/register'), url: '' };
  const registered = JSON.parse(await runShell(shownProgram(page, 'code-register')));
  assert.match(registered.client_id, /^app-/);
  assert.deepEqual(registered.redirect_uris, ['http://localhost:8080/callback']);
  assert.match(shownProgram(page, 'code-register'), /\n {2}"client_name": "My application",\n/);
  const { registration_client_uri, ...shown } = JSON.parse(shownProgram(page, 'code-registration-answer'));
  assert.deepEqual(
    Object.keys({ registration_client_uri, ...shown }).filter((name) => !(name in registered)),
    [],
  );
  assert.equal(shown.scope, registered.scope);
  const { client_id: CLIENT_ID, registration_access_token: TOKEN } = registered;
  const changing = shownProgram(page, 'code-register-change');
  const changed = JSON.parse(await runShell(changing, { URI: registered.registration_client_uri, TOKEN, CLIENT_ID }));
  assert.deepEqual(changed, { ...registered, client_name: 'My new name' });
  const managed = (method: string) =>
    fetch(registered.registration_client_uri, { method, headers: { authorization: `Bearer ${TOKEN}` } });
  assert.deepEqual(await (await managed('GET')).json(), changed);
  assert.deepEqual([(await managed('DELETE')).status, (await managed('GET')).status], [204, 401]);
  const refused = shownProgram(page, 'code-register').replace('http://localhost:8080', 'http://app.example');
  const { request_id, ...refusal } = JSON.parse(await runShell(refused));
  assert.deepEqual({ ...refusal, request_id: '…' }, JSON.parse(shownProgram(page, 'code-registration-refusal')));
  const document = JSON.parse(shownProgram(page, 'code-document'));
  assert.equal(document.client_id, 'https://app.example/client.json');
  const body = JSON.stringify({ ...document, client_id: undefined });
  const { status } = await open('/register', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(status, 201);
});
