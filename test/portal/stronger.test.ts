import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, createPublicKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { clientAuthentication } from '../../src/portal/client-authentication.ts';
import { boundTokens } from '../../src/portal/dpop.ts';
import { acceptsBound } from '../../src/portal/dpop-api.ts';
import { stronger } from '../../src/portal/stronger.ts';
import { startProgram } from '../libraries/program.ts';
import { noOpenssl } from '../support/certificate.ts';
import { challenge, codeIn, signedInBrowser, verifier } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { printer, registerPeople, registerPrinter, registerResource, startLatchkey } from '../support/latchkey.ts';
import { shownProgram } from '../support/shown-program.ts';

// The messages of the page, sent as it shows them, with the values that it leaves open.

const run = promisify(execFile);
const { origin, database, url } = await startLatchkey();
await registerPeople(database);
const redirect_uri = 'http://localhost:8080/callback';
const client_id = 'my-application';
const read = async (path: string, at = origin) => ({ text: await (await fetch(at + path)).text(), url: path });
const page = await read(stronger.path);
const keys = await read(clientAuthentication.path);
const bound = await read(boundTokens.path);
const boundApi = await read(acceptsBound.path);
const shown = (id: string) =>
  shownProgram(
    [page, keys, bound, boundApi].find(({ text }) => text.includes(`id="code-${id}"`)) ?? page,
    `code-${id}`,
  );

/** The programs of the pages, beside each other as the pages say. */
const folder = mkdtempSync(join(tmpdir(), 'key-program-'));
for (const [id, file] of Object.entries({ key: 'key', refresh: 'refresh', moving: 'post', request: 'request' })) {
  writeFileSync(join(folder, `${file}.mjs`), shown(`${id}-program`));
}
const node = async (args: string[], env: Record<string, string> = {}) =>
  (await run(process.execPath, args, { cwd: folder, env: { ...process.env, ...env } })).stdout;
/** What the program prints at this name. */
const printed = async (name: string) =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(await node(['key.mjs']))?.[1] ?? assert.fail(name);
const jwks = JSON.parse(await printed('JWK set'));
const { credentials } = await import(`${pathToFileURL(join(folder, 'key.mjs'))}`);
const proofPair = await generateKeyPair('ES256');
const jwk = await exportJWK(proofPair.publicKey);
const alice = await signedInBrowser(origin);
await database.query(
  `select register_client(client_id => $1, name => 'My application', site_domain => 'localhost', redirect_uris => array[$2],
     scopes => array['user'], token_endpoint_auth_method => 'private_key_jwt', jwks => $3)`,
  [client_id, redirect_uri, jwks],
);

/** A new assertion, signed by the key of the page. */
const assertion = (): string => credentials().client_assertion;

/** Signs the proof of the page; its time is now. */
function signProof(changes: object = {}): Promise<string> {
  const [header = {}, claims] = shown('dpop-proof')
    .split('\n.\n')
    .map((part) => JSON.parse(part));
  return new SignJWT({ ...claims, ...changes, iat: Math.floor(Date.now() / 1000) })
    .setProtectedHeader({ ...header, jwk })
    .sign(proofPair.privateKey);
}

/** The fields of a form of the page. */
const fields = (id: string, changes: Record<string, string>) => ({
  ...Object.fromEntries(new URLSearchParams(shown(id).split('\n\n')[1]?.replaceAll('\n', ''))),
  ...changes,
});

async function send(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(origin + path, { method: 'POST', headers, body: new URLSearchParams(form) });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** The code of a pushed request. */
async function codeFor(request_uri: unknown): Promise<string> {
  const link = new URL(shown('par-authorize'));
  link.searchParams.set('request_uri', String(request_uri));
  const consent = await alice.visit(`${link}`);
  return codeIn(consent.location === undefined ? await alice.submit(consent, 'id="allow"') : consent);
}

/** A code of a request that is not pushed. */
async function publicCode(changes: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, scope: 'user', state: 'STATE' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', prompt: 'consent' },
    ...changes,
  });
  return codeIn(await alice.submit(await alice.visit(`/authorize?${query}`), 'id="allow"'));
}

