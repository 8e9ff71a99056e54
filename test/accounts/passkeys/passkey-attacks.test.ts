import assert from 'node:assert/strict';
import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { recordPasskey } from '../../../src/accounts/passkeys/passkeys.sql.ts';
import {
  type Changes,
  coseKey,
  encodeCbor,
  flags,
  type Item,
  makePasskey,
  optionsIn,
  otherKey,
  type SoftPasskey,
  signInWith,
  usePasskey,
} from '../../support/authenticator.ts';
import { badKeys } from '../../support/bad-keys.ts';
import { Browser } from '../../support/browser.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { addPasskey, passkeyIssuer as issuer, newPasskeyPage } from '../../support/passkeys.ts';
import { unescapeHtml } from '../../support/shown-program.ts';

const { origin, database } = await startLatchkey({ ISSUER: issuer });
await registerPeople(database, ['alice', 'bob', 'carol', 'mallory']);
const alice = (await addPasskey(await signedInBrowser(origin))).passkey;
const bob = (await addPasskey(await signedInBrowser(origin, 'bob'))).passkey;
const forgetAttempts = () => database.query('delete from attempts');

async function lastRefusal(event = 'sign_in_refused'): Promise<string> {
  const { rows } = await database.query(
    'select detail from audit_events where event = $1 order by happened_at desc limit 1',
    [event],
  );
  return rows[0]?.detail;
}

const shape = (text: string) => text.replaceAll(/value="[^"]*"|data-options="[^"]*"|<code>[^<]*|href="[^"]*"/g, '');
const refusedPage = shape(
  (await signInWith(new Browser(origin), issuer, alice, { origin: 'https://evil.example' })).text,
);

async function assertSignsIn(passkey: SoftPasskey): Promise<void> {
  await forgetAttempts();
  assert.equal((await signInWith(new Browser(origin), issuer, passkey)).url, `${origin}/account`);
}

const signal = / data-signals="([^"]*)"|<script src="\/assets\/passkey-signals[^>]*><\/script>/g;

/** The same page for every refusal, but for the sent id where nobody has it; the reason is in the audit trail. */
async function assertRefused(changes: Changes, reason: RegExp, passkey = alice): Promise<void> {
  await forgetAttempts();
  const browser = new Browser(origin);
  const page = await signInWith(browser, issuer, passkey, changes);
  assert.equal(page.status, 401);
  assert.equal(shape(page.text.replaceAll(signal, '')), refusedPage);
  const [signals] = [...page.text.matchAll(signal)].map(([, json = '']) => unescapeHtml(json));
  const credentialId = (changes.credential_id ?? passkey.credential_id).toString('base64url');
  const told = { signalUnknownCredential: { rpId: 'id.example', credentialId } };
  assert.match(await lastRefusal(), reason);
  assert.equal(signals, String(reason) === String(/nobody has it/) ? JSON.stringify(told) : undefined);
  assert.ok(!browser.cookies().has('__Host-session'));
}

const { present, verified, backup_eligible, backed_up, credential, extensions } = flags;
const twice = (json: string) => json.replace('"challenge":', '"challenge":"AAAA","challenge":');
const unspecific = /client data is no JSON object|client data has no challenge/;

