import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { formRequest } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../../support/flow.ts';
import { printer, registerPrinter, registerResource, startWithPrinter } from '../../support/latchkey.ts';

// Tokens for the resources of other servers [8707]. The printer has registered user, user:write and repo.

const { origin, database, logged } = await startWithPrinter();
const api = 'https://api.example/';
const mail = 'https://mail.example/v1';
for (const client_id of ['the-api', 'the-mail', 'a-server']) {
  await registerPrinter(database, { client_id, resource_server: client_id === 'a-server' });
}
const browser = await signedInBrowser(origin);

beforeEach(async () => {
  await database.query('delete from grants');
  await registerResource(database, api, ['repo'], 'the-api');
  await registerResource(database, mail, ['user:email', 'repo:read'], 'the-mail');
});

const scope = 'user repo';
const codeFor = (...resource: string[]) => obtainCode(browser, { scope, resource });
const tokensFor = async (...resource: string[]) => (await redeem(origin, await codeFor(...resource))).body;
const introspect = async (token: unknown, client_id = printer.client_id) =>
  (await post(`${origin}/introspect`, { token: String(token) }, { authorization: basic(client_id) })).body;

/** The error of a request for a token, which spends nothing. */
const refusal = async (answer: ReturnType<typeof redeem>) => {
  const { status, body } = await answer;
  return status === 400 ? body['error'] : status;
};

test('a token is for the resource of the authorization request, with the scopes that the resource knows', async () => {
  const { access_token, refresh_token, scope } = await tokensFor(api);
  assert.equal(scope, 'repo');
  const { active, aud } = await introspect(access_token);
  assert.deepEqual([active, aud], [true, api]);
  const renewed = (await refresh(origin, refresh_token)).body;
  assert.deepEqual([renewed['scope'], (await introspect(renewed['access_token']))['aud']], ['repo', api]);
});

test('a request for the issuer is a request without a resource', async () => {
  const { access_token, scope } = await tokensFor(origin);
  assert.equal(scope, 'user repo');
  assert.equal((await getUser(origin, access_token)).body['username'], 'alice');
  assert.equal('aud' in (await introspect(access_token)), false);
  const code = await codeFor();
  assert.equal((await redeem(origin, code, { resource: origin })).status, 200, 'also if only /token names it');
});

test('an origin is one resource with and without its final slash, in tokens spelled as it was registered [3986 §6.2.3]', async () => {
  for (const spelling of ['https://api.example', api]) {
    const code = await codeFor(spelling);
    const { body } = await redeem(origin, code, { resource: spelling === api ? 'https://api.example' : api });
    assert.equal((await introspect(body['access_token']))['aud'], api);
    const renewed = await refresh(origin, body['refresh_token'], { resource: 'https://api.example' });
    assert.equal((await introspect(renewed.body['access_token']))['aud'], api);
  }
  assert.equal((await redeem(origin, await codeFor(`${origin}/`), { resource: `${origin}/` })).status, 200);
  const { body } = await redeem(origin, await codeFor(api, 'https://api.example'));
  assert.equal((await introspect(body['access_token']))['aud'], api, 'both spellings are one resource');
  assert.equal(
    await refusal(redeem(origin, await codeFor(mail), { resource: `${mail}/` })),
    'invalid_target',
    'a path is not',
  );
});

test('a registration with the other spelling of an origin changes the resource and adds none', async () => {
  await registerResource(database, 'https://api.example', ['repo:read'], 'the-api');
  const { rows } = await database.query("select resource, scopes from resources where resource ~ 'api.example'");
  assert.deepEqual(rows, [{ resource: api, scopes: ['repo:read'] }]);
});

test('if both spellings of an origin were registered at the same moment, each token is for the one that its request names', async (t) => {
  const spellings = ['https://twice.example/', 'https://twice.example'];
  t.after(() => database.query('delete from resources where resource = any ($1)', [spellings]));
  await database.query('select register_resource($1, $2)', [spellings[0], ['repo']]);
  // release 1.1.0 registered both, if they came at the same moment
  await database.query(
    `insert into resources
     select (jsonb_populate_record(resources, jsonb_build_object('resource', $2::text))).*
     from resources
     where resource = $1`,
    spellings,
  );
  for (const resource of spellings) {
    const { body } = await redeem(origin, await codeFor(...spellings), { resource });
    assert.equal((await introspect(body['access_token']))['aud'], resource);
    const renewed = await refresh(origin, body['refresh_token'], { resource });
    assert.equal((await introspect(renewed.body['access_token']))['aud'], resource);
  }
});