test('a pushed request is answered as the page shows, and the browser continues with its request_uri', async () => {
  const pushed = await send(
    '/par',
    fields('par-request', { client_assertion: assertion(), code_challenge: challenge }),
  );
  assert.equal(pushed.status, 201, JSON.stringify(pushed.body));
  const answer = JSON.parse(shown('par-answer'));
  assert.deepEqual(Object.keys(pushed.body).sort(), Object.keys(answer).sort());
  assert.equal(pushed.body['expires_in'], answer.expires_in);
  assert.ok(await codeFor(pushed.body['request_uri']));
});

test('each section says which refusal to expect and what to do', async () => {
  const named = [keys, page].flatMap(({ text }) =>
    [...text.matchAll(/<dt><a href="\/errors\/(\w+)">/g)].map(([, code]) => code),
  );
  assert.deepEqual(named, ['invalid_client', 'invalid_request', 'invalid_request_uri', 'invalid_request_object']);
  const form = () => fields('par-request', { client_assertion: assertion(), code_challenge: challenge });
  const refused = async (changes: Record<string, string>) =>
    (await send('/par', { ...form(), ...changes })).body['error'];
  const used = assertion();
  assert.equal(await refused({ client_assertion: used }), undefined);
  assert.equal(await refused({ client_assertion: used }), 'invalid_client');
  assert.equal(await refused({ response_type: '' }), 'invalid_request');
  assert.equal(await refused({ request: 'a.b.c' }), 'invalid_request_object');
  const pushed = await send('/par', form());
  await codeFor(pushed.body['request_uri']);
  const link = new URL(shown('par-authorize'));
  link.searchParams.set('request_uri', String(pushed.body['request_uri']));
  assert.match((await alice.visit(`${link}`)).text, /invalid_request_uri/);
});

