import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import os, { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConfigError, loadConfig, misspelledVariables } from '../src/config/config.ts';
import { connectionsOf } from '../src/operations/connections.ts';
import { settings } from '../src/postgres/embedded/cluster.ts';
import { commandLineFor } from './support/command-line.ts';
import { writeFile } from './support/scratch.ts';

/** What is said about an environment; '' when nothing. */
function problemsOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
    return '';
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
}

const thisFile = fileURLToPath(import.meta.url);

test('without any variable the server runs as a demo, reachable from this machine only', () => {
  const config = loadConfig({});
  const { demo, host, port, issuer, database_url, data_dir, secure, base, workers } = config;
  assert.deepEqual(
    { demo, host, port, issuer, database_url, data_dir, secure, base, workers },
    {
      demo: true,
      host: '127.0.0.1',
      port: 3000,
      issuer: 'http://localhost:3000',
      database_url: undefined,
      data_dir: './data',
      secure: false,
      base: '',
      workers: 1,
    },
  );
  assert.ok(Object.isFrozen(config));
});

test('the default lifetimes are ten minutes for codes, an hour for access tokens and 30 days for refresh tokens', () => {
  const { authorization_code_ttl, access_token_ttl, refresh_token_ttl, refresh_grace } = loadConfig({});
  assert.deepEqual(
    [authorization_code_ttl, access_token_ttl, refresh_token_ttl, refresh_grace],
    [600, 3600, 2592000, 60],
  );
});

test('DATABASE_URL or production turns the demo off; DEMO=true turns it on again, but is refused in production', () => {
  const DATABASE_URL = 'postgres://localhost/latchkey';
  assert.equal(loadConfig({ DATABASE_URL }).demo, false);
  assert.equal(loadConfig({ NODE_ENV: 'production' }).demo, false);
  assert.equal(loadConfig({ NODE_ENV: 'development' }).demo, true);
  assert.equal(loadConfig({ DATABASE_URL, DEMO: 'true' }).demo, true);
  assert.equal(loadConfig({ DEMO: 'false' }).demo, false);
  assert.match(problemsOf({ DEMO: 'true', NODE_ENV: 'production' }), /^DEMO: must not be true together with/);
  assert.equal(problemsOf({ DEMO: 'false', NODE_ENV: 'production' }), '');
});

test('METRICS_PORT is none of the ports that strangers reach', () => {
  assert.equal(loadConfig({ METRICS_PORT: '9464' }).metrics_port, 9464);
  assert.equal(loadConfig({}).metrics_port, undefined);
  const ports = { TLS_CERT_FILE: thisFile, TLS_KEY_FILE: thisFile, MTLS_PORT: '3001' };
  assert.equal(problemsOf({ ...ports, METRICS_PORT: '3002' }), '');
  for (const METRICS_PORT of ['3000', '3001']) {
    assert.match(problemsOf({ ...ports, METRICS_PORT }), /^METRICS_PORT: must not be PORT or MTLS_PORT/);
  }
});

test('tracing needs the URL of a collector; its headers and the share of traced requests are read strictly', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318/';
  assert.equal(loadConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing, undefined);
  assert.deepEqual(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing, {
    url: 'http://localhost:4318/v1/traces',
    headers: {},
    service: 'latchkey',
    rate: 1,
  });
  for (const value of ['localhost:4318', 'grpc://localhost:4317', 'here']) {
    assert.match(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: value }), /^OTEL_EXPORTER_OTLP_ENDPOINT: must be the URL/);
  }
  const unusable = [
    ['me:hunter2@localhost:4318', 'must have no user name or password: use OTEL_EXPORTER_OTLP_HEADERS'],
    ['hunter2@localhost:4318', 'must have no user name or password: use OTEL_EXPORTER_OTLP_HEADERS'],
    ['localhost:4318?key=hunter2', 'must have no query or fragment'],
    ['localhost:4318/?', 'must have no query or fragment'],
    ['localhost:4318#hunter2', 'must have no query or fragment'],
  ];
  for (const [rest, problem] of unusable) {
    const said = problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${rest}` });
    assert.equal(said, `OTEL_EXPORTER_OTLP_ENDPOINT: ${problem}`, 'and does not repeat the password');
  }
  const secret = 'Bearer%20a-secret';
  const headers = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secret},b=2` };
  assert.deepEqual(loadConfig(headers).tracing?.headers, { authorization: 'Bearer a-secret', b: '2' });
  for (const value of [secret, 'authorization=%zz', 'a=1,,b=2', 'a b=1', 'a=b%0d%0ac']) {
    const said = problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: value });
    assert.match(said, /^OTEL_EXPORTER_OTLP_HEADERS: must be name=value/, value);
    assert.doesNotMatch(said, /secret/);
  }
  for (const value of ['1.1', '-0.1', '50%', '1e-3', '.5']) {
    assert.match(problemsOf({ OTEL_TRACES_SAMPLER_ARG: value }), /^OTEL_TRACES_SAMPLER_ARG: must be a share/);
  }
});

