import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createCredential } from '../../../src/lib/secrets.ts';
import {
  authorizationQuery,
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database, logged } = await startWithPrinter();
const other = { client_id: 'post-cards', client_secret: 'another-secret-that-a-machine-has-made-0123' };
await registerPrinter(database, { ...other, name: 'Post Cards' });
const browser = await signedInBrowser(origin);

type Line = Record<string, string | number | undefined>;
type Refused = { headers: Headers };

/** The one line of the log about this answer. */
async function lineOf({ headers }: Refused): Promise<Line> {
  const request_id = headers.get('x-request-id');
  const lines = () =>
    logged
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line['request_id'] === request_id && (line['status'] !== undefined || line['error']));
  while (lines().length === 0) await pause(5);
  const [line = {}, ...more] = lines();
  assert.deepEqual(more, [], 'one line for each refusal');
  return line;
}

async function reasonOf(answer: Refused | Promise<Refused>): Promise<unknown[]> {
  const { error, reason, client_id } = await lineOf(await answer);
  return [error, reason, client_id];
}

const refused = (error: string, reason: string, client_id = printer.client_id) => [error, reason, client_id];

const newCode = (changes = {}) => obtainCode(browser, { prompt: 'consent', ...changes });
const newTokens = async (changes = {}) => (await redeem(origin, await newCode(changes))).body;
const authorize = (changes: Record<string, string | undefined>) =>
  fetch(`${origin}/authorize?${authorizationQuery(changes)}`, { redirect: 'manual' });

test('the log states in one line why a code was refused: error, reason, client and request', async () => {
  const code = await newCode();
  const wrongUri = await redeem(origin, code, { redirect_uri: 'https://printer.example/other' });
  assert.deepEqual(await reasonOf(wrongUri), refused('invalid_grant', 'redirect URI differs'));
  const { method, path, status } = await lineOf(wrongUri);
  assert.deepEqual([method, path, status], ['POST', '/token', 400]);
  const stranger = { authorization: basic(other.client_id, other.client_secret) };
  assert.deepEqual(
    await reasonOf(redeem(origin, code, {}, stranger)),
    refused('invalid_grant', 'code of another client', other.client_id),
  );
  assert.deepEqual(
    await reasonOf(redeem(origin, code, { code_verifier: undefined })),
    refused('invalid_grant', 'verifier missing'),
  );
  assert.equal((await redeem(origin, code)).status, 200);
  assert.deepEqual(await reasonOf(redeem(origin, code)), refused('invalid_grant', 'code used before'));
  assert.deepEqual(await reasonOf(redeem(origin, code)), refused('invalid_grant', 'code used before'));
});

test('the log distinguishes codes that expired, were guessed, were revoked, were truncated or never existed', async () => {
  const guessed = await newCode();
  const wrong = { code_verifier: verifier.replace('a', 'b') };
  assert.deepEqual(await reasonOf(redeem(origin, guessed, wrong)), refused('invalid_grant', 'verifier wrong'));
  assert.deepEqual(await reasonOf(redeem(origin, guessed)), refused('invalid_grant', 'code revoked'));

  const unproved = await newCode({ code_challenge: undefined, code_challenge_method: undefined });
  assert.deepEqual(
    await reasonOf(redeem(origin, unproved)),
    refused('invalid_grant', 'verifier for a code without a challenge'),
  );
  assert.equal((await redeem(origin, unproved, { code_verifier: undefined })).status, 200);

  const late = await newCode();
  await database.query("update authorization_codes set expires_at = now() - interval '1 second'");
  assert.deepEqual(await reasonOf(redeem(origin, late)), refused('invalid_grant', 'code expired'));

  const taken = await newCode();
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  assert.deepEqual(await reasonOf(redeem(origin, taken)), refused('invalid_grant', 'grant revoked'));

  assert.deepEqual(await reasonOf(redeem(origin, taken.slice(0, -1))), refused('invalid_grant', 'code malformed'));
  assert.deepEqual(
    await reasonOf(redeem(origin, createCredential('authorization_code'))),
    refused('invalid_grant', 'code unknown'),
  );
});

