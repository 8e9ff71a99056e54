import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Browser, formRequest, type Page } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  encode,
  getUser,
  obtainCode,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../../support/flow.ts';
import { type Latchkey, printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

async function start(env: Record<string, string>): Promise<Latchkey & { alice: Browser }> {
  const latchkey = await startLatchkey(env);
  await registerPeople(latchkey.database);
  await registerPrinter(latchkey.database, { redirect_uris: [printer.redirect_uri, `${printer.redirect_uri}/2`] });
  return { ...latchkey, alice: await signedInBrowser(latchkey.origin) };
}

const plain = await start({});
const { origin, database, alice } = plain;
const withPath = await start({ ISSUER: '/auth' });
const issuerOf = ({ deps }: Latchkey, path: string) => `${deps.config.issuer}${path.replace('/authorize', '')}`;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const dialects = ['/authorize', '/login/oauth/authorize'];

/** What the answer says, wherever it says it. */
function answerIn(page: Page): Record<string, string> {
  if (page.location !== undefined) return Object.fromEntries(new URL(page.location).searchParams);
  return Object.fromEntries(new URLSearchParams(String(formRequest(page, 'id="continue"')[1].body)));
}

for (const server of [plain, withPath]) {
  for (const path of dialects) {
    const issuer = issuerOf(server, path);
    const at = (changes: Parameters<typeof authorizationQuery>[0]) => `${path}?${authorizationQuery(changes)}`;

    test(`every answer of ${path} below ${server.deps.config.base || '/'} names its own issuer, whose metadata leads to it [A368] [A92]`, async () => {
      const { alice, database, deps } = server;
      await database.query('delete from grants');
      const submit = async (button: string, changes = {}) => alice.submit(await alice.visit(at(changes)), button);
      const answers = [
        await alice.visit(at({ scope: '"' })),
        await alice.visit(at({ prompt: 'none' })),
        await alice.visit(at({ response_mode: 'form_post', prompt: 'none' })),
        await submit('id="deny"'),
        await submit('id="deny"', { response_mode: 'form_post' }),
        await submit('id="allow"'),
        await submit('id="allow"', { response_mode: 'form_post', prompt: 'consent' }),
        await alice.visit(path, { method: 'POST', body: authorizationQuery(), headers: form }),
      ];
      for (const answer of answers) assert.equal(answerIn(answer)['iss'], issuer);
      const url = `${server.origin}/.well-known/oauth-authorization-server${issuer.slice(server.origin.length)}`;
      const metadata = await (await fetch(url)).json();
      assert.deepEqual([metadata.issuer, metadata.authorization_endpoint], [issuer, `${deps.config.issuer}${path}`]);
    });
  }
}

test('a sign-in form of one issuer sent to the other is answered by the other, under its own name [A368]', async () => {
  await database.query('delete from grants');
  const query = authorizationQuery({ prompt: 'login' });
  const [path, init] = formRequest(await alice.visit(`/authorize?${query}`), 'id="login"', {
    username: 'alice',
    password: 'wonderland',
  });
  const consent = await alice.visit(path.replace('/login?', '/login/oauth/login?'), init);
  assert.match(consent.text, /Your username/, 'its own consent page');
  assert.equal(answerIn(await alice.submit(consent, 'id="deny"'))['iss'], `${origin}/login/oauth`);
});

const redeemAsGithub = async (parameters: Parameters<typeof encode>[0]) => {
  const headers = { ...form, authorization: basic(), accept: 'application/json' };
  const body = encode(parameters);
  const response = await fetch(`${origin}/login/oauth/access_token`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
};
const redirect_uri = printer.redirect_uri;
const code_verifier = verifier;

test('PKCE, the redirection URI and the single use of a code hold at both token addresses, whichever issued it [A367]', async () => {
  for (const path of dialects) {
    const issue = (changes = {}) => obtainCode(alice, { prompt: 'consent', ...changes }, {}, path);
    const code = await issue();
    const second = `${redirect_uri}/2`;
    assert.equal(
      (await redeemAsGithub({ code: await issue({ redirect_uri: second }), redirect_uri, code_verifier })).status,
      400,
    );
    assert.equal((await redeemAsGithub({ code: await issue(), redirect_uri })).status, 400, 'no verifier');
    assert.equal((await redeem(origin, await issue(), { code_verifier: undefined })).status, 400, 'no verifier');
    const { status, body } = await redeemAsGithub({ code, redirect_uri, code_verifier });
    assert.equal(status, 200);
    assert.equal((await redeem(origin, code)).status, 400, 'used at the other address');
    assert.equal((await getUser(origin, body.access_token)).status, 401, 'and that ends what it produced');
  }
});

test('a refresh token works at both token addresses, with the scopes of its grant [A367]', async () => {
  const code = await obtainCode(
    alice,
    { prompt: 'consent', scope: 'user repo' },
    { scope: ['user:name', 'repo:read'] },
  );
  const first = (await redeem(origin, code)).body;
  const second = (await redeemAsGithub({ grant_type: 'refresh_token', refresh_token: String(first['refresh_token']) }))
    .body;
  assert.equal(second.scope, 'user:name,repo:read');
  assert.equal((await refresh(origin, second.refresh_token)).body['scope'], 'user:name repo:read');
});

test('a grant given at /authorize does not answer prompt=none where the username is part of every answer [A367]', async () => {
  await database.query('delete from grants');
  await obtainCode(alice);
  const silent = (path: string) => alice.visit(`${path}?${authorizationQuery({ prompt: 'none' })}`);
  assert.equal(answerIn(await silent('/login/oauth/authorize'))['error'], 'consent_required');
  await obtainCode(alice, { prompt: 'consent' }, {}, '/login/oauth/authorize');
  assert.ok(answerIn(await silent('/login/oauth/authorize'))['code']);
  assert.ok(answerIn(await silent('/authorize'))['code']);
});
