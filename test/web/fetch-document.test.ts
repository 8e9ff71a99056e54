// ci: waits for slow sites
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { FetchError, fetchDocument as fetchFor } from '../../src/web/fetch-document.ts';
import { startNameServer } from '../support/name-server.ts';
import { enterNetwork, publicAddress, publicAddress6 } from '../support/network.ts';
import { certificate, startWebSite } from '../support/web-site.ts';

const skip = await enterNetwork(import.meta.url);
const { hosts, asked } = skip ? { hosts: new Map(), asked: [] } : await startNameServer();
const site = skip ? undefined : await startWebSite();

const url = 'https://client.example/oauth/client.json';
const json = { 'content-type': 'application/json' };

beforeEach(() => {
  hosts.clear();
  hosts.set('client.example', [publicAddress, publicAddress6]);
  if (!site) return;
  site.answer = (_req, res) => res.writeHead(200, json).end('{"accepted":true}');
  for (const list of [site.requests, site.contacts, asked]) list.length = 0;
});

const issuer = 'https://id.example';
/** As for a client that an operator vouches for, so that one test does not use up what the next one may fetch. */
const fetchDocument = (text: string) => fetchFor(text, { issuer, is_vouched: true, is_known: true });

async function assertRefused(message: RegExp, text = url): Promise<FetchError> {
  const error = await fetchDocument(text).catch((refused: unknown) => refused);
  assert.ok(error instanceof FetchError, `${text}: ${JSON.stringify(error)}`);
  assert.match(error.message, message, text);
  return error;
}

/** Then the rightful site still succeeds. */
async function assertFetched(): Promise<void> {
  assert.equal((await fetchDocument(url)).body, '{"accepted":true}');
}