test('the log states why a refresh token was refused', async () => {
  const first = await newTokens();
  const { body } = await refresh(origin, first['refresh_token']);
  await refresh(origin, body['refresh_token']);
  assert.deepEqual(
    await reasonOf(refresh(origin, first['refresh_token'])),
    refused('invalid_grant', 'refresh token used before'),
  );
  const late = await newTokens();
  await database.query("update authorization_codes set refresh_expires_at = now() - interval '1 second'");
  assert.deepEqual(
    await reasonOf(refresh(origin, late['refresh_token'])),
    refused('invalid_grant', 'refresh token expired'),
  );
  const ended = await newTokens();
  await post(`${origin}/revoke`, { token: String(ended['refresh_token']) });
  assert.deepEqual(await reasonOf(refresh(origin, ended['refresh_token'])), refused('invalid_grant', 'family revoked'));
  const stranger = { authorization: basic(other.client_id, other.client_secret) };
  assert.deepEqual(
    await reasonOf(refresh(origin, (await newTokens())['refresh_token'], {}, stranger)),
    refused('invalid_grant', 'refresh token of another client', other.client_id),
  );
});

test('the log states why client authentication failed', async () => {
  const ask = (authorization: string) => reasonOf(redeem(origin, 'x', {}, { authorization }));
  assert.deepEqual(await ask(basic(printer.client_id, 'wrong')), refused('invalid_client', 'secret wrong'));
  assert.deepEqual(await ask(basic('nobody', 'wrong')), refused('invalid_client', 'client unknown', 'nobody'));
  assert.deepEqual(await ask(`Basic ${btoa(`${printer.client_id}:`)}`), refused('invalid_client', 'secret missing'));
  assert.deepEqual(await ask('Basic ?'), ['invalid_client', 'Authorization header malformed', undefined]);
  await database.query('update clients set disabled_at = now() where client_id = $1', [other.client_id]);
  assert.deepEqual(
    await ask(basic(other.client_id, other.client_secret)),
    refused('invalid_client', 'client disabled', other.client_id),
  );
  assert.deepEqual(
    await reasonOf(authorize({ client_id: other.client_id })),
    refused('invalid_client', 'client disabled', other.client_id),
  );
  await database.query('update clients set disabled_at = null');
});

test('the log states why an access token was refused, and which user it belonged to', async () => {
  const live = await newTokens({ scope: 'user:email' });
  const change = (token: unknown) =>
    fetch(`${origin}/user`, { method: 'PATCH', headers: { authorization: `Bearer ${token}` } });
  assert.deepEqual(
    await reasonOf(change(live['access_token'])),
    refused('insufficient_scope', 'scope user:write not granted'),
  );
  await post(`${origin}/revoke`, { token: String(live['access_token']) });
  assert.deepEqual(
    await reasonOf(getUser(origin, live['access_token'])),
    refused('invalid_token', 'access token revoked'),
  );
  const late = await newTokens();
  await database.query("update access_tokens set expires_at = now() - interval '1 second'");
  assert.deepEqual(
    await reasonOf(getUser(origin, late['access_token'])),
    refused('invalid_token', 'access token expired'),
  );
  const unknown = await getUser(origin, createCredential('access_token'));
  assert.deepEqual(await reasonOf(unknown), ['invalid_token', 'access token unknown', undefined]);
});

test('errors that are sent by redirect or shown on a page are logged as well', async () => {
  assert.deepEqual(
    await reasonOf(authorize({ response_type: 'token' })),
    refused('unsupported_response_type', 'response_type must be code'),
  );
  assert.deepEqual(
    await reasonOf(authorize({ redirect_uri: 'https://evil.example/' })),
    refused('invalid_request', 'redirect_uri not registered'),
  );
  assert.deepEqual(await reasonOf(fetch(`${origin}/nowhere`)), [
    'not_found',
    'there is no page at this address',
    undefined,
  ]);
  const garbled = await fetch(`${origin}/token`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'x',
  });
  assert.equal((await lineOf(garbled))['error'], 'invalid_request');
});

test('the response omits the reason, and the log omits every secret', async () => {
  const code = await newCode();
  await redeem(origin, code);
  const { body } = await redeem(origin, code);
  assert.doesNotMatch(JSON.stringify(body), /before/);
  // a token in the place of a username
  const answer = await redeem(origin, 'x', { client_id: code, client_secret: 'y' }, { authorization: '' });
  assert.equal((await lineOf(answer))['client_id'], '(secret)');
});