const spoiledAnswers: Record<string, [Changes, RegExp]> = {
  'another origin': [{ origin: 'https://evil.example' }, /another origin/],
  'a name that ends with a dot': [{ origin: 'https://id.example.' }, /another origin/],
  'upper case': [{ origin: 'https://ID.example' }, /another origin/],
  'a name that begins like this one': [{ origin: 'https://id.example.evil.example' }, /another origin/],
  'a host below': [{ origin: 'https://www.id.example' }, /another origin/],
  'another port': [{ origin: 'https://id.example:8443' }, /another origin/],
  http: [{ origin: 'http://id.example' }, /another origin/],
  'no origin': [{ origin: 'null' }, /another origin/],
  'an Android app': [{ origin: 'android:apk-key-hash:AAAA' }, /another origin/],
  'another RP ID': [{ rp_id: 'example' }, /another host/],
  'the type of a registration': [{ type: 'webauthn.create' }, /something else/],
  'a frame of another site': [{ client: { crossOrigin: true } }, /in a frame/],
  'a top origin': [{ client: { topOrigin: issuer } }, /in a frame/],
  'two challenges': [{ rewrite: twice }, unspecific],
  'a challenge in an escaped spelling beside it': [
    { rewrite: (json) => json.replace('"challenge":', '"\\u0063hallenge":"AAAA","challenge":') },
    unspecific,
  ],
  'a byte order mark': [{ rewrite: (json) => `\ufeff${json}` }, unspecific],
  'bytes that are not UTF-8': [{ rewrite: (json) => Buffer.concat([Buffer.from(json), Buffer.of(0xff)]) }, unspecific],
  'client data that is an array': [{ rewrite: (json) => `[${json}]` }, unspecific],
  'client data that is null': [{ rewrite: () => 'null' }, unspecific],
  'a challenge that is a number': [{ client: { challenge: 7 } }, unspecific],
  'a challenge that nobody has made': [{ challenge: 'A'.repeat(70) }, /not of this form/],
  'no user verification': [{ flags: present }, /did not verify the person/],
  'no user presence': [{ flags: verified }, /nobody touched it/],
  'a backup without eligibility': [{ flags: present | verified | backed_up }, /flags contradict/],
  'an eligibility that it did not have': [
    { flags: present | verified | backup_eligible },
    /not those of its registration/,
  ],
  'authenticator data of ten bytes': [{ data: Buffer.alloc(10) }, /cut off/],
  'a credential that is announced and missing': [{ flags: present | verified | credential }, /cut off/],
  'extensions that are announced and missing': [{ flags: present | verified | extensions }, /cut off/],
  'extensions that are no map': [{ flags: present | verified | extensions, extra: Buffer.of(1) }, /no map/],
  'bytes after the end': [{ extra: Buffer.of(0) }, /after its end/],
  'somebody else’s signature': [{ signer: otherKey() }, /signature is wrong/],
  'a signature of raw 64 bytes': [{ signature: () => Buffer.alloc(64, 1) }, /signature is wrong/],
  'a signature of zeros': [{ signature: () => Buffer.from('3006020100020100', 'hex') }, /signature is wrong/],
  'a signature with a byte more': [
    { signature: (right) => Buffer.concat([right, Buffer.of(0)]) },
    /signature is wrong/,
  ],
  'the id of somebody else': [{ credential_id: bob.credential_id }, /signature is wrong/],
  'the handle of somebody else': [{ fields: { user_handle: bob.handle.toString('base64url') } }, /somebody else/],
  'no handle': [{ fields: { user_handle: undefined } }, /whose it is/],
  'a handle of 65 bytes': [{ fields: { user_handle: Buffer.alloc(65).toString('base64url') } }, /user_handle/],
  'an unknown id': [{ credential_id: Buffer.alloc(16) }, /nobody has it/],
  'an id of 1024 bytes': [{ credential_id: Buffer.alloc(1024) }, /credential_id/],
  'a padded id': [{ fields: { credential_id: `${alice.credential_id.toString('base64url')}==` } }, /credential_id/],
  'an id with a space': [
    { fields: { credential_id: `${alice.credential_id.toString('base64url')} ` } },
    /credential_id/,
  ],
  'two signatures': [{ fields: { signature: ['AAAA', 'BBBB'] } }, /signature is missing/],
  'no signature': [{ fields: { signature: undefined } }, /signature is missing/],
};

describe('a sign-in with a passkey is refused', () => {
  for (const [what, [changes, reason]] of Object.entries(spoiledAnswers)) {
    test(`for ${what}`, () => assertRefused(changes, reason));
  }
});

test('what none of them has spoiled signs in, with extensions and unknown members, too', async () => {
  await assertSignsIn(alice);
  const map = encodeCbor({ pairs: [['hmac-secret', true]] });
  const changes = { flags: present | verified | extensions, extra: map, client: { clientExtensions: {}, other: [1] } };
  assert.equal((await signInWith(new Browser(origin), issuer, alice, changes)).status, 200);
});

