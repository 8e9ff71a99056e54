// ci: takes the database away, and waits
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { startCutProxy } from '../support/cut-proxy.ts';
import { basic, encode, getUser, obtainCode, redeem, refresh, signedInBrowser, verifier } from '../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const direct = await startLatchkey();
const { database, url } = direct;
await registerPeople(database);
await registerPrinter(database);
const proxy = await startCutProxy(url);
after(() => proxy.close());
/** Reaches the same database through a line that can be cut. */
const { origin } = await startLatchkey({}, proxy.url);
const browser = await signedInBrowser(origin);

test('a connection cut before the database receives the statement causes 503, and the code stays valid [F6]', async () => {
  const code = await obtainCode(browser);
  proxy.cut('redeem_authorization_code', 'before');
  const lost = await redeem(origin, code);
  assert.deepEqual([lost.status, lost.body['error']], [503, 'temporarily_unavailable']);
  assert.equal((await redeem(origin, code)).status, 200);
});

test('a connection cut after the statement ran causes 503 without a retry, and redeeming again revokes the undelivered tokens [F7]', async () => {
  const code = await obtainCode(browser);
  proxy.cut('redeem_authorization_code', 'after');
  assert.equal((await redeem(origin, code)).status, 503);
  const { rows: live } = await database.query(
    'select from authorization_codes where refresh_token_sha256 is not null and revoked_at is null',
  );
  const again = await redeem(origin, code);
  assert.deepEqual([again.status, again.body['error']], [400, 'invalid_grant']);
  const { rows: left } = await database.query(
    'select from authorization_codes where refresh_token_sha256 is not null and revoked_at is null',
  );
  assert.equal(left.length, live.length - 1);
});

test('a refresh whose answer was lost gets the same successor again [F7] [F8]', async () => {
  const { body } = await redeem(origin, await obtainCode(browser));
  proxy.cut('rotate_refresh_token', 'after');
  assert.equal((await refresh(origin, body['refresh_token'])).status, 503);
  const second = await refresh(origin, body['refresh_token']);
  assert.equal(second.status, 200);
  await abandon('rotate_refresh_token', {
    grant_type: 'refresh_token',
    refresh_token: String(second.body['refresh_token']),
  });
  const third = await refresh(origin, second.body['refresh_token']);
  assert.equal(third.status, 200);
  assert.equal((await getUser(origin, third.body['access_token'])).status, 200);
});

test('a code is spent even when the client disconnects, and redeeming it again revokes its tokens [F8]', async () => {
  const code = await obtainCode(browser);
  await abandon('redeem_authorization_code', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: printer.redirect_uri,
    code_verifier: verifier,
  });
  assert.equal((await redeem(origin, code)).body['error'], 'invalid_grant');
});

/** Sends the request and hangs up when it has been done, before it is answered. */
async function abandon(statement: string, parameters: Record<string, string>): Promise<void> {
  const body = encode(parameters);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const closed = once(socket, 'close');
  proxy.whenDone(statement, () => socket.destroy());
  socket.write(
    `POST /token HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic()}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await closed;
}