test('certificates of other servers are checked in production [A341]', () => {
  assert.equal(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), '');
  assert.equal(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '1', NODE_ENV: 'production' }), '');
  const problem = 'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 together with NODE_ENV=production';
  assert.equal(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_ENV: 'production' }), problem);
});

test('the demo starts by itself only when issuer and host are this machine', () => {
  const demo = (env: Record<string, string>) => loadConfig(env).demo;
  for (const HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) assert.equal(demo({ HOST }), true, HOST);
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'id.example']) assert.equal(demo({ HOST }), false, HOST);
  for (const ISSUER of ['http://127.0.0.1:8080', 'http://[::1]', 'https://localhost/auth']) {
    assert.equal(demo({ ISSUER }), true, ISSUER);
  }
  assert.equal(demo({ ISSUER: 'https://id.example' }), false);
  assert.equal(demo({ ISSUER: 'https://localhost.example', NODE_ENV: 'development' }), false);
  assert.equal(demo({ HOST: '0.0.0.0', ISSUER: 'https://id.example', DEMO: 'true' }), true);
});

test('an empty variable counts as unset', () => {
  assert.deepEqual(
    loadConfig({ DATABASE_URL: '', SESSION_SECRET: '', DEMO: '', PORT: '', ISSUER: '', WEB_CONCURRENCY: '' }),
    loadConfig({}),
  );
});

const wrong: Record<string, string[]> = {
  DATABASE_URL: ['localhost', 'mysql://localhost/db', 'http://localhost', 'postgres://user:pa ss#word@:x/db'],
  PORT: ['0', '-1', '65536', '1e3', '3000 ', 'http', '080000'],
  DEMO: ['yes', '1', 'TRUE'],
  NODE_ENV: ['prod', 'Production', 'staging'],
  SESSION_SECRET: ['short', `${'x'.repeat(32)},short`, `${'x'.repeat(32)},`],
  AUTHORIZATION_CODE_TTL: ['0', '10m', '3601'],
  ACCESS_TOKEN_TTL: ['0', '-5', '1.5'],
  REFRESH_TOKEN_TTL: ['0', '30d'],
  REFRESH_GRACE: ['-1', '3601'],
  SEED_FILE: ['/no/such/file.sql', '/'],
  TRUST_PROXY: ['yes', '10.0.0.0/33', 'loopback,nonsense', '999.1.1.1', '::1/129'],
  WEB_CONCURRENCY: ['0', '100', 'all', '1.5'],
  DRAIN_DELAY: ['-1', '61', '2s'],
  AUDIT_RETENTION: ['0', '36501', '1 year'],
  AUDIT_RETENTION_ROUTINE: ['0', '36501', '1 month'],
  LOG_LEVEL: ['loud', 'INFO'],
  ACR_VALUES: [
    '1',
    '1,2,3',
    'gold,gold',
    '1,',
    'one "level",2',
    'one\nlevel,2',
    `1,${'x'.repeat(65)}`,
    `1,${'x'.repeat(1024)}`,
    'a\\b,2',
  ],
  TWO_FACTORS_ELSEWHERE: [
    'mfa',
    'website:mfa',
    'provider:amr=mfa',
    'provider:ACME:amr=mfa',
    'website:amr=mfa,',
    'website:amr=m fa',
  ],
};

for (const [name, values] of Object.entries(wrong)) {
  test(`a wrong ${name} is reported by name and without its value`, () => {
    // short values are parts of words
    for (const value of [...values, 'hunter2-hunter2']) {
      const said = problemsOf({ [name]: value });
      assert.match(said, new RegExp(`^${name}: must [^\\n]+$`), value);
      if (value.length > 6) assert.ok(!said.includes(value), said);
    }
  });
}

