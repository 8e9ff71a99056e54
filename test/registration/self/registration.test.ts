import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseError } from 'pg';
import { ConfigError, loadConfig, misspelledVariables } from '../../../src/config/config.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { database } = await startLatchkey();
await registerPeople(database);

const unsafe: [redirect_uri: string, site_domain?: string, client_secret?: null][] = [
  ['*'],
  ['https://*.printer.example/callback'],
  ['https://printer.example/*'],
  ['http://printer.example/callback'],
  ['https://printer.example/callback#x'],
  ['https://printer.example/callback#'],
  ['javascript:alert(1)'],
  ['javascript://printer.example/%0aalert(1)'],
  ['data:text/html,x'],
  ['https://user@printer.example/callback'],
  ['https://user:pass@printer.example/callback'],
  ['https://printer.example@evil.example/callback'],
  ['https://printer.example\\@evil.example/'],
  ['https://evil.example/callback'],
  ['https://evilprinter.example/callback'],
  ['https://printer.example.evil.example/callback'],
  ['https://PRINTER.example/callback'],
  ['https://printer.example:99999/callback'],
  ['https://printer.example:0/callback'],
  ['https://printer.example/../callback'],
  ['https://printer.example/callback?code=x'],
  ['https://printer.example/callback?x=1&state=y'],
  ['https://printer.example/callback?iss=x'],
  ['https://printer.example/call back'],
  ['https://printer.example/call\nback'],
  ['https://printer。example/callback'],
  [' https://printer.example/callback'],
  ['//printer.example/callback'],
  ['/callback'],
  [''],
  ['com.example.app:/callback'],
  ['app:/callback', 'printer.example', null],
  ['com.evil.app:/callback', 'google.com', null],
  ['com.google:/callback', 'mail.google.com', null],
  ['com.googleplex:/callback', 'google.com', null],
  ['com.google.:/callback', 'google.com', null],
  ['google.com:/callback', 'google.com', null],
  ['com.example.app:/callback', 'localhost', null],
  ['http://evil.example/callback', 'localhost'],
  ['http://127.0.0.1.evil.example/cb', 'localhost'],
  ['http://localhost.evil.example/cb', 'localhost'],
];
for (const [redirect_uri, site_domain = 'printer.example', client_secret] of unsafe) {
  test(`${JSON.stringify(redirect_uri)} cannot be registered for ${site_domain} [A301]`, async () => {
    const changes = client_secret === null ? { client_secret } : {};
    await assert.rejects(
      registerPrinter(database, { redirect_uris: [redirect_uri], site_domain, ...changes }),
      /register_client\('photo-printer'\): redirect URI/,
    );
  });
}

for (const site_domain of ['co.uk', 'github.io', 'vercel.app', 'xn--55qx5d.cn']) {
  test(`a public suffix cannot be a site, and a name below it can: ${site_domain} [A320]`, async () => {
    const below = `printer.${site_domain}`;
    const redirect_uris = [`https://${below}/callback`];
    const changes = { client_id: 'suffix', redirect_uris };
    await assert.rejects(registerPrinter(database, { ...changes, site_domain }), (error: Error) =>
      error.message.startsWith(`site_domain '${site_domain}' is a public suffix`),
    );
    await registerPrinter(database, { ...changes, site_domain: below });
  });
}

