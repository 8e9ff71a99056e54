import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { before, beforeEach, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { fetchLogos } from '../../src/clients/client-logos.ts';
import { statements } from '../../src/postgres/database.ts';
import { fetchImage } from '../../src/web/fetch-document.ts';
import type { Page } from '../support/browser.ts';
import { type Internet, requestOf, startInternet } from '../support/client-documents.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import { registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { enterNetwork, publicAddress } from '../support/network.ts';
import { startServing } from '../support/process.ts';

const skip = await enterNetwork(import.meta.url);
const { latchkey, alice, nameServer, site, published } = skip ? ({} as Internet) : await startInternet();

interface Answer {
  status?: number;
  headers?: OutgoingHttpHeaders;
  body?: Buffer | string;
}

/** What the site answers at the address of a logo. */
const logos = new Map<string, Answer | RequestListener>();

before(() => {
  if (skip) return;
  const { answer: answerDocument } = site;
  site.answer = (req, res) => {
    const logo = logos.get(`https://${req.headers.host}${req.url}`);
    if (!logo) return answerDocument(req, res);
    if (typeof logo === 'function') return logo(req, res);
    const { status = 200, headers, body } = logo;
    res.writeHead(status, { 'content-type': 'image/png', ...headers }).end(body);
  };
});

/** The process has waited for so long, because of what it may fetch from one site in a minute. */
let waited = 0;
const clock = performance.now.bind(performance);
mock.method(performance, 'now', () => clock() + waited);

beforeEach(async () => {
  waited += 60_000;
  logos.clear();
  site?.requests.splice(0);
  site?.contacts.splice(0);
  // each test begins without clients that came by themselves
  await latchkey?.database.query("delete from clients where origin in ('application', 'document')");
});

const png = (text: string) => Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1');
const kinds: [type: string, image: Buffer][] = [
  ['image/png', png('png')],
  ['image/jpeg', Buffer.from('\xff\xd8\xff\xe0jpeg', 'latin1')],
  ['image/gif', Buffer.from('GIF89agif')],
  ['image/webp', Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1')],
];

let urls = 0;
/** A client with a document that names a logo. */
async function comeByItself(logo_uri: string): Promise<string> {
  urls += 1;
  const client_id = `https://client.example/app-${urls}.json`;
  published.set(client_id, { changes: { logo_uri } });
  assertNoLogo(await consentOf(client_id));
  return client_id;
}

async function vouch(client_id: string, vouched = true): Promise<void> {
  await latchkey.database.query('update clients set vouched = $2 where client_id = $1', [client_id, vouched]);
}

let addresses = 0;
/** The address of a logo that no other test uses. */
function publishLogo(answer: Answer | RequestListener, host = 'client.example'): string {
  addresses += 1;
  const url = `https://${host}/logo-${addresses}`;
  logos.set(url, answer);
  return url;
}

async function vouchedWithLogo(answer: Answer | RequestListener): Promise<{ client_id: string; logo_uri: string }> {
  const logo_uri = publishLogo(answer);
  const client_id = await comeByItself(logo_uri);
  await vouch(client_id);
  return { client_id, logo_uri };
}

const run = () => fetchLogos(latchkey.deps);
const consentOf = (client_id: string) => alice.visit(requestOf(client_id));
/** The address of the logo that a page shows; undefined if it shows the first letter in its place. */
const logoOn = ({ text }: Page) => /class="mark"[^>]*><img src="([^"]*)"/.exec(text)?.[1];
const get = (path: string, init: RequestInit = {}) => fetch(latchkey.origin + path, init);
const asked = (logo_uri: string) => site.requests.filter((one) => `GET ${logo_uri.slice(8)}` === one).length;

async function bytesAt(path: string | undefined): Promise<Buffer> {
  const answer = await get(path ?? '/none');
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
}

function assertNoLogo(page: Page): void {
  assert.match(page.text, /id="allow"/);
  assert.doesNotMatch(page.text, /<img/);
}