test('an application authenticates with the assertion of the page, pushes its signed request, and gets a bound token for its proof', async () => {
  const authenticated = () => ({ client_assertion: assertion() });
  const request = (await node(['request.mjs'], { STATE: 'the-state', CHALLENGE: challenge })).trim();
  // the assertion is the one that the page says to paste
  const pasted = { client_assertion: await printed('ASSERTION_JWT') };
  const pushed = await send('/par', fields('signed-request', { ...pasted, request }));
  assert.equal(pushed.status, 201, JSON.stringify(pushed.body));
  const again = await send('/par', fields('signed-request', { ...authenticated(), request }));
  assert.equal(again.body['error'], 'invalid_request_object', 'its jti was used before');
  const code = await codeFor(pushed.body['request_uri']);
  const { client_assertion_type = '' } = fields('signed-request', {}) as Record<string, string>;
  const form = fields('bound-request', { code, code_verifier: verifier, client_assertion_type });
  const { status, body } = await send('/token', { ...form, ...authenticated() }, { DPoP: await signProof() });
  assert.deepEqual([status, body['token_type']], [200, 'DPoP'], JSON.stringify(body));
  const answer = JSON.parse(shown('bound-answer'));
  assert.deepEqual([Object.keys(body).sort(), answer.token_type], [Object.keys(answer).sort(), 'DPoP']);
  // the program that made the key signs an assertion with it, and refreshes these tokens
  const refreshed = await node(['refresh.mjs'], { REFRESH_TOKEN: String(body['refresh_token']) });
  assert.match(refreshed, /^200 \{[\s\S]*token_type: 'Bearer'/);
});

test('an application that follows the steps to replace its key can use both keys until the old key is removed', async () => {
  assert.match(keys.text, /new-key\.mjs<\/code>/);
  const copy = shown('key-program').replace('my-key', 'next-key').replace('private.pem', 'next.pem');
  writeFileSync(join(folder, 'new-key.mjs'), copy);
  const [, set = ''] = /^JWK set: (.*)$/m.exec(await node(['new-key.mjs'])) ?? [];
  const next = await import(`${pathToFileURL(join(folder, 'new-key.mjs'))}`);
  const works = async (proof: Record<string, string>) =>
    (await send('/introspect', { token: 'unknown', ...proof })).status === 200;
  const store = (set: object) => database.query('update clients set jwks = $2 where client_id = $1', [client_id, set]);
  const both = { keys: [...jwks.keys, ...JSON.parse(set).keys] };
  assert.deepEqual([await works(credentials()), await works(next.credentials())], [true, false]);
  await store(both);
  assert.deepEqual([await works(credentials()), await works(next.credentials())], [true, true]);
  await store(JSON.parse(set));
  assert.deepEqual([await works(credentials()), await works(next.credentials())], [false, true]);
  await store(jwks);
});

test('the page tells of certificates, nonces and the playground only where the server has them', async () => {
  assert.doesNotMatch(page.text + keys.text + bound.text, /certificate|tls_client_auth|DPoP-Nonce|playground/i);
  const other = await startLatchkey({ DPOP_NONCE: 'on', DEMO: 'true' }, url);
  const { text } = await read(boundTokens.path, other.origin);
  assert.match(text, /<main[\s\S]*href="\/playground"[\s\S]*NONCE[\s\S]*DPoP-Nonce/);
});

test('a public application gets a bound token for the request of the page, with the proof in its header', async () => {
  await registerPrinter(database, {
    ...{ client_id, redirect_uris: [redirect_uri], site_domain: 'localhost', scopes: ['user'], client_secret: null },
  });
  const code = await publicCode();
  const [head = ''] = shown('bound-request').split('\n\n');
  const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ')));
  assert.deepEqual(headers, { 'Content-Type': 'application/x-www-form-urlencoded', DPoP: 'PROOF' });
  const proof = await signProof({ jti: 'another' });
  const form = fields('bound-request', { code, code_verifier: verifier });
  const { status, body } = await send('/token', form, { ...headers, DPoP: proof });
  assert.deepEqual([status, body['token_type']], [200, 'DPoP'], JSON.stringify(body));
  const token = String(body['access_token']);
  const [scheme] = /(?<=Authorization: )\S+/.exec(shown('bound-call')) ?? [];
  const ath = createHash('sha256').update(token).digest('base64url');
  const call = (proof: string) =>
    fetch(`${origin}/user`, { headers: { authorization: `${scheme} ${token}`, dpop: proof } });
  const changed = { htm: 'GET', htu: `${origin}/user` };
  assert.equal((await call(await signProof({ ...changed, ath, jti: 'of the call' }))).status, 200);
  assert.equal((await call(await signProof({ ...changed, jti: 'without the digest' }))).status, 401);
  // each refusal of the table
  const [, table = ''] = /If a proof is refused<\/h2>([\s\S]*?)<\/dl>/.exec(bound.text) ?? [];
  const names = [...table.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, name = '']) => name.replaceAll(/<[^>]*>/g, ''));
  assert.deepEqual(names, ['iat', 'htm, htu', 'jti', 'ath', 'invalid_token', 'invalid_grant']);
  const said = async (changes: object) => (await call(await signProof({ ...changed, ath, ...changes }))).text();
  assert.match(await said({ htu: `${origin}/other`, jti: 'at another URL' }), /invalid_dpop_proof.*htu must be/);
  assert.match(await said({ jti: 'of the call' }), /invalid_dpop_proof.*used before/);
  assert.match(await said({ ath: 'x', jti: 'with another digest' }), /invalid_dpop_proof.*ath must be/);
  const other = await generateKeyPair('ES256');
  const byOther = async (claims: object) =>
    new SignJWT({ jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ...claims })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(other.publicKey) })
      .sign(other.privateKey);
  assert.match(await (await call(await byOther({ ...changed, ath }))).text(), /"invalid_token"/);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']), client_id };
  const refused = await send('/token', refresh, { DPoP: await byOther({ htm: 'POST', htu: `${origin}/token` }) });
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant']);
});

test('an API learns of a bound token what its page shows, with the thumbprint of the key', async () => {
  const example = JSON.parse(shown('bound-introspection'));
  await registerPrinter(database, { client_id: 'my-api' });
  await registerResource(database, example.aud, ['user:email'], 'my-api');
  const code = await publicCode({ resource: example.aud, scope: 'user:email' });
  const form = fields('bound-request', { code, code_verifier: verifier });
  const { body } = await send('/token', form, { DPoP: await signProof({ jti: 'for the API' }) });
  const credentials = { client_id: 'my-api', client_secret: printer.client_secret };
  const { body: learnt } = await send('/introspect', { token: String(body['access_token']), ...credentials });
  assert.deepEqual(Object.keys(learnt).sort(), Object.keys(example).sort());
  assert.equal(learnt['token_type'], example.token_type);
  assert.deepEqual(learnt['cnf'], { jkt: await calculateJwkThumbprint(jwk) });
  assert.deepEqual(Object.keys(example.cnf), ['jkt']);
});

