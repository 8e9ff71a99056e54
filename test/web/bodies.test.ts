import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendRaw } from '../support/attack.ts';
import { basic, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';

const { origin } = await startWithPrinter();

const send = (path: string, type: string | undefined, body: string | Uint8Array<ArrayBuffer>, method = 'POST') =>
  fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: { authorization: basic(), ...(type && { 'content-type': type }) },
    body,
  });
const formType = 'application/x-www-form-urlencoded';
const machines = ['/token', '/revoke', '/introspect', '/leaked', '/login/oauth/access_token'];

async function refusal(response: Response): Promise<Record<string, string>> {
  assert.equal(response.headers.get('content-type'), 'application/json;charset=UTF-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Record<string, string>;
}

test('request bodies of other content types are refused at every endpoint, without a crash [A19] [A20]', async () => {
  for (const path of machines) {
    for (const [type, body] of [
      ['text/plain', 'token=x'],
      ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nx\r\n--b--'],
      ['application/xml', '<token/>'],
      ['application/json-patch+json', '{"token":"x"}'],
      [`${formType}; charset=utf-7`, 'token=x'],
      [`${formType}; charset=iso-8859-1`, 'token=x'],
      [`${formType}, text/plain`, 'token=x'],
      ['application/json; charset=utf-16', '{"token":"x"}'],
      [undefined, new Uint8Array([255, 254, 0])],
    ] as const) {
      const { error } = await refusal(await send(path, type, body));
      assert.equal(error, 'invalid_request', `${path} ${type}`);
    }
  }
});

test('a compressed body is refused, so that 16 KiB stay 16 KiB', async () => {
  const response = await fetch(`${origin}/token`, {
    method: 'POST',
    headers: { 'content-type': formType, 'content-encoding': 'gzip', authorization: basic() },
    body: new Uint8Array([31, 139, 8, 0]),
  });
  assert.equal(response.status, 400);
});

test('every endpoint that takes a body answers 413 to more than 16 KiB, with Content-Length or in chunks', async () => {
  for (const path of [...machines, '/user', '/login', '/consent', '/logout']) {
    const body = `token=${'x'.repeat(17_000)}`;
    assert.equal((await send(path, formType, body)).status, 413, path);
    const lines = `Host: x\r\nConnection: close\r\nContent-Type: ${formType}\r\nTransfer-Encoding: chunked`;
    const { status } = await sendRaw(origin, [
      `POST ${path} HTTP/1.1\r\n${lines}\r\n\r\n`,
      ...Array(20).fill(`400\r\n${'x'.repeat(1024)}\r\n`),
      '0\r\n\r\n',
    ]);
    assert.equal(status, 413, path);
  }
});

test('a form with many boxes may have 64 KiB, if a signed-in person sends it', async () => {
  const person = await signedInBrowser(origin);
  for (const path of ['/consent', '/account/applications/photo-printer']) {
    const init = { method: 'POST', headers: { 'content-type': formType } };
    const statusOf = async (length: number) =>
      (await person.open(path, { ...init, body: `scope=${'x'.repeat(length)}` })).status;
    assert.notEqual(await statusOf(65_000), 413, path);
    assert.equal(await statusOf(66_000), 413, path);
  }
});

test('thousands of parameters are refused quickly, in a body and in a query [A4]', async () => {
  const flood = Array.from({ length: 3000 }, (_, index) => `a${index}=`).join('&');
  const start = process.cpuUsage();
  assert.equal((await send('/token', formType, flood)).status, 413);
  assert.equal((await send('/token', formType, flood.slice(0, 16_000))).status, 400);
  assert.equal((await fetch(`${origin}/user?${flood.slice(0, 12_000)}`)).status, 400);
  // of this process, which includes the server: independent of what else the machine does
  const { user } = process.cpuUsage(start);
  assert.ok(user < 1_000_000, `${user} microseconds of work`);
});

test('JSON with duplicate members, lists, objects, numbers, lone surrogates, deep nesting or prototype keys is refused or ignored [A22] [A23]', async () => {
  const token = '"grant_type":"refresh_token"';
  for (const [body, description] of [
    [`{${token},"refresh_token":"one","refresh_token":"two"}`, 'a parameter is sent more than once'],
    [`{${token},"refresh_token":"","refresh_token":"x"}`, 'a parameter is sent more than once'],
    [`{${token},"\\u0072efresh_token":"one","refresh_token":"two"}`, 'a parameter is sent more than once'],
    [`{${token},"refresh_token":{"$ne":1}}`, 'refresh_token is not a string'],
    [`{${token},"refresh_token":["x"]}`, 'refresh_token is not a string'],
    [`{${token},"refresh_token":1e999}`, 'refresh_token is not a string'],
    [`{${token},"refresh_token":null}`, 'refresh_token is not a string'],
    [`{${token},"__proto__":{"refresh_token":"x"}}`, '__proto__ is not a string'],
    [`{${token},"refresh_token":"\\udfff"}`, 'refresh_token contains a character that cannot be stored'],
    [`{${token},"refresh_token":"\\u0000"}`, 'refresh_token contains a character that cannot be stored'],
    ['['.repeat(16_000), 'the body is not valid JSON'],
    [`${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`, 'a is not a string'],
    ['"refresh_token"', 'the body is not a JSON object'],
    ['null', 'the body is not a JSON object'],
    [`{${token},"refresh_token":"x","__proto__":"x","constructor":"x","toString":"x"}`, undefined],
    [`{${token},"refresh_token":"a \\" and a \\\\","x":"{\\"y\\":\\"z\\"}"}`, undefined],
  ] as const) {
    const answer = await refusal(await send('/token', 'application/json', body));
    const [error, said] = [answer['error'], answer['error_description']];
    if (description === undefined) assert.equal(error, 'invalid_grant', body.slice(0, 60));
    else assert.deepEqual([error, said], ['invalid_request', description], body.slice(0, 60));
  }
  assert.equal(({} as Record<string, unknown>)['refresh_token'], undefined);
});