const bounds: [name: string, least: number, most: number][] = [
  ['PORT', 1, 65_535],
  ['AUTHORIZATION_CODE_TTL', 1, 3600],
  ['ACCESS_TOKEN_TTL', 1, 31_536_000],
  ['REFRESH_TOKEN_TTL', 1, 315_360_000],
  ['AUDIT_RETENTION', 1, 36_500],
  ['AUDIT_RETENTION_ROUTINE', 1, 36_500],
  ['REFRESH_GRACE', 0, 3600],
];

for (const [name, least, most] of bounds) {
  test(`${name} must be a whole number from ${least} to ${most}`, () => {
    for (const good of [least, most]) assert.equal(problemsOf({ [name]: String(good) }), '');
    for (const bad of [least - 1, most + 1, '9'.repeat(11), '9'.repeat(400), '1e3', '10m', ' 60']) {
      assert.equal(problemsOf({ [name]: String(bad) }), `${name}: must be a whole number from ${least} to ${most}`);
    }
  });
}

test('ISSUER must be an https origin with an optional path; http is allowed on loopback only', () => {
  for (const issuer of ['https://id.example', 'https://id.example/auth', 'http://localhost:8080', 'http://127.0.0.1']) {
    assert.equal(loadConfig({ ISSUER: issuer }).issuer, issuer);
  }
  assert.equal(loadConfig({ ISSUER: 'https://id.example/auth' }).base, '/auth');
  const wrongIssuers = [
    ...['http://id.example', 'id.example', 'ftp://localhost', 'https://id.example/', 'https://ID.example'],
    ...['https://id.example:443', 'https://id.example/a/', 'https://id.example?a', 'https://id.example#a'],
    ...['https://user@id.example', 'http://localhost.example', 'https://id.example/a/../b', ' https://id.example'],
  ];
  for (const issuer of wrongIssuers) assert.match(problemsOf({ ISSUER: issuer }), /^ISSUER: must /, issuer);
});

test('DATABASE_URL may name the directory of a socket', () => {
  for (const url of ['postgres://me@/db?host=/run/postgresql', 'postgresql:///db?host=/tmp', 'postgres://%2Ftmp/db']) {
    assert.equal(loadConfig({ DATABASE_URL: url }).database_url, url);
  }
});

test('TRUST_PROXY accepts what Express accepts', () => {
  const read = (value: string) => loadConfig({ TRUST_PROXY: value }).trust_proxy;
  assert.deepEqual(['true', 'false', '2', 'loopback', '10.0.0.0/8, fd00::/8', '::1'].map(read), [
    true,
    false,
    2,
    'loopback',
    '10.0.0.0/8, fd00::/8',
    '::1',
  ]);
  assert.equal(loadConfig({}).trust_proxy, false);
});

test('WEB_CONCURRENCY is a number of processes, or auto for one per core', () => {
  assert.equal(loadConfig({ WEB_CONCURRENCY: '3' }).workers, 3);
  assert.equal(loadConfig({ WEB_CONCURRENCY: 'auto' }).workers, Math.min(availableParallelism(), 24));
});

test('WEB_CONCURRENCY=auto takes no more connections than the embedded database has, however many cores there are', (t) => {
  for (let cores = 1; cores <= 256; cores += 1) {
    t.mock.method(os, 'availableParallelism', () => cores);
    syncBuiltinESMExports();
    const { workers } = loadConfig({ WEB_CONCURRENCY: 'auto' });
    assert.ok(
      workers === Math.min(cores, 24) && connectionsOf({ workers }) <= Number(settings(true)['max_connections']),
      `${workers}`,
    );
  }
  t.mock.restoreAll();
  syncBuiltinESMExports();
});

test('headers for the collector of traces must not be those of the message or the connection', () => {
  for (const name of ['content-length', 'Transfer-Encoding', 'connection', 'host', 'expect', 'te', 'Content-Type']) {
    const said = problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: `api-key=a, ${name}=5` });
    const problem = `must not have ${name.toLowerCase()}, which this server sets itself`;
    assert.equal(said, `OTEL_EXPORTER_OTLP_HEADERS: ${problem}`);
  }
});

