import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { registerClient } from '../../src/clients/client-registration.sql.ts';
import { createDpopKey, redeemWith, refreshWith } from '../support/dpop.ts';
import { authorizationQuery, basic, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'public', client_secret: null });
const browser = await signedInBrowser(origin);
const key = await createDpopKey();
const { client_id, client_secret } = printer;
const raw = (text: string) => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`;
// in base64, its credentials contain a plus sign
const tilde = { client_id: 'tilde', client_secret: '~'.repeat(40) };
await registerPrinter(database, tilde);
const ofTilde = raw(`${tilde.client_id}:${tilde.client_secret}`);

/** But for one thing, the first ones are the credentials of a client. */
const junk: [title: string, authorization: string][] = [
  ['nothing', 'Basic'],
  ['a space', 'Basic '],
  ['three parts', `${basic()} x`],
  ['a tab', basic().replace(' ', '\t')],
  ['two values in one header', `${basic()}, ${basic()}`],
  ['base64url', ofTilde.replaceAll('+', '-')],
  ['padding in the middle', `${basic().replace(/=*$/, '')}=AAAA`],
  ['another scheme', basic().replace('Basic', 'Bearer')],
  ['no colon', raw(client_id)],
  ['an empty username', raw(`:${client_secret}`)],
  ['an incomplete percent escape', raw(`${client_id}:%`)],
  ['NUL', raw(`${client_id}:${client_secret}%00`)],
  ['a raw NUL', raw(`${client_id}\0:${client_secret}`)],
  ['invalid UTF-8', raw(`${client_id}:\xff\xfe`)],
  ['a line break', raw(`${client_id}:${client_secret}\r\n`)],
  ['ten kilobytes', raw(`${client_id}:${'x'.repeat(10_000)}`)],
  ['a digest', 'Digest username="photo-printer"'],
];
test('the credentials that are spoilt below are right', async () => {
  for (const authorization of [basic(), ofTilde]) {
    const { status } = await post(`${origin}/introspect`, { token: 'x' }, { authorization });
    assert.equal(status, 200);
  }
  assert.match(ofTilde, /\+/);
});

for (const [title, authorization] of junk) {
  test(`Basic authentication with ${title} gets 401 invalid_client and spends nothing [A182]`, async () => {
    const code = await obtainCode(browser);
    const answer = await redeem(origin, code, {}, { authorization });
    assert.deepEqual([answer.status, answer.body['error']], [401, 'invalid_client']);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm="/);
    assert.equal((await redeem(origin, code)).status, 200);
  });
}

test('a public client may send its client_id by Basic with an empty password, and proves nothing with it [6749 §2.3.1]', async () => {
  const headers = { authorization: raw('public:') };
  const code = await obtainCode(browser, { client_id: 'public' });
  const wrong = await redeem(origin, code, {}, { authorization: raw('public:x') });
  assert.deepEqual([wrong.status, wrong.body['error']], [401, 'invalid_client']);
  const bound = await redeemWith(key, origin, code, {}, headers);
  assert.equal(bound.body['token_type'], 'DPoP');
  const refused = await refresh(origin, bound.body['refresh_token'], {}, headers);
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant'], 'bound as that of a public client');
  assert.equal((await refreshWith(key, origin, bound.body['refresh_token'], { headers })).status, 200);
  const confidential = await redeem(origin, await obtainCode(browser), {}, { authorization: raw(`${client_id}:`) });
  assert.equal(confidential.status, 401);
  assert.match(confidential.headers.get('www-authenticate') ?? '', /^Basic realm="/);
});

test('a secret must match in full: prefixes, extensions and other letter cases are refused [A184] [A190]', async () => {
  const code = await obtainCode(browser);
  for (const secret of [
    client_secret.slice(0, -1),
    `${client_secret}x`,
    client_secret.toUpperCase(),
    ` ${client_secret}`,
    client_secret.repeat(10),
    '',
    'null',
    // what the database holds of it
    (
      await database.query("select encode(secrets_sha256[1], 'hex') as digest from clients where client_id = $1", [
        client_id,
      ])
    ).rows[0].digest,
  ]) {
    const inBody = await redeem(origin, code, { client_id, client_secret: secret }, { authorization: '' });
    assert.deepEqual([inBody.status, inBody.body['error']], [401, 'invalid_client']);
    const byBasic = await redeem(origin, code, {}, { authorization: basic(client_id, secret) });
    assert.deepEqual([byBasic.status, byBasic.body['error']], [401, 'invalid_client']);
  }
  const long = await redeem(origin, code, { client_id, client_secret: 'x'.repeat(5000) }, { authorization: '' });
  assert.equal(long.body['error_description'], 'client_secret is too long');
  assert.equal((await redeem(origin, code)).status, 200);
});

test('no grant type and no endpoint lets a confidential client omit its secret [A187]', async () => {
  const code = await obtainCode(browser);
  const tokens = (await redeem(origin, await obtainCode(browser))).body;
  for (const credentials of [{ client_id }, { client_id, client_secret: '' }, { client_id: 'public' }, {}]) {
    const exchange = await redeem(origin, code, credentials, { authorization: '' });
    assert.ok(['invalid_client', 'invalid_grant'].includes(String(exchange.body['error'])));
    const again = await refresh(origin, tokens['refresh_token'], credentials, { authorization: '' });
    assert.ok(['invalid_client', 'invalid_grant'].includes(String(again.body['error'])));
    const introspected = await post(
      `${origin}/introspect`,
      { token: String(tokens['access_token']), ...credentials },
      { authorization: '' },
    );
    assert.notEqual(introspected.body['active'], true);
    await post(`${origin}/revoke`, { token: String(tokens['access_token']), ...credentials }, { authorization: '' });
  }
  assert.equal((await fetch(`${origin}/user?access_token=${tokens['access_token']}`)).status, 200);
  assert.equal((await redeem(origin, code)).status, 200);
});

test('during a rotation two secrets are valid, then only the new one [A191]', async () => {
  await registerPrinter(database, { client_id: 'rotating' });
  const next = 'the-next-secret-that-a-machine-has-made';
  const digest = createHash('sha256').update(next).digest();
  const works = async (secret: string) => {
    const code = await obtainCode(browser, { client_id: 'rotating' });
    return (await redeem(origin, code, {}, { authorization: basic('rotating', secret) })).status;
  };
  await database.query(
    "update clients set secrets_sha256 = $1::bytea || secrets_sha256, secrets_since = now() || secrets_since where client_id = 'rotating'",
    [digest],
  );
  assert.deepEqual([await works(client_secret), await works(next)], [200, 200]);
  await database.query(
    "update clients set secrets_sha256 = secrets_sha256[1:1], secrets_since = secrets_since[1:1] where client_id = 'rotating'",
  );
  assert.deepEqual([await works(client_secret), await works(next)], [401, 200]);
});

test('an unknown client and a wrong secret get the same answer [A175]', async () => {
  const ask = (authorization: string) =>
    post(`${origin}/token`, { grant_type: 'refresh_token', refresh_token: 'x' }, { authorization });
  const [wrong, unknown] = [await ask(basic(client_id, 'wrong')), await ask(basic('nobody', 'wrong'))];
  const sound = ({ status, body }: typeof wrong) => [status, body['error'], body['error_description']];
  assert.deepEqual(sound(wrong), sound(unknown));
});

test('error bodies use only the characters of the RFC, and repeat nothing of the request [6749 §5.2] [A196]', async () => {
  const marker = 'zq"\\<zq>\r\nzq\u{1F511}';
  for (const changes of [
    { grant_type: marker },
    { grant_type: 'authorization_code', code: marker },
    { grant_type: 'authorization_code', code: 'x', redirect_uri: marker, code_verifier: marker },
    { grant_type: 'refresh_token', refresh_token: marker, scope: marker },
    { grant_type: 'refresh_token', refresh_token: 'x', [marker]: ['a', 'b'] },
    { grant_type: 'refresh_token', refresh_token: 'x', client_id: marker },
  ]) {
    const { body, status } = await post(`${origin}/token`, changes);
    assert.ok(status >= 400);
    assert.match(String(body['error_description']), /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
    assert.match(String(body['error']), /^[a-z_]+$/);
    assert.doesNotMatch(JSON.stringify(body), /zq/);
  }
  const page = await browser.open(`/authorize?${authorizationQuery({ scope: marker, response_type: marker })}`);
  assert.match(page.location ?? '', /[?&]error=/);
  assert.doesNotMatch(page.location ?? '', /zq/);
});

test('a registration with a weak secret is refused [A302]', async () => {
  const weak = {
    ...printer,
    client_id: 'weak',
    redirect_uris: [printer.redirect_uri],
    scopes: ['user'],
    required_scopes: [],
  };
  await assert.rejects(
    registerClient(database, { ...weak, client_secret: 'short-secret' }),
    /has 12 characters, it needs at least 32/,
  );
  await assert.rejects(registerClient(database, { ...weak, client_secret: '' }), /0 characters/);
  const { rows } = await database.query('select c::text as line from clients c');
  assert.ok(!rows.some(({ line }) => line.includes(client_secret)));
});