for (const [what, changes, sentence] of [
  ['a name of four kilobytes', { name: 'x'.repeat(4096) }, /longer than 200/],
  ['a name of two lines', { name: 'Photo\nPrinter' }, /control character/],
  ['a blank name', { name: ' ' }, /name is missing/],
  ['the client_id ".."', { client_id: '..' }, /client_id '\.\.' would lead to another page/],
  ['the client_id "."', { client_id: '.' }, /client_id '\.' would lead to another page/],
  ['a client_id that is the path of another page', { client_id: 'new' }, /client_id 'new' would lead to another page/],
  [
    'a logo of another site',
    { logo_uri: 'https://evil.example/x.png' },
    /logo_uri '[^']*' lies outside the site domain/,
  ],
  ['a logo URI with a username', { logo_uri: 'https://printer.example@evil.example/x.png' }, /not an https URI/],
  ['a logo of a look-alike site', { logo_uri: 'https://evilprinter.example/x.png' }, /lies outside/],
  ['a homepage of another site', { homepage_uri: 'https://evil.example/' }, /homepage_uri '[^']*' lies outside/],
  ['a homepage with a username', { homepage_uri: 'https://printer.example@evil.example/' }, /not an https URI/],
  ['a privacy policy of another site', { policy_uri: 'https://evil.example/' }, /policy_uri '[^']*' lies outside/],
  ['terms with a javascript: URI', { tos_uri: 'javascript:alert(1)' }, /tos_uri '[^']*' is not an https URI/],
  ['a client_id with a space', { client_id: 'a b' }, /printable ASCII/],
  ['a client_id with NUL', { client_id: 'a\0b' }, /unsupported Unicode escape/],
  ['a logo with a javascript: URI', { logo_uri: 'javascript:alert(1)' }, /not an https URI/],
  ['a logo without https', { logo_uri: 'http://tracker.example/x.png' }, /not an https URI/],
  ['a homepage with a javascript: URI', { homepage_uri: 'javascript:alert(1)' }, /not an https URI/],
  ['a top-level domain as site', { site_domain: 'example' }, /site_domain/],
  ['a site with a slash', { site_domain: 'printer.example/x' }, /site_domain/],
  ['an unknown scope', { scopes: ['admin'] }, /no scope 'admin'/],
  ['a required scope that is not asked for', { scopes: ['repo:read'], required_scopes: ['user:name'] }, /not within/],
] as const) {
  test(`a client with ${what} cannot be registered [A164] [A166] [A301]`, async () => {
    await assert.rejects(registerPrinter(database, changes as Parameters<typeof registerPrinter>[1]), sentence);
  });
}

test('an error about a registration says all problems in words, and in its fields as data, but no secret', async () => {
  const secret = 'a-secret-that-is-too-short';
  const changes = { client_secret: secret, name: '', redirect_uris: ['https://printer.example/#x'], scopes: ['admin'] };
  await assert.rejects(registerPrinter(database, changes), (error: DatabaseError) => {
    assert.equal(
      error.message,
      `register_client('photo-printer'): client_secret has ${secret.length} characters, it needs at least 32: let a machine make it; name is missing; redirect URI 'https://printer.example/#x' has a fragment; there is no scope 'admin' (the table "scopes" lists all of them)`,
    );
    assert.deepEqual([error.code, error.column, error.constraint], ['23514', 'client_secret', 'too_short']);
    const problems: { field: string; rule: string; value: string | null }[] = JSON.parse(error.detail ?? '');
    assert.deepEqual(
      problems.map(({ field, rule, value }) => [field, rule, value]),
      [
        ['client_secret', 'too_short', null],
        ['name', 'missing', ''],
        ['redirect_uris', 'has_fragment', 'https://printer.example/#x'],
        ['scopes', 'unknown', 'admin'],
      ],
    );
    assert.ok(!JSON.stringify({ ...error, message: error.message }).includes(secret));
    return true;
  });
});

test('an error about a person says all problems, and no password', async () => {
  const wrong = database.query(`select register_user(username => '', password => 'seven77', email => 'nowhere')`);
  await assert.rejects(wrong, (error: DatabaseError) => {
    assert.equal(
      error.message,
      `register_user(''): username is missing; the password has fewer than 8 characters; email 'nowhere' is not an e-mail address`,
    );
    assert.ok(!error.detail?.includes('seven77'));
    return true;
  });
});

for (const [redirect_uri, site_domain] of [
  ['com.example:/callback', 'example.com'],
  ['com.example.app:/callback', 'example.com'],
  ['com.example.app:/callback', 'app.example.com'],
  ['example.printer-2.app://callback', 'printer-2.example'],
] as const) {
  test(`a public client of ${site_domain} can register ${redirect_uri}`, async () => {
    const app = { client_id: 'app', client_secret: null, redirect_uris: [redirect_uri], site_domain };
    await registerPrinter(database, app);
  });
}

test('the homepage and the logo of a client must lie within its site', async () => {
  const uris = {
    homepage_uri: 'https://www.printer.example:8443/?a#b',
    logo_uri: 'https://static.printer.example/logo.png',
  };
  await registerPrinter(database, uris);
  const local = { homepage_uri: 'http://127.0.0.1:5173/', redirect_uris: ['http://localhost:5173/callback'] };
  await registerPrinter(database, { client_id: 'local', site_domain: 'localhost', ...local });
});