test('a challenge counts once, in its browser, and for a sign-in only', async () => {
  const browser = new Browser(origin);
  const page = await browser.visit('/login?to=/account');
  const [name = '', form = ''] = [...browser.cookies()].find(([one]) => one.endsWith('form')) ?? [];
  const fields = usePasskey(issuer, optionsIn(page), alice);
  const stranger = new Browser(origin);
  assert.equal((await stranger.submit(await stranger.visit('/login'), 'id="passkey"', fields)).status, 401);
  assert.match(await lastRefusal(), /challenge is not of this form/);
  assert.equal((await browser.submit(page, 'id="passkey"', fields)).status, 200);
  await browser.submit(await browser.visit('/account'), 'action="/logout"');
  // signing out ends the form, too
  browser.setCookie(name, form);
  const replayed = await browser.submit(await browser.visit('/login'), 'id="passkey"', fields);
  assert.equal(replayed.status, 401);
  assert.match(await lastRefusal(), /answered before/);

  const own = await signedInBrowser(origin);
  const creation = optionsIn(await newPasskeyPage(own));
  const asSignIn = usePasskey(issuer, { ...creation, rpId: 'id.example' }, alice);
  assert.equal((await own.submit(await own.visit('/login?to=/account&fresh=1'), 'id="passkey"', asSignIn)).status, 401);
  assert.match(await lastRefusal(), /challenge is not of this form/);
});

test('a counter that goes backwards is refused as a copy, and one that goes on is not', async () => {
  const { passkey } = await addPasskey(await signedInBrowser(origin, 'carol'), { counter: 5 });
  for (const counter of [5, 4, 0]) await assertRefused({ counter }, /counter went backwards/, passkey);
  passkey.counter = 6;
  await assertSignsIn(passkey);
  await assertRefused({}, /counter went backwards/, passkey);
});

test('the passkey of a disabled person, of one who came to sign in elsewhere and of a deleted one is refused alike', async () => {
  const { passkey } = await addPasskey(await signedInBrowser(origin, 'carol'));
  const carol = (change: string) => database.query(`update users set ${change} where username = 'carol'`);
  await carol('disabled_at = now()');
  await assertRefused({}, /disabled, or signs in elsewhere/, passkey);
  await carol("disabled_at = null, source = 'website'");
  await assertRefused({}, /disabled, or signs in elsewhere/, passkey);
  await carol("source = 'here'");
  await assertSignsIn(passkey);
  await database.query('delete from passkeys where credential_id = $1', [passkey.credential_id]);
  await assertRefused({}, /nobody has it/, passkey);
});

test('a challenge is over by the clock of the database, also where the clock of an instance is behind', async () => {
  const { rows } = await database.query("select date_part('epoch', now()) as now");
  const use = { credential_id: alice.credential_id, sign_count: 0, address: '192.0.2.7', user_agent: null };
  const record = (expires_at: number) => recordPasskey(database, use, { proof_sha256: randomBytes(32), expires_at });
  assert.match((await record(Math.floor(rows[0].now))) ?? '', /too old/);
  assert.equal(await record(Math.floor(rows[0].now) + 60), undefined);
});

test('a network that sends too many wrong answers waits, and no longer than for passwords', async () => {
  await forgetAttempts();
  const browser = new Browser(origin);
  const page = await browser.visit('/login');
  const fields = usePasskey(issuer, optionsIn(page), alice, { signer: otherKey() });
  const statuses = [];
  for (let attempt = 0; attempt < 102; attempt += 1) {
    statuses.push((await browser.submit(page, 'id="passkey"', fields)).status);
  }
  assert.deepEqual([...new Set(statuses)], [401, 429]);
  await assertSignsIn(alice);
});

/** As mallory would add it, on a page that would accept an honest one. */
async function register(changes: Changes) {
  await forgetAttempts();
  const browser = await signedInBrowser(origin, 'mallory');
  const page = await newPasskeyPage(browser);
  const { passkey, fields } = makePasskey(issuer, optionsIn(page), changes);
  const start = performance.now();
  const answer = await browser.submit(page, 'id="create"', fields);
  return { passkey, answer, took: performance.now() - start };
}