test('scopes that only one other resource knows mean it, if the request names none', async () => {
  await registerResource(database, mail, ['user:email'], 'the-mail');
  const audienceOf = async (scope: string | undefined, resource?: string) => {
    const { body } = await redeem(origin, await obtainCode(browser, { scope, resource }));
    return { aud: (await introspect(body['access_token']))['aud'], scope: body['scope'] };
  };
  assert.deepEqual(await audienceOf('repo:read'), { aud: api, scope: 'repo:read' }, 'no wider than asked');
  assert.deepEqual(await audienceOf('repo'), { aud: api, scope: 'repo' });
  assert.deepEqual(await audienceOf('user:email'), { aud: undefined, scope: 'user:email' }, 'known at /user, too');
  assert.equal((await audienceOf('repo user:name')).aud, undefined);
  assert.equal((await audienceOf(undefined)).aud, undefined);
  assert.equal((await audienceOf('repo:read', origin)).aud, undefined, 'it names this server');
  await registerResource(database, mail, ['repo:read'], 'the-mail');
  assert.equal((await audienceOf('repo:read')).aud, undefined, 'two know it');
  assert.equal((await audienceOf('repo')).aud, api);
});

test('without a scope, a request is for those scopes of the client that the resource knows', async () => {
  const { body } = await redeem(origin, await obtainCode(browser, { scope: undefined, resource: mail }));
  assert.equal(body['scope'], 'user:email repo:read');
});

