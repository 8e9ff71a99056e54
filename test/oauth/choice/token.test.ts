import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { createDpopKey, redeemWith, refreshWith } from '../../support/dpop.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  encode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { printer, registerJwtResource, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

// What /token gives of a choice when requests are repeated, lost, narrowed, or sent by others.

const { origin, database, url } = await startWithOrganizations();
const impatient = await startLatchkey({ ISSUER: origin, REFRESH_GRACE: '0' }, url);
const scope = 'user:name org:read';
const browser = await signedInBrowser(origin);
const introspect = async (token: unknown, headers = {}) =>
  (await post(`${origin}/introspect`, { token: String(token) }, headers)).body;
const details = (...values: string[]) => ({ authorization_details: JSON.stringify(identifiers(...values)) });
const remembered = () => new Promise((resolve) => setTimeout(resolve, 1100));

/** A code for what alice has chosen. */
async function allow(values: string | string[], changes: Parameters<typeof authorizationQuery>[0] = {}, form = {}) {
  const page = await browser.visit(`/authorize?${authorizationQuery({ scope, prompt: 'consent', ...changes })}`);
  const boxes = String(changes['scope'] ?? scope).split(' ');
  const answer = await browser.submit(page, 'id="allow"', { scope: boxes, [chosen]: values, ...form });
  assert.ok(answer.location, /id="problem".*?<p>([^<]*)/.exec(answer.text)?.[1] ?? String(answer.status));
  return codeIn(answer);
}

const tokens = async (values: string | string[] = ['12', '13'], changes = {}, form = {}) =>
  (await redeem(origin, await allow(values, changes, form))).body;

test('a repeated refresh gives what it asks for, and nothing wider than the family', async () => {
  const { refresh_token } = await tokens();
  const asked = [details('12'), details('13'), {}, details('12', '13'), details('12')];
  for (const changes of asked) {
    const { status, body } = await refresh(origin, refresh_token, changes);
    assert.equal(status, 200);
    const wanted = 'authorization_details' in changes ? JSON.parse(String(changes.authorization_details)) : undefined;
    const given = body['authorization_details'] as unknown as { identifier: string }[];
    if (wanted) assert.deepEqual(given, wanted);
    assert.deepEqual((await introspect(body['access_token']))['authorization_details'], given);
  }
  const wider = await refresh(origin, refresh_token, details('14'));
  assert.deepEqual([wider.status, wider.body['error']], [400, 'invalid_authorization_details']);
});

test('of refreshes of one moment none gives more than it asked for', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { refresh_token } = await tokens();
    const asked = [['12'], ['13'], ['12', '13'], ['12'], undefined, ['13'], ['12'], undefined];
    const answers = await Promise.all(
      asked.map((values) => refresh(origin, refresh_token, values ? details(...values) : {})),
    );
    for (const [index, { status, body }] of answers.entries()) {
      assert.ok(status === 200 || status === 503, `${status} ${JSON.stringify(body)}`);
      if (status === 503) continue;
      const given = (body['authorization_details'] as unknown as { identifier: string }[]).map(
        ({ identifier }) => identifier,
      );
      const most = asked[index] ?? ['12', '13'];
      assert.ok(
        given.every((value) => most.includes(value)),
        `${most} ${given}`,
      );
      assert.deepEqual(
        (await introspect(body['access_token']))['authorization_details'],
        body['authorization_details'],
      );
    }
    assert.ok(
      answers.filter(({ status }) => status === 200).length >= asked.length - 1,
      answers.map(({ status }) => status).join(),
    );
  }
});

test('a refresh token that is used again too late ends its family, whatever the request asks for', async () => {
  for (const changes of [
    {},
    details('12'),
    details('14'),
    { authorization_details: JSON.stringify([{ type: 'organizations', all: true }]) },
  ]) {
    const { refresh_token } = await tokens();
    const { body } = await refresh(origin, refresh_token);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const late = await refresh(impatient.origin, refresh_token, changes);
    assert.deepEqual([late.status, late.body['error']], [400, 'invalid_grant'], JSON.stringify(changes));
    assert.equal((await introspect(body['access_token']))['active'], false, JSON.stringify(changes));
  }
});