test('SESSION_SECRET is a list whose first entry signs', () => {
  const [first, second] = ['a'.repeat(32), 'b'.repeat(40)];
  assert.deepEqual(loadConfig({ SESSION_SECRET: `${first}, ${second}` }).session_secret, [first, second]);
});

test('with a certificate and a key the default issuer is https', () => {
  const TLS = { TLS_CERT_FILE: thisFile, TLS_KEY_FILE: thisFile };
  assert.equal(loadConfig(TLS).issuer, 'https://localhost:3000');
  for (const name of ['TLS_CERT_FILE', 'TLS_KEY_FILE']) {
    assert.match(problemsOf({ ...TLS, [name]: '' }), /^TLS_CERT_FILE, TLS_KEY_FILE: one is set without the other$/);
    assert.match(problemsOf({ ...TLS, [name]: '/no/such/file' }), new RegExp(`^${name}: must `));
  }
});

test('all problems are reported together, including conflicts between two variables', () => {
  const said = problemsOf({
    PORT: 'x',
    LOG_LEVEL: 'loud',
    DEMO: 'true',
    NODE_ENV: 'production',
    TLS_KEY_FILE: thisFile,
  });
  assert.deepEqual(
    said.split('\n').map((line) => line.split(':')[0]),
    ['PORT', 'LOG_LEVEL', 'DEMO', 'TLS_CERT_FILE, TLS_KEY_FILE'],
  );
});

test('a misspelt variable is noticed, an unrelated one is not', () => {
  const noticed = misspelledVariables({
    SESION_SECRET: '',
    DATABSE_URL: '',
    ISUER: '',
    LOG_LEVEL: '',
    HOME: '',
    PATH: '',
  });
  assert.deepEqual(
    noticed.map((sentence) => sentence.split(' ')[0]),
    ['SESION_SECRET', 'DATABSE_URL', 'ISUER'],
  );
  const usual = ['SSL_CERT_FILE', 'HOSTNAME', 'PWD', 'LOGNAME', 'NODE_PATH', 'NODE_OPTIONS', 'PGDATABASE', 'DISPLAY'];
  assert.deepEqual(misspelledVariables(Object.fromEntries(usual.map((name) => [name, '']))), []);
});

const noScript = spawnSync('script', ['--version']).status === 0 ? false : 'there is no script on this machine';

test('DRAIN_DELAY is two seconds by default, and zero at a terminal', { skip: noScript }, () => {
  const file = new URL('../src/config/config.ts', import.meta.url).href;
  const print = `import('${file}').then(({ loadConfig }) => console.log(\`delay \${loadConfig({}).drain_delay}\`))`;
  const command = [process.execPath, '--import', 'tsx', '-e', print];
  const read = (name: string, args: string[]) =>
    /delay (\d+)/.exec(spawnSync(name, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).stdout)?.[1];
  assert.equal(read(command[0] ?? '', command.slice(1)), '2');
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  assert.equal(read('script', ['-qec', quoted, '/dev/null']), '0');
});

test('a header with certificates is believed from proxies that are named by their addresses, and not by their number [A397]', async () => {
  const CLIENT_CERT_HEADER = 'X-Client-Cert';
  for (const TRUST_PROXY of ['1', '2', '0', 'true', 'false', '0.0.0.0/0', '::/0', 'loopback, ::/0', '10.0.0.0/00']) {
    const problem = /^CLIENT_CERT_HEADER: needs the addresses of the proxies in TRUST_PROXY, such as loopback/;
    assert.match(problemsOf({ TRUST_PROXY, CLIENT_CERT_HEADER }), problem, TRUST_PROXY);
    assert.doesNotThrow(() => loadConfig({ TRUST_PROXY }));
  }
  for (const TRUST_PROXY of ['loopback', '10.0.0.5', '10.0.0.0/10', 'fd00::/8, 127.0.0.1']) {
    assert.doesNotThrow(() => loadConfig({ TRUST_PROXY, CLIENT_CERT_HEADER }), TRUST_PROXY);
  }
  const doctor = await commandLineFor('postgres://localhost/x').latchkey(['doctor'], {
    env: { TRUST_PROXY: '1', CLIENT_CERT_HEADER },
  });
  assert.deepEqual([doctor.code, doctor.out], [1, '']);
  assert.match(doctor.err, /CLIENT_CERT_HEADER: needs the addresses of the proxies/);
});

