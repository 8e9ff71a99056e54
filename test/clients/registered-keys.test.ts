import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { publicHttpsUrl } from '../../src/lib/public-address.ts';
import { badKeys } from '../support/bad-keys.ts';
import { createClientKey } from '../support/client-assertion.ts';
import { commandLineFor, registration } from '../support/command-line.ts';
import { signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { metadata, register, sendJson } from '../support/self-registration.ts';

// Keys, or an address of keys, with which a client could never authenticate are refused wherever they can be registered.

const { origin, database, url } = await startLatchkey({ REGISTRATION: 'open', REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database);
const alice = await signedInBrowser(origin);
const { latchkey, directory } = commandLineFor(url);

type Keys = { jwks?: object; jwks_uri?: string };

const fetched = [
  'https://keys.example/jwks',
  'https://keys.example/',
  'https://a.b-c.keys.example:8443/~jwks/%41_set.json?v=1&x=/%20',
  'https://xn--pple-43d.example/jwks',
  `https://${'a'.repeat(63)}.example/...`,
];

const host = 'https://keys.example';
const notFetched = [
  ...['https://keys.example', 'https://keys.example?jwks', 'https://keys.example:8443', 'http://keys.example/jwks'],
  ...['https://KEYS.example/jwks', 'HTTPS://keys.example/jwks', 'https://keys.example:443/jwks'],
  ...[22, 1023, 0, '08443', 65536, 99999].map((port) => `https://keys.example:${port}/jwks`),
  ...['127.0.0.1', '192.0.2.1', '0x7f.1', '2130706433', '[::1]', '[2600::44]', 'localhost', 'keys'].map(
    (name) => `https://${name}/jwks`,
  ),
  ...['keys.internal', 'keys.local', 'keys.localhost', 'keys.example.', 'keys..example', '-keys.example'].map(
    (name) => `https://${name}/jwks`,
  ),
  ...['key_s.example', 'a:b@keys.example', 'schlüssel.example', `${'a'.repeat(64)}.example`].map(
    (name) => `https://${name}/jwks`,
  ),
  `https://${'a.'.repeat(125)}example/jwks`,
  ...['/a/../jwks', '/a/./jwks', '/..', '/.', '/%2e%2E/jwks', '/a/.%2e?x', '/schlüssel', '/a b', '/a\\b', '/a"b'],
  ...['/a<b', '/a^b', '/a`b', '/a{b', '/a|b', '/a#b', '/a%', '/a%4', '/a%zz', "/a?b='", '/a?b=ü', '/a\nb', '/a\tb'],
].map((text) => (text.startsWith('/') ? host + text : text));

const rsa = badKeys['RSA with the alg ES256']?.jwk ?? assert.fail('no RSA key');
const set = (...keys: object[]) => ({ keys });
const good = createClientKey('good').jwk;
const useless: Record<string, object> = {
  'no keys': set(),
  'two keys without names': set(good, { ...good, kid: undefined }, { ...createClientKey('x').jwk, kid: undefined }),
  ...Object.fromEntries(Object.entries(badKeys).map(([what, { jwk }]) => [what, set(jwk)])),
};

/** Only the assertions of clients that come by themselves are verified by RS256, unless an operator says so. */
const forRs256: Record<string, object> = {
  'a key that is for RS256 only': set({ ...rsa, alg: 'RS256' }),
  'two keys that are for RS256 only': set({ ...rsa, alg: 'RS256', kid: '1' }, { ...rsa, alg: 'RS256', kid: '2' }),
};
const byThemselves = ['/register', 'a change at /register', 'a metadata document'];

const method = 'private_key_jwt';
const site = { site_domain: printer.site_domain, redirect_uris: [printer.redirect_uri] };

/** Each door at which a client can be given its keys: what it says if it refuses, undefined if it accepts. */
const doors: Record<string, (keys: Keys) => Promise<string | undefined>> = {
  'a seed': async ({ jwks = null, jwks_uri = null }) =>
    database
      .query(
        `select register_client(client_id => 'seeded', name => 'S', site_domain => $1, redirect_uris => $2, scopes => '{user}',
           token_endpoint_auth_method => $3, jwks => $4, jwks_uri => $5)`,
        [site.site_domain, site.redirect_uris, method, jwks && JSON.stringify(jwks), jwks_uri],
      )
      .then(() => undefined, messageOf),
  'the command client create': (keys) => command(registration(`app-${randomUUID()}`, ...optionsOf(keys))),
  'the command client update': async (keys) => {
    const before = keys.jwks ? { jwks: set(good) } : { jwks_uri: 'https://first.example/' };
    assert.equal(await doors['a seed']?.(before), undefined);
    return command(['client', 'update', 'seeded', ...optionsOf(keys)]);
  },
  'the console': async ({ jwks, jwks_uri = '' }) => {
    const path = `/developer/applications/${printer.client_id}/security`;
    const fields = { token_endpoint_auth_method: method, jwks: jwks ? JSON.stringify(jwks) : '', jwks_uri };
    const { status, text } = await alice.submit(await alice.visit(path), 'class="primary"', fields);
    return status === 200 ? undefined : text;
  },
  '/register': async (keys) => said(await register(origin, { token_endpoint_auth_method: method, ...keys })),
  'a change at /register': async (keys) => {
    const stated = { token_endpoint_auth_method: method };
    const { body } = await register(origin, { ...stated, jwks: set(good) });
    const { client_id, registration_client_uri, registration_access_token } = body;
    const change = { ...metadata, ...stated, ...keys, client_id };
    return said(await sendJson(registration_client_uri, 'PUT', change, registration_access_token));
  },
  'a metadata document': async (keys) => {
    const document = {
      ...{ client_id: 'https://client.example/app.json', name: 'D', site_domain: 'client.example' },
      ...{ redirect_uris: ['https://client.example/cb'], scopes: ['user:name'], grant_types: ['authorization_code'] },
      ...{ token_endpoint_auth_method: method, ...keys },
    };
    const kept = database.query('select keep_client_document($1, 60)', [JSON.stringify(document)]);
    return kept.then(() => undefined, messageOf);
  },
};

const messageOf = ({ message }: Error) => message;
const said = ({ status, body }: { status: number; body: object }) => (status < 400 ? undefined : JSON.stringify(body));

async function command(words: string[]): Promise<string | undefined> {
  const { code, err } = await latchkey(words);
  return code === 0 ? undefined : err;
}

function optionsOf({ jwks, jwks_uri }: Keys): string[] {
  const file = join(directory, 'jwks.json');
  writeFileSync(file, JSON.stringify(jwks ?? null));
  const keys = jwks ? ['--jwks', file] : ['--jwks-uri', String(jwks_uri)];
  return ['--token-endpoint-auth-method', method, ...keys];
}

beforeEach(async () => {
  await database.query('delete from attempts; delete from clients');
  await registerPrinter(database);
  await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
});

test('the database knows of each address whether keys are fetched from there, as the program that fetches them does', async () => {
  const all = [...fetched, ...notFetched];
  const { rows } = await database.query(
    'select address, is_public_https_url(address) as is_fetched from unnest($1::text[]) address',
    [all],
  );
  assert.deepEqual(
    rows.map(({ address, is_fetched }) => [address, is_fetched]),
    all.map((address) => [address, publicHttpsUrl(address) !== undefined]),
  );
  assert.deepEqual(
    all.filter((address) => publicHttpsUrl(address)),
    fetched,
  );
});

for (const [door, enter] of Object.entries(doors)) {
  test(`keys at an address from which none are fetched are refused at ${door}, and others are accepted`, async () => {
    for (const jwks_uri of notFetched) {
      await database.query('delete from attempts');
      assert.match((await enter({ jwks_uri })) ?? 'accepted', /jwks_uri/, JSON.stringify(jwks_uri));
    }
    for (const jwks_uri of fetched) assert.equal(await enter({ jwks_uri }), undefined, jwks_uri);
  });

  test(`keys with which nobody could authenticate are refused at ${door}, and a set with one of use is accepted`, async () => {
    for (const [what, jwks] of Object.entries(useless)) {
      await database.query('delete from attempts');
      assert.match((await enter({ jwks })) ?? 'accepted', /jwks/, what);
    }
    for (const [what, jwks] of Object.entries(forRs256)) {
      await database.query('delete from attempts');
      const expected = byThemselves.includes(door) ? /^accepted$/ : /jwks/;
      assert.match((await enter({ jwks })) ?? 'accepted', expected, what);
    }
    assert.equal(await enter({ jwks: set({ ...rsa, alg: 'RS256', kid: 'r' }, good) }), undefined);
  });
}