test('two instances that apply the same seed at once end with the same registration [A304]', async () => {
  await Promise.all(Array.from({ length: 20 }, () => registerPrinter(database)));
  await Promise.all(Array.from({ length: 10 }, () => registerPeople(database, ['carol'])));
  const { rows } = await database.query(
    "select count(*)::integer as one from clients where client_id = 'photo-printer'",
  );
  assert.equal(rows[0].one, 1);
});

for (const [name, values] of [
  ['SESSION_SECRET', ['changeme', 'x'.repeat(31), `${'x'.repeat(40)},short`, ',']],
  ['AUTHORIZATION_CODE_TTL', ['-1', '0', '1e3', '10m', 'NaN', '99999999999999', '3601', ' ']],
  ['ACCESS_TOKEN_TTL', ['-1', '0', '0x10', '1.5', '999999999999']],
  ['REFRESH_TOKEN_TTL', ['-1', '0', 'Infinity']],
  ['REFRESH_GRACE', ['-1', '3601', 'off']],
  ['PORT', ['0', '65536', 'http']],
  [
    'ISSUER',
    ['http://id.example', 'https://id.example/', 'https://id.example?x', 'https://u@id.example', 'ftp://x', 'x'],
  ],
  ['TRUST_PROXY', ['yes', '10.0.0.0/99', '10.0.0']],
  ['NODE_ENV', ['prod', 'Production']],
] as const) {
  test(`the server does not start with an invalid ${name}; the message names it and contains no secret [A305] [A307]`, () => {
    for (const value of values) {
      assert.throws(
        () => loadConfig({ DATABASE_URL: 'postgres://x/y', [name]: value }),
        (error: Error) =>
          error instanceof ConfigError &&
          error.message.startsWith(`${name}: `) &&
          !(value.length > 10 && error.message.includes(value)),
        `${name}=${value}`,
      );
    }
  });
}

test('the demo with its well-known password does not start in production [A305]', () => {
  assert.throws(() => loadConfig({ NODE_ENV: 'production', DEMO: 'true', DATABASE_URL: 'postgres://x/y' }), /DEMO/);
  assert.equal(loadConfig({ NODE_ENV: 'production', DATABASE_URL: 'postgres://x/y' }).demo, false);
});

test('a misspelt variable is reported [A308]', () => {
  assert.deepEqual(misspelledVariables({ SESION_SECRET: 'x', PATH: '/bin' }), [
    'SESION_SECRET is unknown: did you mean SESSION_SECRET?',
  ]);
});

test('an unchanged seed leaves a changed password alone, and a changed seed replaces it', async (t) => {
  const client = await database.connect();
  t.after(() => client.release(true));
  // a hash takes a quarter of a second of a core, which a busy machine has not: without the time limit of a request
  await client.query('set statement_timeout = 0');
  const seed = (secret: string) => client.query('select register_user($1, $2)', ['seeded', secret]);
  const verifies = async (secret: string) =>
    (
      await client.query(
        "select crypt($1, password_bcrypt) = password_bcrypt as ok from users where username = 'seeded'",
        [secret],
      )
    ).rows[0].ok;
  await seed('from the seed');
  await client.query(
    "update users set password_bcrypt = crypt('changed since', gen_salt('bf', 4)) where username = 'seeded'",
  );
  await seed('from the seed');
  assert.equal(await verifies('changed since'), true);
  await seed('another seed');
  assert.equal(await verifies('another seed'), true);
});

test('registrations that would later break a page or a policy are refused', async () => {
  const refused = (changes: object) =>
    assert.rejects(registerPrinter(database, { client_id: 'odd', ...changes }), /register_client/);
  await refused({ redirect_uris: ['https://..printer.example/cb'] });
  await refused({ redirect_uris: ['https://printer.example/%2e%2e/cb'] });
  await refused({ logo_uri: 'https://x;sandbox' });
  await refused({
    homepage_uri: 'javascript:alert(1)',
    site_domain: 'localhost',
    redirect_uris: ['http://localhost/cb'],
  });
});