test('the API of the page accepts what its list demands and refuses all else with the errors of this server', async () => {
  const port = String(await findFreePort());
  const { aud } = JSON.parse(shown('bound-introspection'));
  writeFileSync(join(folder, 'verify.mjs'), shown('proof-verifier'));
  // the scope is one that this server knows
  writeFileSync(join(folder, 'api.mjs'), shown('bound-api').replaceAll('8000', port).replaceAll('photos:read', 'user'));
  await database.query("update resources set scopes = '{user:email,user:name}' where resource = $1", [aud]);
  const api = startProgram('node', [join(folder, 'api.mjs')], { env: { CLIENT_SECRET: printer.client_secret } });
  await api.said(/Listening at/);
  const places = { [`http://localhost:${port}/photos`]: { resource: aud }, [`${origin}/user`]: {} };
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = () => Math.floor(Date.now() / 1000);
  for (const alg of ['ES256', 'PS256', 'EdDSA', 'Ed25519']) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = await exportJWK(publicKey);
    const prove = (claims: object, header: object = {}, key = privateKey) =>
      new SignJWT({ jti: randomUUID(), iat: now(), ...claims })
        .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...header })
        .sign(key);
    for (const [at, request] of Object.entries(places)) {
      const tokenBy = async (headers: Record<string, string>) => {
        const form = fields('bound-request', { code: await publicCode(request), code_verifier: verifier });
        return String((await send('/token', form, headers)).body['access_token']);
      };
      const token = await tokenBy({ DPoP: await prove({ htm: 'POST', htu: `${origin}/token` }) });
      const unbound = await tokenBy({});
      const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
      const claims = { htm: 'GET', htu: at, ath: digest(token) };
      /** The status, and the error of the challenge. */
      const call = async (headers: Record<string, string>) => {
        const response = await fetch(`${at}?size=1`, { headers });
        const challenge = response.headers.get('www-authenticate');
        assert.equal(response.status === 401, challenge?.includes('DPoP ') ?? false);
        if (challenge) assert.match(challenge, /algs="ES256 PS256 EdDSA Ed25519"/);
        return /error="(\w+)"/.exec(challenge ?? '')?.[1] ?? response.status;
      };
      const show = (dpop: string, authorization = `DPoP ${token}`) => call({ authorization, dpop });
      const once = await prove(claims);
      assert.deepEqual([await show(once), await show(once)], [200, 'invalid_dpop_proof'], `${alg} ${at}`);
      assert.equal(await show(await prove({ ...claims, iat: now() - 110 })), 200);
      assert.equal(await show(await prove({ ...claims, iat: now() + 20 })), 200);
      if (alg !== 'ES256') continue;

      const other = await generateKeyPair(alg, { extractable: true });
      const otherKey = { jwk: await exportJWK(other.publicKey) };
      const ofToken = (text: string) => prove({ ...claims, ath: digest(text) });
      assert.equal(await call({}), 401);
      assert.equal(await call({ authorization: `Bearer ${unbound}` }), 200);
      const wrongTokens = {
        'as Bearer': await show(await prove(claims), `Bearer ${token}`),
        'not bound': await show(await ofToken(unbound), `DPoP ${unbound}`),
        invented: await show(await ofToken('invented'), 'DPoP invented'),
        'of another key': await show(await prove(claims, otherKey, other.privateKey)),
      };
      for (const [name, error] of Object.entries(wrongTokens)) assert.equal(error, 'invalid_token', `${at} ${name}`);
      const proof = await prove(claims);
      const wrongProofs = {
        missing: await call({ authorization: `DPoP ${token}` }),
        twice: await show(`${await prove(claims)}, ${await prove(claims)}`),
        'no JWT': await show('PROOF'),
        'four parts': await show(`${proof}.`),
        'of another signer': await show(await prove(claims, {}, other.privateKey)),
        'of another type': await show(await prove(claims, { typ: 'JWT' })),
        'of another algorithm': await show(
          proof.replace(/^[^.]*/, encoded({ typ: 'dpop+jwt', alg: 'constructor', jwk })),
        ),
        'with the private key': await show(await prove(claims, { jwk: await exportJWK(privateKey) })),
        'another method': await show(await prove({ ...claims, htm: 'POST' })),
        'another URL': await show(await prove({ ...claims, htu: `${at}/other` })),
        'another token': await show(await ofToken(unbound)),
        'no digest': await show(await prove({ ...claims, ath: undefined })),
        'too old': await show(await prove({ ...claims, iat: now() - 122 })),
        'too early': await show(await prove({ ...claims, iat: now() + 40 })),
        'no time': await show(await prove({ ...claims, iat: undefined })),
        'no jti': await show(await prove({ ...claims, jti: undefined })),
      };
      for (const [name, error] of Object.entries(wrongProofs))
        assert.equal(error, 'invalid_dpop_proof', `${at} ${name}`);
    }
  }
});