test('the logo of a client with a document is fetched once, and shown from here once an administrator vouches for the client [A550]', {
  skip,
}, async () => {
  let received: unknown;
  const image = png('first');
  const logo_uri = publishLogo((req, res) => {
    received = req.headers;
    res.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'a=b' }).end(image);
  });
  const client_id = await comeByItself(logo_uri);
  await run();
  assertNoLogo(await consentOf(client_id));
  await vouch(client_id);
  assertNoLogo(await consentOf(client_id));
  assert.equal(asked(logo_uri), 0, 'nobody who looks at a page causes a fetch');
  await run();
  await run();
  const page = await consentOf(client_id);
  await consentOf(client_id);
  assert.equal(asked(logo_uri), 1);
  assert.deepEqual(received, {
    accept: 'image/png, image/jpeg, image/gif, image/webp',
    'accept-encoding': 'identity',
    'user-agent': `Latchkey (+${latchkey.origin})`,
    host: 'client.example',
    connection: 'close',
  });
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self';/);
  assert.doesNotMatch(page.text, /logo-\d/);
  const path = logoOn(page) ?? '';
  assert.match(path, /^\/logos\/[0-9a-f]{64}$/);
  assert.deepEqual(await bytesAt(path), image);
  const { headers } = await get(path);
  for (const [name, value] of [
    ['content-type', 'image/png'],
    ['x-content-type-options', 'nosniff'],
    ['content-security-policy', "default-src 'none'; sandbox"],
    ['cross-origin-resource-policy', 'same-origin'],
    ['cache-control', 'public, max-age=31536000, immutable'],
    ['set-cookie', null],
  ] as const)
    assert.equal(headers.get(name), value, name);
  assert.equal((await get(path, { method: 'HEAD' })).status, 200);
  const post = await get(path, { method: 'POST' });
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET']);
  for (const other of [
    `/logos/${'0'.repeat(64)}`,
    '/logos/x',
    '/logos/%00',
    path.toUpperCase(),
    `${path}/`,
    '/logos',
  ]) {
    const { status, headers } = await get(other);
    assert.deepEqual([status, headers.get('cache-control')], [404, 'no-store'], other);
  }
});

