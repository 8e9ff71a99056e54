import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLatchkey } from '../support/latchkey.ts';

const { origin } = await startLatchkey();

const ask = async (path: string, accept: string, method = 'GET') => {
  const answer = await fetch(origin + path, { method, headers: { accept }, redirect: 'manual' });
  const text = await answer.text();
  const body: Record<string, string> = text.startsWith('{') ? JSON.parse(text) : {};
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    request_id: answer.headers.get('x-request-id'),
    text,
    body,
  };
};

test('an unknown address answers JSON to a client that asks for JSON', async () => {
  const { status, type, body, request_id } = await ask('/nowhere', 'application/json');
  assert.deepEqual([status, type], [404, 'application/json;charset=UTF-8']);
  assert.deepEqual(body, {
    error: 'not_found',
    error_description: 'there is no page at this address',
    error_uri: `${origin}/errors/not_found`,
    request_id,
  });
  assert.equal((await ask('/nowhere', 'application/json, text/plain, */*', 'POST')).status, 404);
});

test('an unknown address answers a page to a browser, and to a client that accepts anything', async () => {
  for (const accept of ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '*/*']) {
    const { status, type, text } = await ask('/nowhere', accept);
    assert.deepEqual([status, type], [404, 'text/html; charset=utf-8']);
    assert.match(text, /id="error"><code>not_found/);
  }
});

test('where only programs come, an unknown address answers JSON to a client that accepts anything, and a page to a browser', async () => {
  for (const path of ['/api/v3/nothing', '/applications/x/y', '/.well-known/openid-configuration']) {
    for (const accept of ['*/*', '']) {
      assert.equal((await ask(path, accept)).type, 'application/json;charset=UTF-8', `${path} ${accept}`);
    }
    assert.equal((await ask(path, 'text/html,*/*;q=0.8')).type, 'text/html; charset=utf-8', path);
  }
});

for (const path of ['/token/', '/oauth/token', '/oauth2/v2.0/token', '/TOKEN', '/oauth/access_token/']) {
  test(`${path} names the token endpoint, and does not redirect to it`, async () => {
    const { status, body } = await ask(path, 'application/json', 'POST');
    assert.equal(status, 404);
    assert.match(String(body['error_description']), new RegExp(`the token endpoint is ${origin}/token$`));
    assert.match((await ask(path, 'text/html', 'POST')).text, new RegExp(`the token endpoint is ${origin}/token<`));
  });
}

test('common names of the authorization endpoint, the user resource and the metadata are answered with the right address', async () => {
  const told = async (path: string) => (await ask(path, 'application/json')).body['error_description'];
  assert.match(
    String(await told('/oauth/authorize')),
    new RegExp(`the authorization endpoint is ${origin}/authorize$`),
  );
  assert.match(String(await told('/userinfo')), new RegExp(`the user endpoint is ${origin}/user$`));
  const metadata = `the server metadata is ${origin}/.well-known/oauth-authorization-server`;
  assert.match(String(await told('/.well-known/openid-configuration')), new RegExp(`${metadata}$`));
});

test('a long unknown path takes little CPU time', async () => {
  const cpuOf = async (path: string) => {
    const before = process.cpuUsage();
    for (let time = 0; time < 5; time += 1) assert.equal((await ask(path, 'application/json')).status, 404);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  await cpuOf('/nowhere');
  for (const hostile of [`/${'a'.repeat(15_000)}.`, `/a${'/'.repeat(15_000)}.`, '/a'.repeat(7_000)]) {
    const ms = await cpuOf(hostile);
    assert.ok(ms < 500, `${hostile.slice(0, 5)}…: ${ms} ms of CPU`);
  }
});
