import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Request, Response } from 'express';
import { forwardedAddresses } from '../../src/web/request-log.ts';
import { authorizationQuery, basic, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { printer, startLatchkey, startWithPrinter } from '../support/latchkey.ts';

// the table of src/oauth/interface.md#limits-of-a-request
const { origin } = await startWithPrinter();
const browser = await signedInBrowser(origin);
const tooLong = (limit: number, beginning = '') => beginning + 'x'.repeat(limit + 1 - beginning.length);

/** The refusal of an authorization request: in the answer, or on the page where no answer may be sent. */
async function refusalOf(changes: Parameters<typeof authorizationQuery>[0]): Promise<string> {
  const { location, text } = await browser.open(`/authorize?${authorizationQuery(changes)}`);
  return location === undefined ? text : decodeURIComponent(location);
}

const ofAuthorization: [name: string, limit: number, beginning: string, refusal: RegExp][] = [
  ['client_id', 200, '', /client_id is too long/],
  ['redirect_uri', 2000, 'https://printer.example/', /redirect_uri is too long/],
  ['scope', 2000, '', /scope is too long/],
  ['state', 8192, '', /state is too long/],
  ['prompt', 200, '', /prompt is too long/],
  ['response_type', 200, '', /response_type is too long/],
  ['resource', 2000, 'https://a.example/', /error=invalid_target&error_description=resource is not .* or is too long/],
];

for (const [name, limit, beginning, refusal] of ofAuthorization) {
  test(`a ${name} of an authorization request has at most ${limit} characters`, async () => {
    assert.match(await refusalOf({ [name]: tooLong(limit, beginning) }), refusal);
    // an answer has no description of a limit if another rule refuses it
    assert.doesNotMatch(await refusalOf({ [name]: tooLong(limit - 1, beginning) }), /too long/);
  });
}

const ofToken: [name: string, limit: number][] = [
  ['grant_type', 200],
  ['code', 512],
  // with padding
  ['code_verifier', 130],
  ['client_secret', 512],
  ['client_assertion', 8192],
];

for (const [name, limit] of ofToken) {
  test(`a ${name} of a token request has at most ${limit} characters`, async () => {
    const code = await obtainCode(browser);
    const answer = async (value: string) => (await redeem(origin, code, { [name]: value })).body['error_description'];
    assert.equal(await answer(tooLong(limit)), `${name} is too long`);
    assert.notEqual(await answer(tooLong(limit - 1)), `${name} is too long`);
    assert.equal((await redeem(origin, await obtainCode(browser))).status, 200);
  });
}

test('the header with Basic has at most 4096 characters, which is enough for the longest secret', async () => {
  const code = await obtainCode(browser);
  const sent = (authorization: string) => redeem(origin, code, {}, { authorization });
  assert.equal((await sent(`Basic ${' '.repeat(4096)}${basic().slice(6)}`)).status, 401);
  assert.ok(`Basic ${btoa(`${'%7E'.repeat(200)}:${'%7E'.repeat(512)}`)}`.length <= 4096);
  assert.equal((await sent(`Basic ${' '.repeat(2000)}${basic().slice(6)}`)).status, 200);
});

test('a token of more than 8192 characters is refused, in the header or in the body', async () => {
  const answer = await fetch(`${origin}/user`, { headers: { authorization: `Bearer ${tooLong(8192, 'eyJ')}` } });
  assert.equal(answer.status, 401);
  assert.equal(
    (await post(`${origin}/introspect`, { token: tooLong(8192) })).body['error_description'],
    'token is too long',
  );
});

test('of X-Forwarded-For the last 32 addresses count', () => {
  const addresses = Array.from({ length: 1500 }, (_, index) => `192.0.2.${index % 250}:4711`);
  const req = { headers: { 'x-forwarded-for': addresses.join(',') } } as unknown as Request;
  forwardedAddresses(req, {} as Response, () => {});
  const kept = addresses.slice(-32).map((address) => address.split(':')[0]);
  assert.equal(req.headers['x-forwarded-for'], kept.join(', '));
});

test('a client_id that no client can have is not looked up at the sign-in page, which works all the same', async () => {
  const { status, text } = await browser.open(`/login?prompt=login&client_id=${'x'.repeat(9000)}`);
  assert.deepEqual([status, text.includes(printer.name)], [200, false]);
});

test('no document is fetched for a client_id that no client can have, wherever it is stated', async () => {
  const { origin: other } = await startLatchkey({ CLIENT_ID_DOCUMENTS: 'on' });
  const client_id = `https://app.example/${'x'.repeat(200)}`;
  for (const [values, authorization] of [
    [{ client_id }, ''],
    [{}, basic(client_id, 'x')],
  ] as const) {
    const { status, body } = await post(`${other}/par`, values, { authorization });
    assert.deepEqual([status, body['error']], [401, 'invalid_client']);
  }
});