test('what is refused for certain is not answered with 503 while the query fails', async () => {
  const { refresh_token, access_token } = await tokens();
  const { body } = await refresh(origin, refresh_token);
  const other = await allow('12');
  await registerPrinter(database, { client_id: 'other', scopes: ['user:name', 'org:read'] });
  await database.query('alter table company.members rename to hidden');
  try {
    for (const changes of [{}, details('12'), details('14')]) {
      const foreign = { authorization: basic('other') };
      assert.equal((await refresh(origin, body['refresh_token'], changes, foreign)).body['error'], 'invalid_grant');
      assert.equal((await redeem(origin, other, changes, foreign)).body['error'], 'invalid_grant');
      const { refresh_token: unknown } = { refresh_token: `${refresh_token}`.replace(/.{4}$/, 'AAAA') };
      assert.equal((await refresh(origin, unknown, changes)).body['error'], 'invalid_grant');
      assert.equal(
        (await refresh(origin, body['refresh_token'], changes, { authorization: basic(printer.client_id, 'wrong') }))
          .status,
        401,
      );
    }
    const good = await refresh(origin, body['refresh_token'], { scope: 'user:name org:write' });
    assert.equal(good.body['error'], 'invalid_scope');
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await refresh(impatient.origin, refresh_token)).body['error'], 'invalid_grant');
    assert.equal((await introspect(access_token))['active'], false);
  } finally {
    await database.query('alter table company.hidden rename to members');
  }
});

test('a request for what the person has lost does not say that all is lost', async () => {
  const { refresh_token } = await tokens(['12', '13'], { scope: 'org:read' });
  await database.query('delete from company.members where organization = 13');
  const lost = await refresh(origin, refresh_token, details('13'));
  assert.deepEqual([lost.status, lost.body['error']], [400, 'invalid_authorization_details']);
  const { status, body } = await refresh(origin, refresh_token);
  assert.deepEqual([status, body['authorization_details']], [200, identifiers('12')]);
  await database.query('delete from company.members where organization = 12');
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  await database.query(`insert into company.members values (12, '1'), (13, '1')`);
});

test('scope and authorization_details narrow together, and for one token', async () => {
  const { refresh_token } = await tokens(['12', '13'], { scope: 'user:name org:read org:write' });
  const { body } = await refresh(origin, refresh_token, { scope: 'org:write', ...details('13') });
  assert.deepEqual([body['scope'], body['authorization_details']], ['org:write', identifiers('13')]);
  const plain = (await refresh(origin, body['refresh_token'], { scope: 'user:name' })).body;
  assert.deepEqual([plain['scope'], plain['authorization_details']], ['user:name', undefined]);
  const both = (await refresh(origin, plain['refresh_token'], { scope: 'user:name', ...details('12') })).body;
  assert.deepEqual([both['scope'], both['authorization_details']], ['user:name', undefined]);
  assert.equal((await introspect(both['access_token']))['authorization_details'], undefined);
  const all = (await refresh(origin, both['refresh_token'])).body;
  assert.deepEqual(all['authorization_details'], identifiers('12', '13'));
});

test('a client with a key proves each of its requests once', async () => {
  const key = await createDpopKey();
  const { body } = await redeemWith(key, origin, await allow(['12', '13']));
  assert.deepEqual([body['token_type'], body['authorization_details']], ['DPoP', identifiers('12', '13')]);
  const narrowed = await refreshWith(key, origin, body['refresh_token'], { changes: details('12') });
  assert.deepEqual(narrowed.body['authorization_details'], identifiers('12'));
  const next = await refreshWith(key, origin, narrowed.body['refresh_token']);
  assert.deepEqual(next.body['authorization_details'], identifiers('12', '13'));
});