test('a client that registered itself has its logo shown from here, also under an issuer with a path', {
  skip,
}, async () => {
  const image = png('registered');
  const logo_uri = publishLogo({ body: image });
  const under = await startLatchkey({ ISSUER: '/id', REGISTRATION_ENDPOINT: 'open' }, latchkey.url);
  const redirect_uri = 'https://client.example/cb';
  const registered = await fetch(`${under.origin}/id/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'App', redirect_uris: [redirect_uri], logo_uri, scope: 'user:name' }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  assert.equal(registered.status, 201);
  await vouch(client_id);
  await run();
  const browser = await signedInBrowser(under.origin);
  const page = await browser.visit(
    `/id/authorize?${authorizationQuery({ client_id, redirect_uri, scope: 'user:name' })}`,
  );
  const path = logoOn(page) ?? '';
  assert.match(path, /^\/id\/logos\//);
  const answer = await fetch(under.origin + path);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), image);
});

test('raster images of each kind are shown, up to 64 KB', { skip }, async () => {
  const largest = png('x'.repeat(64 * 1024 - 8));
  for (const [type, body] of [...kinds, ['Image/PNG; q=1', largest] as const]) {
    const { client_id } = await vouchedWithLogo({ headers: { 'content-type': type }, body });
    await run();
    const path = logoOn(await consentOf(client_id)) ?? '';
    assert.deepEqual(await bytesAt(path), body, type);
    assert.equal(
      (await get(path)).headers.get('content-type'),
      type.slice(0, 10).trim().toLowerCase().replace(/;$/, ''),
    );
  }
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const refused: [title: string, reason: RegExp, answer: Answer | RequestListener][] = [
  ['SVG with a script', /content type/, { headers: { 'content-type': 'image/svg+xml' }, body: svg }],
  ['SVG as PNG', /its bytes/, { body: svg }],
  ['HTML as PNG', /its bytes/, { body: '<!doctype html><script>alert(1)</script>' }],
  ['a PNG as JPEG', /its bytes/, { headers: { 'content-type': 'image/jpeg' }, body: png('') }],
  ['a PNG as a page', /content type/, { headers: { 'content-type': 'text/html' }, body: png('') }],
  ['a PNG as two types', /content type/, { headers: { 'content-type': 'image/png, text/html' }, body: png('') }],
  ['no content type', /content type/, (_req, res) => void res.writeHead(200).end(png(''))],
  ['an empty image', /its bytes/, { body: '' }],
  ['an image compressed once more', /compressed/, { headers: { 'content-encoding': 'gzip' }, body: gzipSync(png('')) }],
  ['one byte more than 64 KB', /larger than 64 KB/, { body: png('x'.repeat(64 * 1024 - 7)) }],
  ['10 MB', /larger than 64 KB/, { body: png('x'.repeat(10 * 2 ** 20)) }],
  ['a redirect within the site', /redirects/, { status: 302, headers: { location: '/logo' }, body: png('') }],
  ['a redirect to a private address', /redirects/, { status: 302, headers: { location: 'http://10.0.0.5/' } }],
  ['a missing image', /status 404/, { status: 404, body: png('') }],
  ['a part of an image', /status 206/, { status: 206, body: png('') }],
  [
    'an image that never ends',
    /five seconds/,
    (_req, res) => void res.writeHead(200, { 'content-type': 'image/png' }).write(png('')),
  ],
];

test('what is no small raster image at the address itself is not kept, and the page shows a letter [A550]', {
  skip,
}, async () => {
  const before = process.memoryUsage().rss;
  const clients: { client_id: string; logo_uri: string; title: string; reason: RegExp }[] = [];
  for (const [title, reason, answer] of refused) clients.push({ ...(await vouchedWithLogo(answer)), title, reason });
  for (const [index, address] of ['127.0.0.1', '10.0.0.5', '169.254.169.254', 'fd00::5'].entries()) {
    nameServer.hosts.set(`inside-${index}.client.example`, [publicAddress, address]);
    const logo_uri = publishLogo({ body: png('') }, `inside-${index}.client.example`);
    const client_id = await comeByItself(logo_uri);
    await vouch(client_id);
    clients.push({ client_id, logo_uri, title: address, reason: /no address in the public internet/ });
  }
  latchkey.logged.splice(0);
  for (let runs = 0; runs < clients.length; runs += 1) await run();
  for (const { client_id, logo_uri, title, reason } of clients) {
    const logged = latchkey.logged.filter((line) => JSON.parse(line).logo_uri === logo_uri);
    assert.deepEqual([logged.length, JSON.parse(logged[0] ?? '{}').client_id], [1, client_id], title);
    assert.match(JSON.parse(logged[0] ?? '{}').reason, reason, title);
    assertNoLogo(await consentOf(client_id));
    assert.ok(asked(logo_uri) <= 1, title);
  }
  assert.deepEqual(site.privateContacts(), []);
  const kept = await latchkey.database.query('select from client_logos where image is not null or digest is not null');
  assert.equal(kept.rowCount, 0);
  assert.ok(process.memoryUsage().rss - before < 60 * 2 ** 20);
});

test('a site without a good logo is asked again after a day', { skip }, async () => {
  const { client_id, logo_uri } = await vouchedWithLogo({ status: 500 });
  await run();
  logos.set(logo_uri, { body: png('late') });
  await latchkey.database.query("update client_logos set next_try_at = next_try_at - interval '23 hours 59 minutes'");
  await run();
  assert.equal(asked(logo_uri), 1);
  await latchkey.database.query("update client_logos set next_try_at = next_try_at - interval '1 minute'");
  await run();
  assert.deepEqual(await bytesAt(logoOn(await consentOf(client_id))), png('late'));
});

test('an image stays as it was first fetched until the client has another logo_uri [A550]', { skip }, async () => {
  const { client_id, logo_uri } = await vouchedWithLogo({ body: png('first') });
  await run();
  const path = logoOn(await consentOf(client_id));
  logos.set(logo_uri, { body: png('second') });
  await latchkey.database.query("update client_logos set next_try_at = next_try_at - interval '2 days'");
  await run();
  assert.equal(asked(logo_uri), 1);
  assert.equal(logoOn(await consentOf(client_id)), path);
  assert.deepEqual(await bytesAt(path), png('first'));

  const other = publishLogo({ body: png('other') });
  published.set(client_id, { changes: { logo_uri: other } });
  await latchkey.database.query(
    "update client_documents set fetched_at = now() - interval '2 days', fresh_until = now() where client_id = $1",
    [client_id],
  );
  assertNoLogo(await consentOf(client_id));
  assert.equal((await get(path ?? '')).status, 404, 'the old logo is not shown any more');
  await run();
  assert.deepEqual(await bytesAt(logoOn(await consentOf(client_id))), png('other'));
});

test('when vouching ends, the logo is not shown; when it begins again, the same image is', { skip }, async () => {
  const { client_id, logo_uri } = await vouchedWithLogo({ body: png('first') });
  await run();
  const path = logoOn(await consentOf(client_id)) ?? '';
  await vouch(client_id, false);
  await run();
  assertNoLogo(await consentOf(client_id));
  assert.equal((await get(path)).status, 404);
  logos.set(logo_uri, { body: png('second') });
  await vouch(client_id);
  await run();
  assert.equal(logoOn(await consentOf(client_id)), path);
  assert.deepEqual([asked(logo_uri), await bytesAt(path)], [1, png('first')]);
  await latchkey.database.query('update clients set disabled_at = now() where client_id = $1', [client_id]);
  assert.equal((await get(path)).status, 404);
});

test('instances that look at the same moment fetch a logo once; one that stopped in the middle holds nobody up', {
  skip,
}, async () => {
  const other = await startLatchkey({ CLIENT_ID_DOCUMENTS: 'on' }, latchkey.url);
  const all: { client_id: string; logo_uri: string }[] = [];
  for (let index = 0; index < 5; index += 1) all.push(await vouchedWithLogo({ body: png(String(index)) }));
  await Promise.all([run(), fetchLogos(other.deps), run(), fetchLogos(other.deps)]);
  assert.deepEqual(
    all.map(({ logo_uri }) => asked(logo_uri)),
    [1, 1, 1, 1, 1],
  );
  const [stopped] = all;
  await latchkey.database.query(
    `update client_logos set image = null, next_try_at = next_try_at - interval '20 seconds' where client_id = $1`,
    [stopped?.client_id],
  );
  await run();
  assert.equal(asked(stopped?.logo_uri ?? ''), 2);
});

test('an image that arrives after its claim is over does not replace the one that was kept meanwhile', {
  skip,
}, async () => {
  const images = ['late', 'kept'];
  const { client_id } = await vouchedWithLogo(async (_req, res) => {
    const image = png(images.shift() ?? '');
    if (images.length > 0) {
      await latchkey.database.query("update client_logos set next_try_at = now() - interval '1 second'");
      await run();
    }
    res.writeHead(200, { 'content-type': 'image/png' }).end(image);
  });
  await run();
  assert.deepEqual(await bytesAt(logoOn(await consentOf(client_id))), png('kept'));
});

for (const [what, change] of [
  ['deleted', 'delete from clients where client_id = $1'],
  ['given another logo', `update clients set logo_uri = logo_uri || '?v=2' where client_id = $1`],
] as const) {
  test(`a client that is ${what} while its logo is fetched gets no wrong logo`, { skip }, async () => {
    let client_id = '';
    ({ client_id } = await vouchedWithLogo(async (_req, res) => {
      await latchkey.database.query(change, [client_id]);
      res.writeHead(200, { 'content-type': 'image/png' }).end(png('old'));
    }));
    await run();
    const { rows } = await latchkey.database.query(
      `select image is null as is_missing from clients
       left join client_logos on client_logos.client_id = clients.client_id and uri = logo_uri
       where clients.client_id = $1`,
      [client_id],
    );
    assert.deepEqual(rows, what === 'deleted' ? [] : [{ is_missing: true }]);
    if (what === 'deleted') return;
    assert.doesNotMatch((await consentOf(client_id)).text, /<img/);
  });
}

test('a site that could not be asked, because its places are taken, is asked again soon', { skip }, async () => {
  const slow = publishLogo(() => {});
  const { client_id, logo_uri } = await vouchedWithLogo({ body: png('') });
  const options = { issuer: latchkey.origin, is_vouched: true, is_known: true };
  const others = Array.from({ length: 230 }, () => fetchImage(slow, options).catch(() => undefined));
  await Promise.race(others);
  await run();
  assert.equal(asked(logo_uri), 0);
  await Promise.all(others);
  await latchkey.database.query("update client_logos set next_try_at = next_try_at - interval '20 seconds'");
  await run();
  assert.ok(logoOn(await consentOf(client_id)));
});

test('the logo of a client that an operator registered is loaded from its site, as before, and not fetched', {
  skip,
}, async () => {
  const logo_uri = publishLogo({ body: png('') });
  await registerPrinter(latchkey.database, {
    client_id: 'by-operator',
    site_domain: 'client.example',
    logo_uri,
    redirect_uris: ['https://client.example/cb'],
  });
  await run();
  const page = await consentOf('by-operator');
  assert.equal(logoOn(page), logo_uri);
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' https:\/\/client\.example;/);
  assert.equal(asked(logo_uri), 0);
  await vouch('by-operator', false);
  assertNoLogo(await consentOf('by-operator'));
});

test('a server fetches logos from its start on; where documents are switched off, none of their clients', {
  skip,
}, async () => {
  const { client_id, logo_uri } = await vouchedWithLogo({ body: png('started') });
  await fetchLogos({ ...latchkey.deps, config: { ...latchkey.deps.config, client_id_documents: false } });
  assert.equal(asked(logo_uri), 0);
  const { NODE_EXTRA_CA_CERTS = '' } = process.env;
  const environment = { DATABASE_URL: latchkey.url, ISSUER: latchkey.origin, NODE_EXTRA_CA_CERTS };
  const server = await startServing({ ...environment, CLIENT_ID_DOCUMENTS: 'on' });
  while (logoOn(await consentOf(client_id)) === undefined) await pause(50);
  await server.kill();
  assert.equal(asked(logo_uri), 1);
});

test('strangers with logos make the search for missing logos no longer', { skip }, async () => {
  const { client_id } = await vouchedWithLogo({ body: png('') });
  const connection = await latchkey.database.connect();
  await connection.query('set statement_timeout = 0; set session_replication_role = replica');
  const blocks = async () => {
    await connection.query('vacuum analyze clients');
    await connection.query('vacuum analyze client_logos');
    const text = `explain (analyze, buffers, format json) ${statements.get('claim_due_logos')?.text}`;
    const { rows } = await connection.query(text, [5, true]);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    await connection.query('delete from client_logos');
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };
  const few = await blocks();
  await connection.query(
    `insert into clients
     select (jsonb_populate_record(clients, jsonb_build_object('client_id', client_id || n, 'site_domain', n || '.example', 'vouched', false))).*
     from clients, generate_series(1, 6000) n
     where client_id = $1`,
    [client_id],
  );
  const many = await blocks();
  await connection.query("delete from clients where not vouched and origin = 'document'");
  connection.release(true);
  assert.ok(many <= few + 5, `${few} blocks, and ${many} with many strangers`);
});