test('certificates of clients come from a port of their own, or from a proxy that is trusted', () => {
  const tls = { TLS_CERT_FILE: thisFile, TLS_KEY_FILE: thisFile };
  const { mtls_url, takes_certificates } = loadConfig({ ...tls, MTLS_PORT: '8443', ISSUER: 'https://id.example/auth' });
  assert.deepEqual([mtls_url, takes_certificates], ['https://id.example:8443/auth', true]);
  const proxy = { TRUST_PROXY: 'loopback, 10.0.0.0/8', CLIENT_CERT_HEADER: 'Client-Cert' };
  assert.equal(loadConfig(proxy).client_cert_header, 'client-cert');
  assert.equal(loadConfig(proxy).mtls_url, undefined);
  assert.equal(loadConfig({}).takes_certificates, false);
  for (const [env, problem] of [
    [{ MTLS_PORT: '8443' }, /^MTLS_PORT: needs TLS_CERT_FILE$/],
    [{ ...tls, MTLS_PORT: '3000' }, /^MTLS_PORT: must not be PORT/],
    [{ ...tls, MTLS_PORT: '8443', ...proxy }, /^CLIENT_CERT_HEADER, MTLS_PORT: only one/],
    [{ CLIENT_CERT_HEADER: 'Client-Cert' }, /^CLIENT_CERT_HEADER: needs the addresses of the proxies in TRUST_PROXY/],
    [{ ...proxy, CLIENT_CERT_HEADER: 'two words' }, /^CLIENT_CERT_HEADER: must be the name of a header$/],
    [{ MTLS_URL: 'https://mtls.id.example' }, /^MTLS_URL: needs MTLS_PORT or CLIENT_CERT_HEADER$/],
    [{ ...proxy, MTLS_URL: 'http://mtls.id.example' }, /^MTLS_URL: must be https$/],
    [{ ...proxy, CLIENT_CA_FILE: thisFile }, /^CLIENT_CA_FILE: must have certificates/],
    [{ ...proxy, CLIENT_CA_FILE: '/no/such/file' }, /^CLIENT_CA_FILE: must be the path/],
  ] as const) {
    assert.match(problemsOf(env), problem);
  }
});