test('the programs make a key, request a token that is bound to it, and call with it, also where a nonce is demanded', async () => {
  writeFileSync(join(folder, 'proof.mjs'), shown('proof'));
  const withNonce = await startLatchkey({ DPOP_NONCE: 'on' }, url);
  const pages = { [origin]: bound, [withNonce.origin]: await read(boundTokens.path, withNonce.origin) };
  for (const [at, programs] of Object.entries(pages)) {
    writeFileSync(join(folder, 'bound.mjs'), shownProgram(programs, 'code-bound-program'));
    const CODE = await publicCode();
    const env = { ...process.env, CODE, VERIFIER: verifier };
    const { stdout } = await run(process.execPath, ['bound.mjs'], { cwd: folder, env });
    assert.match(stdout, /username: 'alice'/, at);
  }
  // another process has the key of the process above
  const { proof: prove } = await import(`${pathToFileURL(join(folder, 'proof.mjs'))}`);
  const [, header = ''] = /^(.*?)\./.exec(prove('GET', origin)) ?? [];
  const { x } = JSON.parse(String(Buffer.from(header, 'base64url'))).jwk;
  assert.equal(createPublicKey(readFileSync(join(folder, 'dpop.pem'))).export({ format: 'jwk' }).x, x);
  const { body } = await send(
    '/token',
    fields('bound-request', { code: await publicCode(), code_verifier: verifier }),
    { DPoP: prove('POST', `${origin}/token`) },
  );
  const authorization = `DPoP ${body['access_token']}`;
  const call = (dpop: string) => fetch(`${origin}/user`, { headers: { authorization, dpop } });
  // the query is no part of the proof
  assert.equal((await call(prove('GET', `${origin}/user?x=1`, body['access_token']))).status, 200);
  assert.equal((await call(prove('GET', `${origin}/user`))).status, 401);
  const refreshed = await send(
    '/token',
    { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']), client_id },
    { DPoP: prove('POST', `${origin}/token`) },
  );
  assert.deepEqual([refreshed.status, refreshed.body['token_type']], [200, 'DPoP'], JSON.stringify(refreshed.body));
});

test('the program repeats a request only after use_dpop_nonce, and not for ever', async () => {
  const there = await startLatchkey({ DPOP_NONCE: 'on' }, url);
  const program = shownProgram(await read(boundTokens.path, there.origin), 'code-bound-program');
  writeFileSync(join(folder, 'proof.mjs'), shown('proof'));
  /** Runs the program against answers with these errors, each with a nonce; how many requests it sends. */
  const requestsFor = async (errors: string[], nonceOf: (at: number) => string, inBody = true) => {
    let count = 0;
    const refusing = createServer((_req, res) => {
      const error = errors[count] ?? errors.at(-1);
      const headers = { 'DPoP-Nonce': nonceOf(count) };
      if (inBody) res.writeHead(400, headers).end(JSON.stringify({ error }));
      else res.writeHead(401, { ...headers, 'WWW-Authenticate': `DPoP error="${error}"` }).end();
      count += 1;
    }).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const { port } = refusing.address() as AddressInfo;
    writeFileSync(join(folder, 'refused.mjs'), program.replaceAll(there.origin, `http://127.0.0.1:${port}`));
    const env = { ...process.env, CODE: 'code', VERIFIER: verifier };
    const last = new RegExp(inBody ? `400 {"error":"${errors.at(-1)}"` : `401 DPoP error="${errors.at(-1)}"`);
    await assert.rejects(run(process.execPath, ['refused.mjs'], { cwd: folder, env }), last);
    refusing.close();
    return count;
  };
  const isNew = (at: number) => `nonce ${at}`;
  assert.equal(await requestsFor(['invalid_grant'], isNew), 1);
  assert.equal(await requestsFor(['use_dpop_nonce', 'invalid_grant'], isNew), 2);
  assert.equal(await requestsFor(['use_dpop_nonce'], () => 'the same'), 2);
  // as an API answers that says it only in WWW-Authenticate
  assert.equal(await requestsFor(['use_dpop_nonce', 'invalid_token'], isNew, false), 2);
});

test('the commands make a certificate, and print its key as a JWK set that can be registered', {
  skip: noOpenssl,
}, async () => {
  const other = await startLatchkey({ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' }, url);
  const there = await read(clientAuthentication.path, other.origin);
  const [makes = '', prints = '', sends = ''] = ['certificate', 'certificate-jwks', 'certificate-request'].map((id) =>
    shownProgram(there, `code-${id}`),
  );
  await run('sh', ['-c', makes], { cwd: folder });
  const { stdout } = await run('sh', ['-c', prints], { cwd: folder });
  // as the page says of a new certificate, both keys are registered for a while
  const another = await exportJWK((await generateKeyPair('RS256')).publicKey);
  const bothKeys = { keys: [another, ...JSON.parse(stdout).keys].map((key, at) => ({ ...key, kid: `key ${at}` })) };
  await database.query(
    `select register_client(client_id => 'my-certificate', name => 'My application', site_domain => 'localhost', redirect_uris => array[$1],
       scopes => array['user'], token_endpoint_auth_method => 'self_signed_tls_client_auth', jwks => $2)`,
    [redirect_uri, bothKeys],
  );
  const plain = await (await fetch(`${other.origin}/developer/docs.txt`)).text();
  for (const line of makes.split('\n')) assert.ok(plain.includes(`   ${line}\n`), line);
  const header = encodeURIComponent(readFileSync(join(folder, 'certificate.pem'), 'utf8'));
  const ask = async (headers: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'my-certificate', token: 'x' });
    return (await fetch(`${other.origin}/introspect`, { method: 'POST', headers, body })).status;
  };
  assert.deepEqual([await ask({ 'x-client-cert': header }), await ask({})], [200, 401]);
  assert.match(sends, /^curl -sS --cert certificate\.pem --key key\.pem /);
  assert.ok(sends.includes(`${other.origin}/token`));
  const certificates = { TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' };
  const aliased = await startLatchkey({ ...certificates, MTLS_URL: 'https://mtls.example' }, url);
  const alias = shownProgram(await read(clientAuthentication.path, aliased.origin), 'code-certificate-request');
  assert.match(alias, /https:\/\/mtls\.example\/token/);
});

test('without the nonce, the response is the one of the page, with the header', async () => {
  const other = await startLatchkey({ DPOP_NONCE: 'on' }, url);
  const shownAnswer = shownProgram(await read(boundTokens.path, other.origin), 'code-nonce-answer');
  const [header = '', members = ''] = shownAnswer.split('\n\n');
  const DPoP = await signProof({ htu: `${other.origin}/token`, jti: 'without a nonce' });
  const response = await fetch(`${other.origin}/token`, {
    ...{ method: 'POST', headers: { DPoP }, body: new URLSearchParams(fields('bound-request', {})) },
  });
  assert.equal(response.status, 400);
  assert.ok(response.headers.get(header.split(':')[0] ?? ''));
  const { request_id, ...answered } = JSON.parse(await response.text());
  assert.deepEqual({ ...answered, request_id: '…' }, JSON.parse(members));
  // with the nonce of the header, the program's proof counts: what is wrong now is the code
  const nonce = response.headers.get('DPoP-Nonce') ?? '';
  const { proof: prove } = await import(`${pathToFileURL(join(folder, 'proof.mjs'))}`);
  const again = { DPoP: prove('POST', `${other.origin}/token`, undefined, nonce) };
  const repeated = await fetch(`${other.origin}/token`, {
    ...{ method: 'POST', headers: again, body: new URLSearchParams(fields('bound-request', {})) },
  });
  assert.match(JSON.parse(await repeated.text()).error_description, /code/);
  // each response to a proof has the next nonce, also where the page shows a token
  assert.ok(repeated.headers.get('DPoP-Nonce'));
  const [next] = shownProgram(await read(boundTokens.path, other.origin), 'code-bound-answer').split('\n');
  assert.equal(next, 'DPoP-Nonce: LATEST_NONCE');
});

test('the page begins with every measure and what it is good for, in the order that it recommends', async () => {
  const { origin: withCertificates } = await startLatchkey(
    { TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' },
    url,
  );
  const titles = (text: string) => {
    // the other pages, then the sections of this page
    const [, before = '', after = ''] =
      /<dl class="facts">([\s\S]*?)<\/dl>[\s\S]*?<dl class="facts">([\s\S]*?)<\/dl>/.exec(text) ?? [];
    assert.doesNotMatch(before, /href="[^"]*\/stronger-security/);
    const rows = before + after;
    return [...rows.matchAll(/<dt><a href="[^"]*">([^<]*)<\/a><\/dt><dd>[^<]+<\/dd>/g)].map(([, title]) => title);
  };
  const rest = ['Push the authorization request', 'Sign the authorization request', 'The FAPI 2.0 profile'];
  assert.deepEqual(titles(page.text), ['Authenticate with a key', 'DPoP-bound tokens', ...rest]);
  assert.deepEqual(titles((await read(stronger.path, withCertificates)).text), [
    ...['Authenticate with a key', 'Authenticate with a certificate'],
    ...['DPoP-bound tokens', 'Bind access tokens to the certificate', ...rest],
  ]);
});

test('a link to a section says its heading, whatever the server has switched on', async () => {
  const { origin: withCertificates } = await startLatchkey(
    { TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' },
    url,
  );
  for (const at of [origin, withCertificates]) {
    for (const path of [stronger.path, clientAuthentication.path, '/developer/messages']) {
      const { text } = await read(path, at);
      const links = [...text.matchAll(/<a href="(\/developer\/[\w-]+)(#\w+)">([^<]*)</g)];
      assert.ok(links.length > 0 || path === clientAuthentication.path, path);
      for (const [link, chapter = '', part = '', title] of links) {
        const [, heading] = new RegExp(`<h2 id="${part.slice(1)}">([^<]*)<`).exec((await read(chapter, at)).text) ?? [];
        assert.equal(heading, title, `${path}: ${link}`);
      }
    }
  }
});

test('an application in use changes from its secret to the key without losing a request, and gets a new secret when it goes back', async () => {
  const secret = 'lk_cs_the-secret-of-the-application-in-use';
  await database.query('delete from clients where client_id = $1', [client_id]);
  await registerPrinter(database, {
    ...{ client_id, redirect_uris: [redirect_uri], site_domain: 'localhost', scopes: ['user'], client_secret: secret },
  });
  await database.query(
    `update clients set owner_id = (select user_id from users where username = 'alice') where client_id = $1`,
    [client_id],
  );
  const form = { grant_type: 'authorization_code', redirect_uri, client_id, code_verifier: verifier };
  const tokens = await send('/token', { ...form, code: await publicCode(), client_secret: secret });
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
  const unused = await publicCode();
  const ask = { token: String(tokens.body['access_token']) };
  const bySecret = async (client_secret: string) =>
    (await send('/introspect', { ...ask, client_id, client_secret })).status;
  const byKey = async () => (await send('/introspect', { ...ask, ...credentials() })).status;
  /** Two requests of the moment, and a refresh. */
  const refreshWith = (refresh_token: string) =>
    node(
      [
        '--input-type=module',
        '-e',
        `import { post } from './post.mjs';
         const asked = () => post('${origin}/introspect', ${JSON.stringify(ask)});
         const [one, other] = await Promise.all([asked(), asked()]);
         const fields = { grant_type: 'refresh_token', refresh_token: process.env.REFRESH_TOKEN };
         const { refresh_token } = await post('${origin}/token', fields);
         console.log(JSON.stringify({ isActive: one.active && other.active, refresh_token }));`,
      ],
      { CLIENT_SECRET: secret, REFRESH_TOKEN: refresh_token },
    ).then((stdout) => JSON.parse(stdout));
  assert.deepEqual([await bySecret(secret), await byKey()], [200, 401]);
  const before = await refreshWith(String(tokens.body['refresh_token']));
  assert.ok(before.isActive && before.refresh_token);

  const security = `/developer/applications/${client_id}/security`;
  const save = async (changes: Record<string, string>) =>
    alice.submit(await alice.visit(security), 'class="primary"', changes);
  await save({ token_endpoint_auth_method: 'private_key_jwt', jwks: JSON.stringify(jwks) });
  assert.deepEqual([await bySecret(secret), await byKey()], [401, 200]);
  const after = await refreshWith(before.refresh_token);
  assert.ok(after.isActive && after.refresh_token);
  // a refused request uses up no code
  const redeem = (proof: Record<string, string>) => send('/token', { ...form, code: unused, ...proof });
  assert.equal((await redeem({ client_secret: secret })).body['error'], 'invalid_client');
  assert.equal((await redeem(credentials())).status, 200);

  // the Activity page says more than the response
  const used = credentials();
  await send('/introspect', { ...ask, ...used });
  assert.equal((await send('/introspect', { ...ask, ...used })).body['error'], 'invalid_client');
  assert.match((await alice.visit(`/developer/applications/${client_id}/activity`)).text, /assertion used before/);

  const { text } = await save({ token_endpoint_auth_method: 'client_secret_basic' });
  const [another = ''] = /lk_cs_[\w-]{49}/.exec(text) ?? [];
  assert.deepEqual([await bySecret(another), await bySecret(secret), await byKey()], [200, 401, 401]);
});

test('requests in flight with the secret are repeated with the key, also where too many of them were refused', async (t) => {
  let [refused, answerOthers] = [0, () => {}];
  const first = new Promise<void>((resolve) => {
    answerOthers = resolve;
  });
  const strict = createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += part;
    const answer = (status: number, members: object) =>
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(members));
    if (!new URLSearchParams(body).has('client_secret')) return answer(200, { active: true });
    refused += 1;
    if (refused === 1) return answer(401, { error: 'invalid_client' });
    await first;
    return answer(429, { error: 'too_many_requests' });
  }).listen(0, '127.0.0.1');
  t.after(() => strict.close());
  await once(strict, 'listening');
  const { port } = strict.address() as AddressInfo;
  const before = process.env['CLIENT_SECRET'];
  process.env['CLIENT_SECRET'] = 'lk_cs_of-before';
  const { post } = await import(`${pathToFileURL(join(folder, 'post.mjs'))}`);
  if (before === undefined) delete process.env['CLIENT_SECRET'];
  const ask = () => post(`http://127.0.0.1:${port}/introspect`, { token: 'a token' });
  const [one, ...others] = [ask(), ask(), ask()];
  assert.deepEqual(await one, { active: true });
  answerOthers();
  assert.deepEqual(await Promise.all(others), [{ active: true }, { active: true }]);
  assert.deepEqual([await ask(), refused], [{ active: true }, 3]);
});

test('a server to which the key was not brought makes none of its own, which nobody would have registered', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'without-key-'));
  writeFileSync(join(elsewhere, 'key.mjs'), shown('key-program'));
  writeFileSync(join(elsewhere, 'post.mjs'), shown('moving-program'));
  await assert.rejects(run(process.execPath, ['post.mjs'], { cwd: elsewhere }), /ENOENT[^\n]*private\.pem/);
  assert.deepEqual(readdirSync(elsewhere).sort(), ['key.mjs', 'post.mjs']);
});

test('the button of FAPI 2.0 fills in a key, so where there are certificates the page says to choose the certificate again', async () => {
  const certificates = { TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' };
  const there = await startLatchkey(certificates, url);
  assert.match((await read(stronger.path, there.origin)).text, /choose your certificate again if you use one/);
  assert.doesNotMatch(page.text, /choose your certificate again/);
  await database.query('delete from clients where client_id = $1', [client_id]);
  await database.query(
    `select register_client(client_id => $1, name => 'My application', site_domain => 'app.example', owner => 'alice',
       redirect_uris => array['https://app.example/cb'], scopes => array['user'],
       token_endpoint_auth_method => 'self_signed_tls_client_auth', jwks => $2)`,
    [client_id, jwks],
  );
  const owner = await signedInBrowser(there.origin);
  const form = await owner.visit(`/developer/applications/${client_id}/security`);
  assert.match(form.text, /value="self_signed_tls_client_auth"[^>]* checked/);
  const filled = await owner.submit(form, 'class="primary"', { preset: 'fapi2' });
  assert.match(filled.text, /value="private_key_jwt"[^>]* checked/);
});