test('software written for GitHub gets the details as JSON in its form, and the person the same page', async () => {
  for (const asked of ['user:name,org:read', 'user:name org:read']) {
    const query = authorizationQuery({ scope: asked, code_challenge: undefined, code_challenge_method: undefined });
    const page = await browser.visit(`/login/oauth/authorize?${query}`);
    const answer = page.location
      ? page
      : await browser.submit(page, 'id="allow"', { scope: scope.split(' '), [chosen]: '12' });
    const form = encode({ client_id: printer.client_id, client_secret: printer.client_secret, code: codeIn(answer) });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${origin}/login/oauth/access_token`, { method: 'POST', headers, body: form });
    const tokens = new URLSearchParams(await response.text());
    assert.deepEqual(JSON.parse(tokens.get('authorization_details') ?? ''), identifiers('12'));
    const user = await fetch(`${origin}/api/v3/user`, {
      headers: { authorization: `Bearer ${tokens.get('access_token')}` },
    });
    assert.match(user.headers.get('x-oauth-scopes') ?? '', /org:read/);
    assert.deepEqual((await introspect(tokens.get('access_token')))['authorization_details'], identifiers('12'));
  }
});

test('a JWT and the introspection by the server of its resource say what was chosen', async () => {
  const resource = 'https://api.example';
  await registerJwtResource(database, resource, ['org:read']);
  const { access_token, refresh_token } = await tokens(['12', '13'], { resource });
  const claims = (token: unknown) => JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
  assert.deepEqual(claims(access_token)['authorization_details'], identifiers('12', '13'));
  const { body } = await refresh(origin, refresh_token, details('13'));
  assert.deepEqual(claims(body['access_token'])['authorization_details'], identifiers('13'));
  assert.deepEqual((await introspect(body['access_token']))['authorization_details'], identifiers('13'));
});

test('a grant for one time, one for 30 days and offline_access have their choice', async () => {
  const once = await tokens('12', {}, { duration: 'once' });
  assert.deepEqual([once['refresh_token'], once['authorization_details']], [undefined, identifiers('12')]);
  const month = await tokens('13', { scope: `${scope} offline_access` }, { duration: '30d', scope: scope.split(' ') });
  assert.deepEqual(month['authorization_details'], identifiers('13'));
  const { body } = await refresh(origin, month['refresh_token']);
  assert.deepEqual([body['scope'], body['authorization_details']], [`${scope} offline_access`, identifiers('13')]);
  assert.deepEqual((await introspect(once['access_token']))['authorization_details'], identifiers('12'));
  const page = await browser.visit(`/account/applications/${printer.client_id}`);
  await browser.submit(page, 'id="save-choice"', { [chosen]: '13' });
  assert.equal((await introspect(once['access_token']))['scope'], 'user:name');
});

test('a public client has its choice', async () => {
  await registerPrinter(database, { client_id: 'public', client_secret: null, scopes: ['user:name', 'org:read'] });
  const headers = { authorization: '' };
  const code = await allow('12', { client_id: 'public' });
  const { body } = await redeem(origin, code, { client_id: 'public' }, headers);
  assert.deepEqual(body['authorization_details'], identifiers('12'));
  const wide = await refresh(origin, body['refresh_token'], { client_id: 'public', ...details('13') }, headers);
  assert.equal(wide.body['error'], 'invalid_authorization_details');
  const next = await refresh(origin, body['refresh_token'], { client_id: 'public' }, headers);
  assert.deepEqual(next.body['authorization_details'], identifiers('12'));
});

test('an instance that has not read a new choice yet gives what was chosen at another', async () => {
  const fresh = await startLatchkey({ ISSUER: origin }, url);
  const query = authorizationQuery({ scope: 'user:name', authorization_details: undefined });
  await fetch(`${fresh.origin}/authorize?${query}`, { redirect: 'manual' });
  const visit = () => fetch(`${fresh.origin}/authorize?${query}`, { redirect: 'manual' });
  await database.query(`select register_scope('team:read', 'See your teams', changes => false)`);
  await registerPrinter(database, { scopes: ['user:name', 'user:email', 'org:read', 'org:write', 'team:read'] });
  await visit();
  await database.query(`select register_choice(name => 'teams', scopes => array['team:read'], sentence => 'Which teams?',
    query => $$ select 'a' as value, 'A' as label, null as hint where $1 <> '' union all select 'b', 'B', null $$)`);
  let page = await browser.visit(`/authorize?${authorizationQuery({ scope: 'team:read' })}`);
  while (!page.text.includes('choice.teams'))
    page = await browser.visit(`/authorize?${authorizationQuery({ scope: 'team:read' })}`);
  await visit();
  const code = codeIn(await browser.submit(page, 'id="allow"', { scope: 'team:read', 'choice.teams': 'a' }));
  const { status, body } = await redeem(fresh.origin, code);
  assert.deepEqual([status, body['authorization_details']], [200, [{ type: 'teams', identifier: 'a' }]]);
  await remembered();
});