test('scopes that the resource does not know are neither shown nor granted; if none is left, the request is refused', async () => {
  const page = await browser.visit(`/authorize?${authorizationQuery({ scope, resource: mail })}`);
  const boxes = [...page.text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(boxes, ['user:email', 'repo:read']);
  const refused = await browser.open(`/authorize?${authorizationQuery({ scope: 'user:name', resource: mail })}`);
  assert.equal(new URL(refused.location ?? '').searchParams.get('error'), 'invalid_scope');
});

test('with several resources, each token request names one, and gets the scopes that this one knows [A352]', async () => {
  const code = await codeFor(api, mail, api, origin);
  assert.equal(await refusal(redeem(origin, code)), 'invalid_target');
  assert.equal(await refusal(redeem(origin, code, { resource: [api, mail] })), 'invalid_target');
  const first = await redeem(origin, code, { resource: [mail, mail] });
  assert.deepEqual([first.status, first.body['scope']], [200, 'user:email repo:read']);
  assert.equal(await refusal(refresh(origin, first.body['refresh_token'])), 'invalid_target');
  const second = await refresh(origin, first.body['refresh_token'], { resource: api });
  assert.deepEqual([second.status, second.body['scope']], [200, 'repo']);
  const third = await refresh(origin, second.body['refresh_token'], { resource: origin });
  assert.equal(third.body['scope'], 'user repo');
  for (const [{ body }, aud] of [
    [first, mail],
    [second, api],
    [third, undefined],
  ] as const) {
    assert.equal((await introspect(body['access_token']))['aud'], aud);
  }
  assert.equal((await getUser(origin, third.body['access_token'])).status, 200);
});

test('resource is the only parameter that may be repeated; more than ten values are refused [A352]', async () => {
  const errorOf = async (changes: Parameters<typeof authorizationQuery>[0]) => {
    const { location } = await browser.open(`/authorize?${authorizationQuery({ prompt: 'none', ...changes })}`);
    return new URL(location ?? '').searchParams.get('error');
  };
  assert.equal(await errorOf({ scope, resource: [api, mail] }), 'consent_required');
  assert.equal(await errorOf({ scope: ['user', 'repo'], resource: api }), 'invalid_request');
  const eleven = Array.from({ length: 11 }, (_, index) => `${api}${index}`);
  for (const resource of eleven) await registerResource(database, resource, ['repo']);
  assert.equal(await errorOf({ scope, resource: eleven.slice(1) }), 'consent_required');
  assert.equal(await errorOf({ scope, resource: eleven }), 'invalid_target');
  for (const resource of [`${api},${mail}`, `${api} ${mail}`]) {
    assert.equal(await errorOf({ scope, resource }), 'invalid_target', resource);
  }
});

const malformed: [resource: string, error?: string][] = [
  ['api.example'],
  ['/v1'],
  ['//api.example'],
  ['self'],
  ['https://api.example/#x'],
  ['https://api.example/#'],
  ['https://u@api.example/'],
  ['javascript:1'],
  ['urn:x'],
  ['https://api.example/\u202e'],
  ['https://api.example/"><script>'],
  [`${api}${'x'.repeat(4000)}`],
  ['https://api.example/%2e%2e/'],
  ['HTTPS://API.EXAMPLE/'],
  ['https://api.example//'],
  ['https://api.example?'],
  ['https://api.example:443/'],
  ['https://api.example/\0', 'invalid_request'],
];
test('a resource that is malformed, unknown or spelled in another way is refused everywhere, without being repeated [A349]', async () => {
  const code = await codeFor(api);
  const { refresh_token } = await tokensFor(api);
  for (const [resource, error = 'invalid_target'] of malformed) {
    for (const path of ['/authorize', '/login/oauth/authorize']) {
      const { location, status } = await browser.open(`${path}?${authorizationQuery({ scope, resource })}`);
      const told = location === undefined ? undefined : new URL(location).searchParams;
      // a query that cannot be read has no target that could be trusted
      assert.deepEqual(
        [status, told?.get('error')],
        resource.includes('\0') ? [400, undefined] : [302, error],
        resource,
      );
      assert.match(told?.get('error_description') ?? '', /^[\w ,.:;]*$/);
    }
    const changes = { resource };
    assert.equal(await refusal(redeem(origin, code, changes)), error, resource);
    assert.equal(await refusal(refresh(origin, refresh_token, changes)), error, resource);
  }
  assert.equal((await redeem(origin, code, { resource: '' })).status, 200, 'an empty one counts as absent');
  assert.equal((await refresh(origin, refresh_token, { resource: api })).status, 200);
});

test('a resource that the client may not have gets the answer of an unknown one, before any consent page [A350]', async () => {
  await database.query(
    "insert into scopes (name, group_name, sentence) values ('door', 'door', 'Open') on conflict do nothing",
  );
  const foreign = 'https://door.example/';
  await registerResource(database, foreign, ['door']);
  const answers = [];
  for (const resource of [foreign, 'https://unknown.example/']) {
    for (const path of ['/authorize', '/login/oauth/authorize']) {
      const request = authorizationQuery({ scope, resource: [api, resource] });
      const { location } = await browser.open(`${path}?${request}`);
      assert.equal(location?.startsWith(`${printer.redirect_uri}?error=invalid_target`), true);
      const form = { method: 'POST', body: new URLSearchParams(request) };
      assert.equal((await browser.visit(path, form)).location, location);
      answers.push(location?.replace('%2Flogin%2Foauth', ''));
    }
  }
  assert.equal(new Set(answers).size, 1);
  assert.ok(logged.some((line) => line.includes('"reason":"resource unknown"')));
  assert.ok(logged.some((line) => line.includes('"reason":"resource knows no scope of the client"')));
});

test('people are not sent to a client that nobody vouches for because of its resource [A350]', async () => {
  await database.query('update clients set vouched = false where client_id = $1', [printer.client_id]);
  const page = await browser.open(`/authorize?${authorizationQuery({ resource: 'https://unknown.example/' })}`);
  assert.deepEqual([page.status, page.location], [400, undefined]);
  assert.match(page.text, /id="error"><code>invalid_target</);
  await database.query('update clients set vouched = true where client_id = $1', [printer.client_id]);
});

for (const [what, change] of [
  ['is deleted', 'delete from resources where resource = $1'],
  ['is disabled by a seed that no longer names it', 'update resources set disabled_at = now() where resource = $1'],
  ['knows none of the scopes any more', "update resources set scopes = '{user:name}' where resource = $1"],
] as const) {
  test(`when a resource ${what}, its tokens end and no other token is given instead; nothing is spent [A350]`, async () => {
    const code = await codeFor(api);
    const { access_token, refresh_token } = await tokensFor(api);
    await database.query(change, [api]);
    assert.equal(await refusal(redeem(origin, code)), 'invalid_target');
    assert.equal(await refusal(redeem(origin, code, { resource: origin })), 'invalid_target');
    assert.equal(await refusal(refresh(origin, refresh_token)), 'invalid_target');
    for (const client_id of [printer.client_id, 'the-api']) {
      assert.deepEqual(await introspect(access_token, client_id), { active: false });
    }
    await registerResource(database, api, ['repo'], 'the-api');
    assert.equal((await redeem(origin, code)).status, 200);
    assert.equal((await refresh(origin, refresh_token)).status, 200);
    assert.equal((await introspect(access_token, 'the-api'))['active'], true);
  });
}

test('a code and a refresh token are for the resources of their authorization request only', async () => {
  const code = await codeFor(api);
  const { refresh_token } = await tokensFor(api);
  for (const resource of [mail, origin]) {
    assert.equal(await refusal(redeem(origin, code, { resource })), 'invalid_target');
    assert.equal(await refusal(refresh(origin, refresh_token, { resource })), 'invalid_target');
  }
  assert.equal((await redeem(origin, code, { resource: api })).status, 200);
  assert.equal((await refresh(origin, refresh_token, { resource: api })).status, 200);
  assert.equal(await refusal(redeem(origin, await codeFor(), { resource: api })), 'invalid_target');
});

test('a repeated refresh repeats the token of the same resource, and gives another one for another resource', async () => {
  const { refresh_token } = (await redeem(origin, await codeFor(api, mail), { resource: api })).body;
  const first = await refresh(origin, refresh_token, { resource: api });
  const again = await refresh(origin, refresh_token, { resource: api });
  assert.equal(again.body['access_token'], first.body['access_token']);
  const other = await refresh(origin, refresh_token, { resource: mail });
  assert.equal(other.body['refresh_token'], first.body['refresh_token']);
  assert.equal((await introspect(other.body['access_token']))['aud'], mail);
  assert.equal((await introspect(first.body['access_token']))['aud'], api, 'nothing is revoked');
  assert.equal((await refresh(origin, first.body['refresh_token'], { resource: mail })).status, 200);
});

test('a repeated refresh states the scopes that the resource still knows', async () => {
  const { refresh_token } = await tokensFor(api);
  assert.equal((await refresh(origin, refresh_token)).body['scope'], 'repo');
  await registerResource(database, api, ['repo:read'], 'the-api');
  const { body } = await refresh(origin, refresh_token);
  assert.deepEqual([body['scope'], (await introspect(body['access_token']))['scope']], ['repo:read', 'repo:read']);
});

test('parallel refreshes for two resources get tokens for theirs beside one refresh token, or are asked to try again', async () => {
  const { refresh_token } = (await redeem(origin, await codeFor(api, mail), { resource: api })).body;
  const asked = Array.from({ length: 20 }, (_, index) => [api, mail][index % 2]);
  const answers = await Promise.all(asked.map((resource) => refresh(origin, refresh_token, { resource })));
  const successors = new Set<unknown>();
  for (const [index, { status, body }] of answers.entries()) {
    if (status === 503) continue;
    assert.equal((await introspect(body['access_token']))['aud'], asked[index]);
    successors.add(body['refresh_token']);
  }
  assert.equal(successors.size, 1);
  assert.equal((await refresh(origin, [...successors][0], { resource: mail })).status, 200);
});

test('when the person allows nothing that one of several resources knows, there is no token for this one', async () => {
  const code = await obtainCode(browser, { scope, resource: [api, mail] }, { scope: ['user:email'] });
  assert.equal(await refusal(redeem(origin, code, { resource: api })), 'invalid_target');
  assert.equal((await redeem(origin, code, { resource: mail })).body['scope'], 'user:email');
});

test('a token for another resource opens nothing here, and tells nothing [A353]', async () => {
  const { access_token } = await tokensFor(mail);
  assert.equal((await introspect(access_token))['scope'], 'user:email repo:read');
  for (const path of ['/user', '/api/v3/user', '/api/v3/user/emails']) {
    const { status, body, headers } = await getUser(origin, access_token, path);
    assert.deepEqual([status, body['error']], [401, 'invalid_token'], path);
    assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    assert.doesNotMatch(JSON.stringify(body), /alice/);
  }
  const inQuery = await fetch(`${origin}/user?access_token=${access_token}`);
  assert.equal(inQuery.status, 401);
  const headers = { authorization: `Bearer ${access_token}` };
  const change = await fetch(`${origin}/user`, { method: 'PATCH', headers, body: new URLSearchParams({ name: 'x' }) });
  assert.equal(change.status, 401);
  const check = await fetch(`${origin}/applications/${printer.client_id}/token`, {
    method: 'POST',
    headers: { authorization: basic(), 'content-type': 'application/json' },
    body: JSON.stringify({ access_token }),
  });
  assert.equal(check.status, 404);
  assert.ok(logged.some((line) => line.includes('"reason":"access token for another resource"')));
});

test('introspection tells the server of a resource about tokens for it, and about no others [A353]', async () => {
  const [forApi, forMail, forThis] = [await tokensFor(api), await tokensFor(mail), await tokensFor()];
  const seen = async (client_id: string) =>
    Promise.all(
      [forApi, forMail, forThis].map(async (one) => (await introspect(one['access_token'], client_id))['active']),
    );
  assert.deepEqual(await seen(printer.client_id), [true, true, true]);
  assert.deepEqual(await seen('the-api'), [true, false, false]);
  assert.deepEqual(await seen('the-mail'), [false, true, false]);
  assert.deepEqual(await seen('a-server'), [false, false, true]);
  assert.deepEqual(await introspect(forApi['refresh_token'], 'the-api'), { active: false });
  const { aud, client_id, scope } = await introspect(forApi['access_token'], 'the-api');
  assert.deepEqual({ aud, client_id, scope }, { aud: api, client_id: printer.client_id, scope: 'repo' });
  await registerResource(database, api, ['repo'], 'the-mail');
  assert.deepEqual(await seen('the-api'), [false, false, false], 'at once, when another client serves the resource');
});

test('addresses of this server that an operator registers as resources are compared as a whole [A353]', async () => {
  for (const resource of [`${origin}/user`, `${origin}/`, `${origin}.evil.example`]) {
    await registerResource(database, resource.replace(/^http:\/\/127.*evil/, 'https://127.0.0.1.evil'), ['user']);
  }
  const other = await tokensFor(`${origin}/user`);
  assert.equal((await getUser(origin, other['access_token'])).status, 401);
  assert.equal((await introspect(other['access_token']))['aud'], `${origin}/user`);
  for (const issuer of [origin, `${origin}/`]) {
    await registerResource(database, issuer, ['repo'], 'the-api');
    const { access_token, scope } = await tokensFor(issuer);
    assert.equal(scope, 'user repo', 'the issuer stays this server');
    assert.equal((await getUser(origin, access_token)).status, 200);
    assert.deepEqual(await introspect(access_token, 'the-api'), { active: false });
  }
});

test('the owner of a token for another resource may revoke it; another client is told that it is not its own', async () => {
  const { access_token } = await tokensFor(api);
  const revoke = (client_id: string) =>
    post(`${origin}/revoke`, { token: String(access_token) }, { authorization: basic(client_id) });
  assert.equal((await revoke('the-api')).body['error'], 'invalid_grant');
  assert.equal((await introspect(access_token))['active'], true);
  assert.equal((await revoke(printer.client_id)).status, 200);
  assert.deepEqual(await introspect(access_token), { active: false });
});

test('software written for GitHub can name a resource, too', async () => {
  const code = await obtainCode(browser, { scope: 'repo', resource: api }, {}, '/login/oauth/authorize');
  const { body } = await post(
    `${origin}/login/oauth/access_token`,
    { code, code_verifier: verifier },
    { accept: 'application/json' },
  );
  assert.equal((await introspect(body['access_token']))['aud'], api);
  assert.equal((await getUser(origin, body['access_token'], '/api/v3/user')).status, 401);
});

const isAsked = async (...resource: string[]) => {
  const page = await browser.visit(`/authorize?${authorizationQuery({ scope: 'repo:read', resource })}`);
  if (page.location !== undefined) assert.ok(codeIn(page));
  return page.location === undefined;
};

test('consent to a scope at one resource is none to it at another, nor at this server', async () => {
  await obtainCode(browser, { scope: 'repo:read', resource: api });
  assert.deepEqual([await isAsked(api), await isAsked(mail), await isAsked()], [false, true, true]);
  assert.deepEqual([await isAsked(api, mail), await isAsked(api, origin)], [true, true]);
  await obtainCode(browser, { scope: 'repo:read', resource: mail });
  assert.deepEqual([await isAsked(api, mail), await isAsked()], [false, true]);
  await obtainCode(browser, { scope: 'repo:read' });
  assert.equal(await isAsked(api, mail, origin), false);
});

test('a permission is new again at a new resource', async () => {
  const tags = async (resource: string) => {
    const request = authorizationQuery({ scope: 'repo:read', resource, prompt: 'consent' });
    const { text } = await browser.visit(`/authorize?${request}`);
    return [...text.matchAll(/<span class="tag[^>]*>(\w[^<]*)</g)].map(([, tag]) => tag);
  };
  await obtainCode(browser, { scope: 'repo:read', resource: api });
  assert.deepEqual([await tags(api), await tags(mail)], [['Already allowed'], ['New']]);
});

test('a consent form counts only for the resources that it showed', async () => {
  const query = (resource: string[]) => authorizationQuery({ scope: 'repo:read', resource });
  const page = await browser.visit(`/authorize?${query([api])}`);
  const [, init] = formRequest(page, 'id="allow"');
  for (const resource of [[mail], [api, mail], [origin], []]) {
    const { location } = await browser.open(`/consent?${query(resource)}`, init);
    assert.doesNotMatch(location ?? '', /[?&]code=/);
  }
  assert.ok(codeIn(await browser.submit(page, 'id="allow"')), 'and for those it still does');
});

test('consent to different scopes at two resources is none to the scope of one at the other', async () => {
  await obtainCode(browser, { scope: 'user:email', resource: mail });
  await obtainCode(browser, { scope: 'repo:read', resource: api });
  assert.deepEqual([await isAsked(api), await isAsked(mail)], [false, true]);
});

test('a scope that was refused at one resource and granted at another is asked for again', async () => {
  await obtainCode(browser, { scope: 'repo', resource: api }, { scope: 'repo:write' });
  assert.equal(
    (await redeem(origin, await obtainCode(browser, { scope: 'repo', resource: api }))).body['scope'],
    'repo:write',
  );
  await obtainCode(browser, { scope: 'repo:read', resource: mail }, { scope: 'repo:read' });
  assert.deepEqual([await isAsked(mail), await isAsked(api)], [false, true]);
});

test('the consent page and the page of the connected application name the resources, unless it is only this server', async () => {
  const shown = (html: string) => [...html.matchAll(/<code class="uri">([^<]+)</g)].map(([, uri]) => uri);
  const visit = async (...resource: string[]) =>
    shown((await browser.visit(`/authorize?${authorizationQuery({ scope, resource })}`)).text);
  assert.deepEqual([await visit(), await visit(origin)], [[], []]);
  assert.deepEqual([await visit(api), await visit(mail, origin)], [[api], [mail, origin]]);
  const application = async () => shown((await browser.visit(`/account/applications/${printer.client_id}`)).text);
  await obtainCode(browser, { scope: 'repo' });
  assert.deepEqual(await application(), []);
  await obtainCode(browser, { scope: 'repo', resource: api });
  assert.deepEqual((await application()).sort(), [origin, api].sort());
});
