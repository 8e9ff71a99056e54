import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { formRequest, type Page } from '../support/browser.ts';
import { authorizationQuery, challenge, encode, getUser, post, redeem, signedInBrowser } from '../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'strange' });
await database.query("update clients set vouched = false where client_id = 'strange'");
const app = 'example.printer.app:/callback';
await registerPrinter(database, { client_id: 'app', client_secret: null, redirect_uris: [app] });
const browser = await signedInBrowser(origin);

const request = (changes: Parameters<typeof authorizationQuery>[0] = {}, path = '/authorize') =>
  `${path}?${authorizationQuery({ response_mode: 'jwt', ...changes })}`;

/** The JWT that the client receives and nothing else, in a query or in the form of a page. */
function responseIn(page: Page, redirect_uri = printer.redirect_uri): string {
  const [address, parameters] =
    page.location === undefined
      ? formOf(page)
      : [page.location.replace(/\?.*/, ''), new URL(page.location).searchParams];
  assert.equal(address, redirect_uri);
  assert.deepEqual([...parameters.keys()], ['response']);
  return parameters.get('response') ?? '';
}

function formOf(page: Page): [string, URLSearchParams] {
  const [action, { body }] = formRequest(page, 'id="continue"');
  return [action, new URLSearchParams(String(body))];
}

const keys = createRemoteJWKSet(new URL(`${origin}/jwks`), { cooldownDuration: 0 });

/** The parameters of a signed answer, after everything has been verified that a client verifies [JARM §2.4]. */
async function verified(jwt: string, { issuer = origin, audience = printer.client_id } = {}): Promise<JWTPayload> {
  const { payload } = await jwtVerify(jwt, keys, { issuer, audience, algorithms: ['ES256'], requiredClaims: ['exp'] });
  const { iss, aud, exp = 0, ...parameters } = payload;
  assert.ok(exp > Date.now() / 1000 && exp <= Date.now() / 1000 + 600, 'it is valid for ten minutes at most');
  return parameters;
}

for (const [path, issuer] of [
  ['/authorize', origin],
  ['/login/oauth/authorize', `${origin}/login/oauth`],
] as const) {
  for (const [response_mode, isForm] of [
    ['jwt', false],
    ['query.jwt', false],
    ['form_post.jwt', true],
  ] as const) {
    test(`with response_mode=${response_mode}, ${path} answers by one signed JWT for this client [JARM §2.3]`, async () => {
      await database.query('delete from grants');
      const state = 'a "b" <é>&\r\n';
      const page = await browser.submit(await browser.visit(request({ response_mode, state }, path)), 'id="allow"');
      assert.equal(page.location === undefined, isForm);
      const { code, ...others } = await verified(responseIn(page), { issuer });
      assert.deepEqual(others, { state });
      assert.equal((await redeem(origin, String(code))).status, 200);
      const remembered = await browser.visit(request({ response_mode, state: undefined, prompt: 'none' }, path));
      assert.deepEqual(Object.keys(await verified(responseIn(remembered), { issuer })), ['code']);
    });
  }
}

test('errors and a refusal are signed, too', async () => {
  await database.query('delete from grants');
  for (const response_mode of ['jwt', 'form_post.jwt']) {
    for (const [changes, error] of [
      [{ scope: 'nonsense' }, 'invalid_scope'],
      [{ prompt: 'none' }, 'consent_required'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
    ] as const) {
      const answer = await verified(responseIn(await browser.visit(request({ response_mode, ...changes }))));
      assert.deepEqual([answer['error'], answer['state']], [error, 'the-state']);
    }
    const denied = await browser.submit(await browser.visit(request({ response_mode })), 'id="deny"');
    assert.equal((await verified(responseIn(denied)))['error'], 'access_denied');
  }
});

test('to a client that no administrator vouches for, a signed error is sent by a press of a button only', async () => {
  for (const response_mode of ['jwt', 'form_post.jwt']) {
    const page = await browser.visit(request({ client_id: 'strange', response_mode, prompt: 'none' }));
    assert.deepEqual([page.status, page.location], [400, undefined]);
    const [, link] = /id="continue"[^>]* href="([^"]+)"/.exec(page.text) ?? [];
    const answer = responseIn(link === undefined ? page : { ...page, location: link });
    assert.equal((await verified(answer, { audience: 'strange' }))['error'], 'consent_required');
  }
});

test('a form cannot be posted to an app: the signed error is in the query', async () => {
  const client = { client_id: 'app', redirect_uri: app };
  const page = await browser.visit(request({ ...client, response_mode: 'form_post.jwt' }));
  const answer = await verified(responseIn(page, app), { audience: 'app' });
  assert.equal(answer['error'], 'invalid_request');
  const allowed = await browser.submit(
    await browser.visit(request({ ...client, code_challenge: challenge })),
    'id="allow"',
  );
  assert.ok((await verified(responseIn(allowed, app), { audience: 'app' }))['code']);
});

test('a pushed request is answered as it asked, not as the query beside it asks', async () => {
  const pushed = Object.fromEntries(
    new URLSearchParams(authorizationQuery({ response_mode: 'jwt', prompt: 'consent' })),
  );
  const { body } = await post(`${origin}/par`, pushed);
  const query = encode({
    client_id: printer.client_id,
    request_uri: String(body['request_uri']),
    response_mode: 'query',
  });
  const page = await browser.submit(await browser.visit(`/authorize?${query}`), 'id="allow"');
  assert.ok((await verified(responseIn(page)))['code']);
});

test('a signed answer is no access token, although the same key signed it [A406]', async () => {
  const answer = responseIn(await browser.visit(request({ prompt: 'none', scope: 'nonsense' })));
  assert.equal((await getUser(origin, answer)).status, 401);
  assert.deepEqual((await post(`${origin}/introspect`, { token: answer })).body, { active: false });
});

test('an answer that cannot be signed is an error page, and no unsigned answer', async () => {
  const broken = await startWithPrinter();
  const person = await signedInBrowser(broken.origin);
  await broken.database.query('alter table signing_keys rename to elsewhere');
  for (const changes of [{ scope: 'nonsense' }, { prompt: 'none' }]) {
    const page = await person.open(request(changes));
    assert.deepEqual([page.status, page.location], [503, undefined]);
    assert.match(page.text, /id="error"><code>temporarily_unavailable</);
  }
});