test('fetches a document with its headers, and says to the site which server asks, and nothing of the person', {
  skip,
}, async () => {
  let received: unknown;
  assert.ok(site);
  site.answer = (req, res) => {
    received = req.headers;
    res.writeHead(200, { ...json, 'cache-control': 'max-age=60', 'set-cookie': 'a=b' }).end('{"accepted":true}');
  };
  await assertFetched();
  const { headers } = await fetchDocument(url);
  assert.equal(headers['cache-control'], 'max-age=60');
  assert.deepEqual(received, {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Latchkey (+https://id.example)',
    host: 'client.example',
    connection: 'close',
  });
  assert.deepEqual(new Set(site.requests), new Set(['GET client.example/oauth/client.json']));
});

test('uses IPv6 where a site has nothing else', { skip }, async () => {
  hosts.set('client.example', [publicAddress6]);
  await assertFetched();
  assert.deepEqual(site?.contacts, [publicAddress6]);
});

const badAnswers: [title: string, records: string[]][] = [
  ['loopback', ['127.0.0.1']],
  ['a private network', ['10.0.0.5']],
  ['the shared network of a provider', ['100.64.0.1']],
  ['link-local', ['169.254.169.254']],
  ['IPv6 loopback', ['::1']],
  ['a private IPv6 network', ['fd00::5']],
  ['an IPv4 address written as IPv6', ['::ffff:a9fe:a9fe']],
  ['an IPv4 address behind NAT64', ['64:ff9b::a9fe:a9fe']],
  ['an IPv4 address behind 6to4', ['2002:a9fe:a9fe::1']],
  ['multicast', ['224.0.0.1']],
  ['documentation', ['192.0.2.1']],
  ['nothing', []],
  ['a public and then a private address', [publicAddress, '127.0.0.1']],
  ['a private and then a public address', ['127.0.0.1', publicAddress]],
  ['a public IPv4 and a private IPv6 address', [publicAddress, '::1']],
  ['an alias of localhost', ['localhost', '127.0.0.1']],
  ['an alias of itself', ['client.example']],
];

for (const [title, records] of badAnswers) {
  test(`connects to nothing where the DNS answers with ${title} [A338]`, { skip }, async () => {
    await assertFetched();
    hosts.set('client.example', records);
    site?.contacts.splice(0);
    await assertRefused(/no address in the public internet/);
    assert.deepEqual(site?.contacts, []);
  });
}

test('of a host with many addresses four of each kind are used, and all of them must be public [A338]', {
  skip,
}, async () => {
  const others = Array.from({ length: 40 }, (_, index) => `11.22.33.${index}`);
  hosts.set('client.example', [...others, publicAddress]);
  await assertRefused(/cannot be reached/);
  assert.deepEqual(site?.contacts, []);
  hosts.set('client.example', [publicAddress, ...others]);
  await assertFetched();
  hosts.set('client.example', [publicAddress, ...others, '127.0.0.1']);
  await assertRefused(/no address in the public internet/);
});

test('connects to the address that it has checked, although the DNS answers differently at once [A338]', {
  skip,
}, async () => {
  let questions = 0;
  hosts.set('client.example', () => {
    questions += 1;
    return questions <= 2 ? [publicAddress] : ['127.0.0.1', '::1'];
  });
  await assertFetched();
  assert.equal(questions, 2, 'one for each kind of address');
  assert.deepEqual(site?.contacts, [publicAddress]);
  await assertRefused(/no address in the public internet/);
  assert.deepEqual(site?.contacts, [publicAddress]);
});

test('a name that only a search domain completes does not exist [A338]', { skip }, async () => {
  hosts.set('client.example.corp.example', [publicAddress]);
  await assertFetched();
  hosts.delete('client.example');
  await assertRefused(/no address in the public internet/);
  assert.deepEqual(asked, ['client.example', 'client.example']);
});

const answers: [title: string, message: RegExp, answer: NonNullable<typeof site>['answer']][] = [
  ...[301, 302, 303, 307, 308].flatMap((status): typeof answers => [
    [
      `a redirect with status ${status} to a private address`,
      /redirects are not followed/,
      (_req, res) => res.writeHead(status, { location: 'http://169.254.169.254/' }).end(),
    ],
    [
      `a redirect with status ${status} within the site`,
      /redirects are not followed/,
      (req, res) => {
        if (req.url === '/oauth/client.json') res.writeHead(status, { ...json, location: '/other.json' }).end('{}');
        else res.writeHead(200, json).end('{}');
      },
    ],
  ]),
  ...[201, 203, 206, 401, 403, 500].map((status): (typeof answers)[number] => [
    `status ${status}`,
    new RegExp(`status ${status}`),
    (_req, res) => res.writeHead(status, { ...json, 'www-authenticate': 'Negotiate' }).end('{}'),
  ]),
];

for (const [title, message, answer] of answers) {
  test(`refuses ${title}, and asks nobody else [A340]`, { skip }, async () => {
    await assertFetched();
    assert.ok(site);
    const { answer: accepted } = site;
    site.answer = answer;
    await assertRefused(message);
    assert.equal(site.requests.length, 2);
    site.answer = accepted;
    await assertFetched();
    assert.deepEqual(site.privateContacts(), []);
  });
}

test('ignores what is no redirect: a refresh, another location of the content, early hints [A340]', {
  skip,
}, async () => {
  assert.ok(site);
  const elsewhere = 'http://169.254.169.254/';
  site.answer = (_req, res) => {
    for (let hint = 0; hint < 100; hint += 1) res.writeEarlyHints({ link: `<${elsewhere}>; rel=preload` });
    res.writeHead(200, { ...json, refresh: `0; url=${elsewhere}`, 'content-location': elsewhere });
    res.end('{"accepted":true}');
  };
  await assertFetched();
  assert.deepEqual(site.privateContacts(), []);
});

const contents: [title: string, message: RegExp, headers: Record<string, string>, body: string | Buffer][] = [
  ['a page', /content type/, { 'content-type': 'text/html' }, '{}'],
  ['no content type', /content type/, {}, '{}'],
  ['a compressed document', /compressed/, { ...json, 'content-encoding': 'gzip' }, gzipSync('{}')],
  [
    'a document compressed twice',
    /compressed/,
    { ...json, 'content-encoding': 'gzip, gzip' },
    gzipSync(gzipSync('{}')),
  ],
  ['one byte more than 5 KB', /larger than 5 KB/, json, `"${'x'.repeat(5 * 1024 - 1)}"`],
  ['a document that is not UTF-8', /not UTF-8/, json, Buffer.from('{"client_name":"\xff"}', 'latin1')],
];

for (const [title, message, headers, body] of contents) {
  test(`refuses ${title} [A341]`, { skip }, async () => {
    await assertFetched();
    assert.ok(site);
    site.answer = (_req, res) => res.writeHead(200, headers).end(body);
    await assertRefused(message);
  });
}

test('accepts exactly 5 KB, and other types of JSON', { skip }, async () => {
  assert.ok(site);
  site.answer = (_req, res) =>
    res
      .writeHead(200, { 'content-type': 'application/jwk-set+json; charset=utf-8' })
      .end(`"${'x'.repeat(5 * 1024 - 2)}"`);
  assert.equal((await fetchDocument(url)).body.length, 5 * 1024);
});

/** A site on a port of its own that writes what it likes. */
async function startRawSite(onSocket: (socket: Socket) => void, tls?: TlsOptions | false): Promise<string> {
  const server = tls === false ? createServer(onSocket) : createTlsServer({ ...certificate('site'), ...tls }, onSocket);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  await once(server.listen(0, '::'), 'listening');
  after(() => [server.close(), ...[...sockets].map((socket) => socket.destroy())]);
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return `https://client.example:${address.port}/client.json`;
}

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
/** Writes a piece again and again until the connection is closed. */
const endlessly = (piece: string, pause: number) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(piece), pause);
  socket.on('close', () => clearInterval(timer));
};