async function assertNotAdded(changes: Changes, reason: RegExp): Promise<void> {
  const { passkey, answer, took } = await register(changes);
  assert.equal(answer.status, 400);
  assert.match(answer.text, /The passkey could not be added/);
  assert.match(await lastRefusal('passkey_refused'), reason);
  assert.ok(took < 500, `${took} ms`);
  const { rows } = await database.query(
    `select from passkeys join users using (user_id) where username = 'mallory' and credential_id = $1`,
    [passkey.credential_id],
  );
  assert.equal(rows.length, 0);
}

const point = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const jwkOf = (name: string) => badKeys[name]?.jwk ?? {};
const withCose = (jwk: JsonWebKey, alg: 'ES256' | 'EdDSA' | 'RS256' | number): Changes => ({ cose: coseKey(jwk, alg) });
const attested = (fmt: Item, attStmt: Item): Changes => ({ format: fmt as string, statement: attStmt });
const map = (...pairs: [Item, Item][]): Item => ({ pairs });
const deep = (levels: number) => Buffer.concat([Buffer.alloc(levels, 0x81), Buffer.of(1)]);
const wellFormed = map(['fmt', 'none'], ['attStmt', map()]);

const spoiledRegistrations: Record<string, [Changes, RegExp]> = {
  'another origin': [{ origin: 'https://evil.example' }, /another origin/],
  'the type of a sign-in': [{ type: 'webauthn.get' }, /something else/],
  'a frame of another site': [{ client: { crossOrigin: true } }, /in a frame/],
  'another RP ID': [{ rp_id: 'example' }, /another host/],
  'a challenge that nobody has made': [{ challenge: 'A'.repeat(70) }, /not of this form/],
  'no user verification': [{ flags: present | credential }, /did not verify the person/],
  'no user presence': [{ flags: verified | credential }, /nobody touched it/],
  'no credential': [{ flags: present | verified }, /after its end/],
  'the id of somebody else': [{ credential_id: alice.credential_id }, /its id is taken/],
  'an id of no bytes': [{ credential_id: Buffer.of() }, /no possible length/],
  'an id of 1024 bytes': [{ credential_id: Buffer.alloc(1024, 7) }, /no possible length/],
  'an attestation without a statement that has one': [attested('none', map(['sig', Buffer.of(1)])), /nobody asked for/],
  'a statement of itself that is junk': [
    attested('packed', map(['alg', -7], ['sig', Buffer.alloc(70)])),
    /nobody asked for/,
  ],
  'a statement with a certificate': [attested('packed', map(['x5c', [Buffer.alloc(500)]])), /nobody asked for/],
  'a statement of a TPM': [attested('tpm', map(['ver', '2.0'])), /nobody asked for/],
  'a format that nobody knows': [attested('unheard-of', map()), /nobody asked for/],
  'a format that is a number': [attested(7, map()), /nobody asked for/],
  'a statement that is a list': [attested('none', []), /incomplete/],
  'CBOR that is deep': [{ attestation: deep(3900) }, /nested too deeply/],
  'CBOR with a key twice': [
    {
      attestation: encodeCbor(
        map(['fmt', 'none'], ['fmt', 'none'], ['attStmt', map()], ['authData', Buffer.alloc(40)]),
      ),
    },
    /a key twice/,
  ],
  'CBOR without authenticator data': [{ attestation: encodeCbor(wellFormed) }, /incomplete/],
  'CBOR of indefinite length': [{ attestation: Buffer.from('bf63666d74646e6f6e65ff', 'hex') }, /indefinite/],
  'CBOR with a length of 2^40': [{ attestation: Buffer.from('5b0000010000000000', 'hex') }, /too large or indefinite/],
  'CBOR with a list of 2^31 items': [{ attestation: Buffer.from('9a80000000', 'hex') }, /cut off/],
  'CBOR with a tag': [{ attestation: Buffer.from('c101', 'hex') }, /tag or a float/],
  'CBOR with a float': [{ attestation: Buffer.from('f97e00', 'hex') }, /tag or a float/],
  'CBOR with a key that is a list': [{ attestation: Buffer.from('a18001', 'hex') }, /key of another type/],
  'CBOR with a text that is not UTF-8': [{ attestation: Buffer.from('61ff', 'hex') }, /not UTF-8/],
  'no CBOR': [{ fields: { attestation: 'AA' } }, /no map/],
  'an attestation that is no base64url': [{ fields: { attestation: 'A+B/' } }, /not base64url/],
  'bytes after the end': [{ extra: Buffer.of(0) }, /after its end/],
  'authenticator data of ten bytes': [{ data: Buffer.alloc(10) }, /cut off/],
  'the algorithm RS1': [withCose(jwkOf('RSA of 1024 bits'), -65_535), /was not offered/],
  'the algorithm secp256k1': [withCose(point, -47), /was not offered/],
  'no algorithm': [withCose(point, 0), /was not offered/],
  'a key that is not of its algorithm': [withCose(point, 'RS256'), /not of the kind/],
  'a point of P-384': [withCose(jwkOf('a point of P-384'), 'ES256'), /not of the kind/],
  'a point beside its curve': [withCose(jwkOf('a point beside P-256'), 'ES256'), /no point of its curve/],
  'the point (0, 0)': [withCose(jwkOf('the point (0, 0)'), 'ES256'), /no point of its curve/],
  'a point of Ed25519 of small order': [withCose(jwkOf('a point of order 8'), 'EdDSA'), /small order/],
  'RSA of 1024 bits': [withCose(jwkOf('RSA of 1024 bits'), 'RS256'), /not of 2048 to 4096 bits/],
  'RSA with the exponent 1': [withCose(jwkOf('RSA with the exponent 1'), 'RS256'), /exponent/],
  'half a key': [{ cose: coseKey(point, 'ES256').slice(0, 4) }, /incomplete/],
  'a key that is a number': [{ key: Buffer.of(1) }, /no map/],
};

