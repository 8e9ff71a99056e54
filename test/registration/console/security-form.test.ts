import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { findAnyClient } from '../../../src/clients/clients.sql.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { dumpDatabase, eventsOf } from '../../support/attack.ts';
import { formRequest, type Page } from '../../support/browser.ts';
import { issueAuthority, noOpenssl } from '../../support/certificate.ts';
import { createClientKey, sign, withAssertion } from '../../support/client-assertion.ts';
import { createDpopKey, proofFor } from '../../support/dpop.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { writeFile } from '../../support/scratch.ts';

const skip = noOpenssl;
const env: Record<string, string> = { TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' };
if (!skip) env['CLIENT_CA_FILE'] = writeFile('authorities.pem', issueAuthority('/CN=Test CA').cert);
const { origin, database, logged, url } = await startLatchkey(env);
await registerPeople(database, ['alice', 'bob']);
const alice = await signedInBrowser(origin);
const bob = await signedInBrowser(origin, 'bob');
const { client_id } = printer;
const application = `/developer/applications/${client_id}`;
const path = `${application}/security`;
const key = createClientKey('one');
const jwks = JSON.stringify({ keys: [key.jwk] });
const byKey = { token_endpoint_auth_method: 'private_key_jwt', jwks };

/** Each test begins with the photo printer of alice, which has a secret. */
beforeEach(async () => {
  await database.query('delete from attempts');
  await database.query('delete from clients');
  await registerPrinter(database);
  await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
});

const client = async () => (await findAnyClient(database, client_id)) ?? assert.fail('no client');
type Changes = Parameters<typeof alice.submit>[2];
type Form = Record<string, string>;

async function save(changes: Changes, browser = alice): Promise<Page> {
  return browser.submit(await browser.visit(path), 'class="primary"', changes);
}

async function saved(changes: Changes): Promise<void> {
  const page = await save(changes);
  assert.equal(page.url, `${origin}${path}?notice=application_saved`, page.text);
}

/** The status of a request that only the authenticated client may make. */
const ask = async (form: Record<string, string>, authorization = '') =>
  (await post(`${origin}/introspect`, { token: 'x', ...form }, { authorization })).status;
const askByKey = async () => ask(withAssertion(await sign(key, origin, { client_id })));
const secretIn = ({ text }: Page) => /lk_cs_[\w-]{49}/.exec(text)?.[0];

test('the choice of any algorithm says whether it includes RS256, which is for applications that came by themselves', async () => {
  const any = async () => /Any (?:of these|except)[^<]*/.exec((await alice.visit(path)).text)?.[0].trim();
  assert.equal(await any(), 'Any except RS256 (recommended)');
  await database.query("update clients set origin = 'application'");
  assert.equal(await any(), 'Any of these');
  await database.query("update clients set profile = 'fapi2'");
  assert.equal(await any(), 'Any except RS256 (recommended)');
});

test('the page of an application leads to its security, which shows what is registered', async () => {
  const page = await alice.visit(application);
  assert.match(page.text, new RegExp(`href="${path}"`));
  const { text } = await alice.visit(path);
  for (const chosen of ['profile-standard', 'token_endpoint_auth_method-client_secret_basic', 'token_binding-any']) {
    assert.match(text, new RegExp(`id="${chosen}"[^>]* checked`));
  }
  assert.doesNotMatch(text, /type="checkbox"[^>]* checked/);
});

test('a method says which fields it needs, by which the style sheet shows them', async () => {
  const { text } = await alice.visit(path);
  assert.match(text, /value="private_key_jwt" data-needs="jwks"/);
  assert.match(text, /value="client_secret_basic"(?! data-needs)/);
  const { text: styles } = await alice.visit('/assets/security.css');
  for (const selector of ['[data-needs="jwks"]', '[data-needs^="tls_client_auth_"]'])
    assert.ok(styles.includes(selector), selector);
});

test('each choice has a name that is told apart from what it means', async () => {
  const { text } = await alice.visit(path);
  assert.match(
    text,
    /value="client_secret_basic"[^>]*><span><strong>Client secret<\/strong> <span class="soft">Every library/,
  );
  assert.match(text, /name="require_signed_request_object"[^>]*><span><strong>Only signed requests<\/strong> <span/);
});

test('an application goes over from its secret to a key: from then on only the key counts', async () => {
  assert.deepEqual([await ask({}, basic()), await askByKey()], [200, 401]);
  await saved(byKey);
  assert.deepEqual([await ask({}, basic()), await askByKey()], [401, 200]);
  const { secrets_sha256, name, scopes } = await client();
  assert.deepEqual([secrets_sha256, name, scopes.length], [[], printer.name, 5]);
  const { text } = await alice.visit(path);
  assert.match(text, /id="token_endpoint_auth_method-private_key_jwt"[^>]* checked/);
  assert.match(text, /&#34;kid&#34;: &#34;one&#34;/);
  const [event] = (await eventsOf(database, 'client_changed')).filter((one) => one.client_id === client_id);
  assert.equal(event?.detail, 'security standard private_key_jwt any');
});

test('the profile fapi2 brings its pushed requests and bound tokens, which stay when it is left', async () => {
  await saved({ ...byKey, profile: 'fapi2' });
  const raised = await client();
  assert.deepEqual(
    [raised.profile, raised.token_binding, raised.require_pushed_authorization_requests],
    ['fapi2', 'dpop', true],
  );
  await saved({ profile: 'standard' });
  const left = await client();
  assert.deepEqual(
    [left.profile, left.token_binding, left.require_pushed_authorization_requests],
    [null, 'dpop', true],
  );
  await saved({ token_binding: 'any', require_pushed_authorization_requests: undefined });
  const ordinary = await client();
  assert.deepEqual([ordinary.token_binding, ordinary.require_pushed_authorization_requests], ['any', false]);
});

test('what was issued before follows the new settings, except access tokens, which stay until they end', async () => {
  const { body: before } = await redeem(origin, await obtainCode(bob));
  const code = await obtainCode(bob);
  await saved({ ...byKey, token_binding: 'dpop' });
  const proof = await createDpopKey();
  const byProof = async (headers: Record<string, string>) => ({
    ...headers,
    dpop: await proofFor(proof, `${origin}/token`),
  });
  const assertion = async () => withAssertion(await sign(key, origin, { client_id }));
  assert.equal((await getUser(origin, before['access_token'])).status, 200);
  for (const request of [
    (form: Form, headers: Form) => redeem(origin, code, form, headers),
    (form: Form, headers: Form) => refresh(origin, before['refresh_token'], form, headers),
  ]) {
    assert.equal((await request({}, await byProof({ authorization: basic() }))).status, 401, 'by its secret');
    assert.equal((await request(await assertion(), { authorization: '' })).status, 400, 'without a proof');
    const { status, body } = await request(await assertion(), await byProof({ authorization: '' }));
    assert.deepEqual([status, body['token_type']], [200, 'DPoP']);
  }
});

for (const token_binding of ['dpop', 'certificate', 'mac', 'any'] as const) {
  test(`tokens can be registered for ${token_binding}, and other changes keep it`, async () => {
    await saved({ token_binding, require_signed_request_object: 'true', jwks, request_object_signing_alg: 'ES256' });
    const page = await alice.visit(`${application}/registration`);
    await alice.submit(page, 'class="primary"', { name: 'Renamed', redirect_uris: printer.redirect_uri });
    const kept = await client();
    assert.deepEqual(
      [kept.name, kept.token_binding, kept.require_signed_request_object, kept.request_object_signing_alg],
      ['Renamed', token_binding, true, 'ES256'],
    );
    assert.equal(await ask({}, basic()), 200, 'its secret, too');
  });
}

test('an application that goes over to a secret is shown one, once', async () => {
  await saved(byKey);
  const request = formRequest(await alice.visit(path), 'class="primary"', {
    token_endpoint_auth_method: 'client_secret_basic',
    jwks: '',
  });
  const { location = '' } = await alice.open(...request);
  assert.equal(location, `${application}/secrets/new`);
  const secret = secretIn(await alice.visit(location)) ?? '';
  assert.equal(secretIn(await alice.visit(location)), undefined);
  assert.deepEqual([await ask({}, basic(client_id, secret)), await askByKey()], [200, 401]);
  assert.deepEqual((await client()).secrets_sha256, [digestOf(secret)]);
  assert.ok(logged.every((line) => !line.includes(secret)));
  await saved(byKey);
  const again = await alice.open(...request);
  assert.equal(again.status, 400, 'the form was used');
  assert.deepEqual((await client()).secrets_sha256, []);
  const { location: next = '' } = await alice.open(
    ...formRequest(await alice.visit(path), 'class="primary"', { token_endpoint_auth_method: 'client_secret_basic' }),
  );
  assert.notEqual(secretIn(await alice.visit(next)), secret);
});

test('a form that is sent twice makes one secret, which is shown', async () => {
  await saved(byKey);
  const request = formRequest(await alice.visit(path), 'class="primary"', {
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const answers = [await alice.open(...request), await alice.open(...request)];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [302, 302],
  );
  const { secrets_sha256 } = await client();
  const secret = secretIn(await alice.visit(`${application}/secrets/new`)) ?? '';
  assert.deepEqual(secrets_sha256, [digestOf(secret)]);
});

test('a public application can begin to prove its identity, and none that does can become public', async () => {
  await registerPrinter(database, { client_secret: null });
  assert.match((await alice.visit(path)).text, /value="none" checked/);
  await saved(byKey);
  assert.equal(await askByKey(), 200);
  const page = await alice.visit(path);
  assert.doesNotMatch(page.text, /value="none"/);
  await saved({ token_endpoint_auth_method: 'none' });
  assert.equal((await client()).token_endpoint_auth_method, 'private_key_jwt');
  for (const kind of ['private_key_jwt', null]) {
    if (kind === null) await registerPrinter(database);
    const change = database.query(`select change_client($1, '{"token_endpoint_auth_method": "none"}', true)`, [
      client_id,
    ]);
    await assert.rejects(change, /cannot become public/);
  }
});

test('a seed that runs again brings back what it says', async () => {
  await registerPrinter(database, { client_secret: null, ...byKey, jwks: { keys: [key.jwk] } });
  const page = await save({ token_endpoint_auth_method: 'client_secret_basic' });
  assert.ok(secretIn(page));
  await registerPrinter(database, { client_secret: null, ...byKey, jwks: { keys: [key.jwk] } });
  assert.deepEqual((await client()).secrets_sha256, []);
  await saved({ token_binding: 'dpop' });
  await registerPrinter(database);
  assert.equal(await ask({}, basic()), 200);
});

const rsa = createClientKey('weak', 'PS256').jwk;
const { privateKey } = createClientKey('secret');
const privateJwk = privateKey.export({ format: 'jwk' });
for (const [what, changes, sentence] of [
  ['a key without public keys', { ...byKey, jwks: '' }, /id="jwks-problem">Paste public keys or enter/],
  ['keys in two places', { ...byKey, jwks_uri: 'https://printer.example/jwks' }, /id="jwks-problem">[^<]*not both/],
  ['no JSON', { ...byKey, jwks: '{"keys":' }, /id="jwks-problem">This is not a JWK set/],
  ['a single key', { ...byKey, jwks: JSON.stringify(key.jwk) }, /id="jwks-problem">This is not a JWK set/],
  ['null', { ...byKey, jwks: 'null' }, /id="jwks-problem">This is not a JWK set/],
  ['a NUL', { ...byKey, jwks: '{"keys":[{"kty":"EC","kid":"\\u0000"}]}' }, /id="jwks-problem">This is not a JWK set/],
  ['no key', { ...byKey, jwks: '{"keys":[]}' }, /id="jwks-problem">This is not a JWK set/],
  [
    'a private key',
    { ...byKey, jwks: JSON.stringify({ keys: [privateJwk] }) },
    /id="jwks-problem">This contained a private/,
  ],
  [
    'a key that is too short',
    { ...byKey, jwks: JSON.stringify({ keys: [{ ...rsa, n: String(rsa['n']).slice(0, 171) }] }) },
    /id="jwks-problem">One of the keys is neither/,
  ],
  [
    'a key by which anybody can sign',
    { ...byKey, jwks: JSON.stringify({ keys: [{ ...rsa, e: 'AQ' }] }) },
    /id="jwks-problem">Anyone could forge/,
  ],
  [
    'a key for encryption',
    { ...byKey, jwks: JSON.stringify({ keys: [{ ...rsa, use: 'enc' }] }) },
    /id="jwks-problem">One of the keys is not for signatures/,
  ],
  ['two keys of one name', { ...byKey, jwks: JSON.stringify({ keys: [key.jwk, key.jwk] }) }, /different kid/],
  ['an address without TLS', { ...byKey, jwks: '', jwks_uri: 'http://printer.example/jwks' }, /id="jwks_uri-problem">/],
  ['fapi2 with a secret', { profile: 'fapi2' }, /id="token_endpoint_auth_method-problem">FAPI 2\.0 requires a key/],
  [
    'fapi2 with MAC tokens',
    { ...byKey, profile: 'fapi2', token_binding: 'mac' },
    /id="profile-problem">FAPI 2\.0 does not allow MAC/,
  ],
  ['signed requests without a key', { require_signed_request_object: 'true' }, /Signed requests need public keys/],
] as [string, Changes, RegExp][]) {
  test(`${what} is refused next to its field, and changes nothing`, async () => {
    const before = await client();
    const page = await save(changes);
    assert.equal(page.status, 400, page.text);
    assert.match(page.text, sentence);
    assert.deepEqual(await client(), before);
    await saved(byKey);
  });
}

for (const [what, changes, sentence] of [
  ['an authority without a name', {}, /id="tls_client_auth_subject_dn-problem">[^<]*exactly one of these two/],
  ['a subject that is none', { tls_client_auth_subject_dn: 'app' }, /not a subject/],
  ['a host name that is none', { tls_client_auth_san_dns: '*.example' }, /id="tls_client_auth_san_dns-problem">/],
] as const) {
  test(`${what} is refused next to its field`, { skip }, async () => {
    const method = { token_endpoint_auth_method: 'tls_client_auth' };
    const page = await save({ ...method, ...changes });
    assert.equal(page.status, 400);
    assert.match(page.text, sentence);
    await saved({ ...method, tls_client_auth_subject_dn: '', tls_client_auth_san_dns: 'App.example' });
    assert.equal((await client()).tls_client_auth_san_dns, 'app.example');
  });
}

test('each name in a certificate can take the place of another one, and the form shows it', { skip }, async () => {
  const names = {
    tls_client_auth_subject_dn: 'CN=app',
    tls_client_auth_san_dns: 'app.example',
  };
  const none = Object.fromEntries(Object.keys(names).map((name) => [name, '']));
  for (const [name, value] of Object.entries(names)) {
    await saved({ token_endpoint_auth_method: 'tls_client_auth', ...none, [name]: value });
    const { text } = await alice.visit(path);
    assert.ok(text.includes(`name="${name}" value="${value}"`), name);
  }
  const page = await save({ ...names, token_endpoint_auth_method: 'tls_client_auth' });
  assert.equal(page.status, 400);
  assert.match(page.text, /id="tls_client_auth_subject_dn-problem">[^<]*exactly one/);
});

test('redirection URIs that fapi2 does not permit are named', async () => {
  await database.query(
    `update clients set site_domain = 'localhost', redirect_uris = array['http://localhost/callback']`,
  );
  const page = await save({ ...byKey, profile: 'fapi2' });
  assert.equal(page.status, 400);
  assert.match(page.text, /id="profile-problem">FAPI 2\.0 requires redirection URIs with https/);
  await saved(byKey);
});

test('a rule of the rest of the registration is told, too', async () => {
  const app = 'example.printer.app:/callback';
  await registerPrinter(database, { client_secret: null, redirect_uris: [app] });
  const page = await save(byKey);
  assert.equal(page.status, 400);
  assert.match(page.text, /id="token_endpoint_auth_method-problem">This was not accepted: redirect URI/);
});

test('a private key that was pasted is neither shown again nor kept', async () => {
  const pasted = { ...byKey, jwks: JSON.stringify({ keys: [privateJwk] }) };
  const secret = String(privateJwk.d);
  for (const [changes, status] of [
    [{}, 400],
    [{ csrf: 'of an earlier session' }, 403],
    [{ ticket: '' }, 403],
    [{ made_from: '' }, 409],
    [{ preset: 'fapi2' }, 200],
  ] as const) {
    const page = await save({ ...pasted, ...changes });
    assert.equal(page.status, status, JSON.stringify(changes));
    assert.ok(!page.text.includes(secret), JSON.stringify(changes));
  }
  assert.ok(!logged.join('').includes(secret));
  assert.ok(!(await dumpDatabase(database)).includes(secret));
});

test('what needs a certificate is offered by servers that see certificates, or if it is registered', async () => {
  const plain = await startLatchkey({}, url);
  const browser = await signedInBrowser(plain.origin);
  const page = await browser.visit(path);
  assert.doesNotMatch(page.text, /value="self_signed_tls_client_auth"|value="certificate"/);
  await browser.submit(page, 'class="primary"', { token_binding: 'certificate' });
  assert.equal((await client()).token_binding, 'any');
  await saved({ token_binding: 'certificate' });
  assert.match((await browser.visit(path)).text, /value="certificate" checked/);
});

test('nobody else sees or changes the security of an application, and no other site can', async () => {
  assert.equal((await bob.open(path)).status, 404);
  const form = await alice.visit(path);
  for (const [changes, status] of [
    [{ csrf: 'wrong' }, 403],
    [{ ticket: 'wrong' }, 403],
    [{}, 302],
  ] as const) {
    const request = formRequest(form, 'class="primary"', { ...byKey, ...changes });
    assert.equal((await bob.open(...request)).status, 404);
    assert.equal((await alice.open(...request)).status, status);
  }
});

test('FAPI 2.0 is a preset of the form, which a button fills in: what was typed stays, and nothing is saved', async () => {
  const before = await client();
  const form = await alice.visit(path);
  assert.match(form.text, /<a href="\/developer\/stronger-security">What your servers then have to send<\/a>/);
  // it belongs to the choice that it stands below
  assert.match(
    form.text,
    /id="profile-fapi2"[\s\S]*?<button[^>]* name="preset" value="fapi2"[\s\S]*?Nothing is saved yet\.[\s\S]*?<\/fieldset>/,
  );
  const typed = { jwks, introspection_signed_response_alg: 'any', require_signed_request_object: 'true' };
  const filled = await alice.submit(form, 'class="security"', { ...typed, preset: 'fapi2' });
  assert.equal(filled.status, 200);
  for (const chosen of ['profile-fapi2', 'token_endpoint_auth_method-private_key_jwt', 'token_binding-dpop']) {
    assert.match(filled.text, new RegExp(`id="${chosen}"[^>]* checked`));
  }
  assert.match(filled.text, /name="require_pushed_authorization_requests"[^>]* checked/);
  assert.match(filled.text, /name="require_signed_request_object"[^>]* checked/);
  assert.ok(filled.text.includes(key.jwk.kid ?? assert.fail()), 'the keys stay');
  assert.deepEqual(await client(), before);
  // what was filled in is saved by the same form
  await alice.submit(filled, 'class="security"');
  assert.equal((await client()).profile, 'fapi2');
});

test('a private key beside the button of FAPI 2.0 is not shown again', async () => {
  const secret = { ...key.jwk, d: 'the-private-part' };
  const filled = await alice.submit(await alice.visit(path), 'class="security"', {
    jwks: JSON.stringify({ keys: [secret] }),
    preset: 'fapi2',
  });
  assert.match(filled.text, /id="profile-fapi2"[^>]* checked/);
  assert.ok(!filled.text.includes('the-private-part'));
});