const slowSites: [title: string, onSocket: (socket: Socket) => void, tls?: false][] = [
  ['one header byte at a time', (socket) => [socket.write(`${head}X-Slow: `), endlessly('x', 100)(socket)]],
  [
    'one body byte at a time',
    (socket) => [socket.write(`${head}Content-Length: 4000\r\n\r\n`), endlessly('x', 100)(socket)],
  ],
  ['interim responses without end', endlessly('HTTP/1.1 102 Processing\r\n\r\n', 20)],
  ['a TLS handshake that never ends', () => {}, false],
  ['an answer that never begins', () => {}],
  ['a change of protocol', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n')],
];

test('ends after five seconds in total, whatever a site is slow with, and closes the connection [A341]', {
  skip,
}, async () => {
  await Promise.all(
    slowSites.map(async ([title, onSocket, tls]) => {
      let close: (value: true) => void = () => {};
      const closed = new Promise<true>((resolve) => (close = resolve));
      const slow = await startRawSite((socket) => {
        socket.on('close', () => close(true)).resume();
        onSocket(socket);
      }, tls);
      const started = performance.now();
      const { message } = await assertRefused(/five seconds|status 101/, slow);
      const took = performance.now() - started;
      // these sites would go on for ever; a busy machine is late
      assert.ok(took < 30_000, `${title} took ${took} ms: ${message}`);
      await closed;
    }),
  );
});

test('ends at 5 KB of an endless body, and at 16 KB of headers [A341]', { skip }, async () => {
  const before = process.memoryUsage().rss;
  const megabyte = 'x'.repeat(2 ** 20);
  const endless = await startRawSite((socket) => {
    // more of it when that is gone, so that only its reader needs memory
    const more = () => void socket.write(`100000\r\n${megabyte}\r\n`);
    socket.on('drain', more).write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    more();
  });
  await assertRefused(/larger than 5 KB/, endless);
  const headers = await startRawSite((socket) => socket.write(head + 'X-More: more\r\n'.repeat(20_000)));
  await assertRefused(/cannot be reached/, headers);
  assert.ok(process.memoryUsage().rss - before < 40 * 2 ** 20);
});

test('reads no more than the length that was announced [A341]', { skip }, async () => {
  const longer = await startRawSite((socket) => socket.write(`${head}Content-Length: 2\r\n\r\n{}{"more":true}`));
  assert.equal((await fetchDocument(longer)).body, '{}');
});

const untrusted: [title: string, tls: () => TlsOptions, host?: string][] = [
  ['a certificate of an unknown authority', () => certificate('stranger')],
  ['the certificate of another host', () => ({}), 'unnamed.example'],
  ['TLS 1.1', () => ({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' })],
];

for (const [title, tls, host = 'client.example'] of untrusted) {
  test(`refuses ${title}, even if NODE_TLS_REJECT_UNAUTHORIZED is 0 [A341]`, { skip }, async (t) => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    t.after(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
    hosts.set(host, [publicAddress]);
    const raw = await startRawSite((socket) => socket.write(`${head}Content-Length: 2\r\n\r\n{}`), tls());
    await assertRefused(/valid certificate/, raw.replace('client.example', host));
  });
}

/** What became of fetches: how many were fetched, failed, or were not tried. */
async function outcomes(fetches: Promise<unknown>[]): Promise<{ fetched: number; failed: number; refused: number }> {
  const all = await Promise.allSettled(fetches);
  const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  for (const reason of reasons) assert.match(reason.code ?? reason.message, /temporarily_unavailable|five seconds/);
  const failed = reasons.filter((reason) => reason instanceof FetchError).length;
  return { fetched: all.length - reasons.length, failed, refused: reasons.length - failed };
}

const strangers = { issuer, is_vouched: false, is_known: true };

test('a slow site has three fetches at once, and its others wait behind those of other sites [A341]', {
  skip,
}, async () => {
  let contacts = 0;
  hosts.set('client.example', [publicAddress]);
  const silent = await startRawSite(() => (contacts += 1), false);
  const slow = outcomes(Array.from({ length: 300 }, () => fetchFor(silent, strangers)));
  hosts.set('other.example', [publicAddress6]);
  const others = Array.from({ length: 20 }, () => fetchFor('https://other.example/', strangers));
  const crowd = await outcomes(others);
  assert.deepEqual(crowd, { fetched: 20, failed: 0, refused: 0 });
  // the first three, and as they end some that waited
  const { fetched, failed, refused } = await slow;
  assert.deepEqual([fetched, failed >= 3 && failed <= 6, failed + refused], [0, true, 300]);
  assert.equal(contacts, failed);
});

test('many slow sites of one network have three fetches at once together [A341]', { skip }, async () => {
  const silent = new URL(await startRawSite(() => {}, false));
  const slow = Array.from({ length: 60 }, (_, index) => {
    hosts.set(`slow-${index}.example`, [publicAddress]);
    return fetchFor(silent.href.replace('client.example', `slow-${index}.example`), strangers);
  });
  hosts.set('other.example', [publicAddress6]);
  const started = performance.now();
  assert.equal((await fetchFor('https://other.example/', strangers)).body, '{"accepted":true}');
  const { failed, refused } = await outcomes(slow);
  assert.ok(performance.now() - started >= 4000, 'the slow ones were still there');
  assert.deepEqual([failed >= 3 && failed <= 6, failed + refused], [true, 60]);
});

test('sites of clients that nobody vouches for take no place of the others, however slow they are [A341]', {
  skip,
}, async () => {
  const silent = await startRawSite(() => {});
  const slow = outcomes(Array.from({ length: 200 }, () => fetchFor(silent, strangers)));
  await assertFetched();
  assert.equal((await slow).fetched, 0);
});

test('a site that has never answered well is asked thirty times in a minute, whoever asks, and so is an address behind many names', {
  skip,
}, async () => {
  const unknown = { issuer, is_vouched: false, is_known: false };
  hosts.set('new.client.example', [publicAddress]);
  const ask = (url: string) => fetchFor(url, unknown);
  const oneSite = await outcomes(Array.from({ length: 120 }, (_, n) => ask(`https://new.client.example/${n}.json`)));
  assert.deepEqual([oneSite.fetched <= 31, oneSite.fetched + oneSite.refused], [true, 120]);
  assert.equal(site?.requests.length, oneSite.fetched);
  hosts.set('other.example', [publicAddress]);
  await assert.rejects(ask('https://other.example/'), { code: 'temporarily_unavailable', status: 503 });
  hosts.set('other.example', [publicAddress6]);
  assert.equal((await ask('https://other.example/')).body, '{"accepted":true}');
  await assertFetched();
});

for (const records of [['11.22.33.45'], ['2600::45'], ['11.22.33.45', '2600::45']]) {
  test(`a host to which there is no way is refused: ${records}`, { skip }, async () => {
    await assertFetched();
    hosts.set('client.example', records);
    await assertRefused(/cannot be reached/);
  });
}

test('a host that nothing answers for, and one whose port is closed, are refused', { skip }, async () => {
  await assertRefused(/no address in the public internet/, 'https://nowhere.example/client.json');
  await assertRefused(/cannot be reached/, 'https://client.example:1444/client.json');
});