test('a login page elsewhere needs one way to verify its answers, and no weak one', () => {
  const SIGN_IN_URL = 'https://www.example/sign-in?from=latchkey';
  const SIGN_IN_SECRET = 'c37bd2f6a8915e04b6f3d1c87a29e5f0';
  assert.equal(loadConfig({}).website, undefined);
  assert.deepEqual(loadConfig({ SIGN_IN_URL, SIGN_IN_SECRET }).website, { url: SIGN_IN_URL, secret: SIGN_IN_SECRET });
  const jwks_uri = 'http://127.0.0.1:4000/jwks';
  assert.deepEqual(loadConfig({ SIGN_IN_URL, SIGN_IN_JWKS: jwks_uri }).website, { url: SIGN_IN_URL, jwks_uri });
  const [sound, small] = [
    { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
    { kty: 'OKP', crv: 'Ed25519', x: 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  ];
  const set = (...keys: object[]) => writeFile('website-set.json', JSON.stringify({ keys }));
  assert.deepEqual(loadConfig({ SIGN_IN_URL, SIGN_IN_JWKS: set(sound) }).website, { url: SIGN_IN_URL, keys: [sound] });
  const inFile = { SIGN_IN_SECRET_FILE: writeFile('website-secret', `${SIGN_IN_SECRET}\n`) };
  assert.deepEqual(loadConfig({ SIGN_IN_URL, ...inFile }).website, { url: SIGN_IN_URL, secret: SIGN_IN_SECRET });

  for (const beside of ['https://id.example/sign-in', 'https://id.example/authors', 'https://id.example:8443/auth']) {
    const env = { SIGN_IN_URL: beside, SIGN_IN_SECRET, ISSUER: 'https://id.example/auth' };
    assert.equal(loadConfig(env).website?.url, beside);
  }

  const refused: [Record<string, string>, RegExp][] = [
    [{ SIGN_IN_URL }, /^SIGN_IN_URL: needs SIGN_IN_SECRET or SIGN_IN_JWKS$/],
    [{ SIGN_IN_SECRET }, /^SIGN_IN_SECRET: needs SIGN_IN_URL$/],
    [{ SIGN_IN_JWKS: jwks_uri }, /^SIGN_IN_JWKS: needs SIGN_IN_URL$/],
    [{ SIGN_IN_URL, SIGN_IN_SECRET, SIGN_IN_JWKS: jwks_uri }, /^SIGN_IN_SECRET, SIGN_IN_JWKS: only one/],
    [{ SIGN_IN_URL, ...inFile, SIGN_IN_JWKS: jwks_uri }, /^SIGN_IN_SECRET, SIGN_IN_JWKS: only one/],
    [{ SIGN_IN_URL, SIGN_IN_SECRET: SIGN_IN_SECRET.slice(1) }, /^SIGN_IN_SECRET: must have at least 32 bytes$/],
    [{ SIGN_IN_URL, SIGN_IN_SECRET: 'changeme-changeme-changeme-abcdef' }, /^SIGN_IN_SECRET: looks made up/],
    [{ SIGN_IN_URL: 'http://www.example/', SIGN_IN_SECRET }, /^SIGN_IN_URL: must be https$/],
    [{ SIGN_IN_URL: 'www.example', SIGN_IN_SECRET }, /^SIGN_IN_URL: must be a URL/],
    [{ SIGN_IN_URL: 'javascript:alert(1)', SIGN_IN_SECRET }, /^SIGN_IN_URL: must be https$/],
    [{ SIGN_IN_URL: 'https://www.example/#x', SIGN_IN_SECRET }, /^SIGN_IN_URL: must have no fragment/],
    [{ SIGN_IN_URL, SIGN_IN_JWKS: 'http://www.example/jwks' }, /^SIGN_IN_JWKS: must be https$/],
    [{ SIGN_IN_URL, SIGN_IN_JWKS: '/nowhere/jwks.json' }, /^SIGN_IN_JWKS: must be the path of a file/],
    [{ SIGN_IN_URL, SIGN_IN_JWKS: set(small) }, /^SIGN_IN_JWKS: must have a set of one to ten public keys/],
    [{ SIGN_IN_URL, SIGN_IN_JWKS: set({ ...sound, d: 'private' }) }, /^SIGN_IN_JWKS: must have a set/],
    [{ PASSWORDS: 'no' }, /^PASSWORDS: must be on or off$/],
    ...[
      { SIGN_IN_URL: 'http://localhost:3000/login' },
      { SIGN_IN_URL: 'http://127.0.0.1:3000' },
      { SIGN_IN_URL: 'https://id.example/login', ISSUER: 'https://id.example' },
      { SIGN_IN_URL: 'https://ID.example:443/auth?from=x', ISSUER: 'https://id.example/auth' },
    ].map((env): [Record<string, string>, RegExp] => [
      { ...env, SIGN_IN_SECRET },
      /^SIGN_IN_URL: must be an address of your website, and none of this server \(ISSUER\)$/,
    ]),
    [
      { SIGN_IN_URL, SIGN_IN_JWKS: 'https://id.example/jwks', ISSUER: 'https://id.example' },
      /^SIGN_IN_JWKS: must be an address of your website/,
    ],
  ];
  for (const [env, sentence] of refused) assert.match(problemsOf(env), sentence);
  assert.ok(!problemsOf({ SIGN_IN_SECRET: 'short and secret' }).includes('short'));
  assert.equal(loadConfig({ PASSWORDS: 'off' }).passwords, false);
});

test('the addresses that pages and mails show are what they look like [A542]', () => {
  for (const name of ['IMPRINT_URL', 'PRIVACY_URL', 'SUPPORT_URL', 'BRAND_LOGO_URI']) {
    assert.equal(problemsOf({ [name]: 'https://a.example/path?q=%22%E4' }), '');
    for (const value of [
      'https://a\n.example',
      'https://a.example/"><script>',
      'https://a.example/\u202e',
      'https://a b',
    ]) {
      assert.match(problemsOf({ [name]: value }), new RegExp(`^${name}: must be [^\\n]*$`), value);
    }
    for (const value of ['javascript:alert(1)', 'data:text/html,x', 'https://user:password@a.example/']) {
      assert.match(problemsOf({ [name]: value }), new RegExp(`^${name}: must (be|have) (?!.*password)`), value);
    }
  }
});