describe('a new passkey is refused', () => {
  for (const [what, [changes, reason]] of Object.entries(spoiledRegistrations)) {
    test(`for ${what}`, () => assertNotAdded(changes, reason));
  }
});

test('what none of them has spoiled is added, with an id of 1023 bytes, too; and nobody else’s passkey has changed', async () => {
  assert.equal((await register({})).answer.status, 200);
  assert.equal((await register({ credential_id: Buffer.alloc(1023, 9) })).answer.status, 200);
  await assertSignsIn(alice);
  await assertSignsIn(bob);
});

test('a form of another session adds nothing, and one without a proof does not begin', async () => {
  const mallory = await signedInBrowser(origin, 'mallory');
  const page = await newPasskeyPage(mallory);
  const { fields } = makePasskey(issuer, optionsIn(page));
  const other = await signedInBrowser(origin, 'bob');
  const otherPage = await newPasskeyPage(other);
  assert.equal((await other.submit(otherPage, 'id="create"', fields)).status, 400);
  assert.match(await lastRefusal('passkey_refused'), /challenge is not of this form/);
  await database.query(`update sessions set auth_time = now() - interval '16 minutes'`);
  const unproven = await other.submit(await other.visit('/account/passkeys/new'), 'id="prove"', { password: 'wrong' });
  assert.equal(unproven.status, 400);
  assert.doesNotMatch(unproven.text, /data-options/);
});

test('another person’s passkey is neither shown, renamed nor removed', async () => {
  const own = /href="(\/account\/passkeys\/[0-9a-f]{32})"/.exec(
    (await (await signedInBrowser(origin, 'bob')).visit('/account/security')).text,
  )?.[1];
  const mallory = await signedInBrowser(origin, 'mallory');
  const mine = /href="(\/account\/passkeys\/[0-9a-f]{32})"/.exec((await mallory.visit('/account/security')).text)?.[1];
  const page = await mallory.visit(mine ?? '');
  assert.equal(page.status, 200);
  assert.equal((await mallory.visit(own ?? '')).status, 404);
  const forged = { ...page, text: page.text.replaceAll(mine ?? '', own ?? '') };
  assert.equal((await mallory.submit(forged, 'id="rename"', { name: 'mine' })).status, 404);
  assert.equal((await mallory.submit(forged, 'id="remove"', { password: 'wonderland' })).status, 404);
  await assertSignsIn(bob);
});
