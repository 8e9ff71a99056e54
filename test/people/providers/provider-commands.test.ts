import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealProviderSecrets } from '../../../src/people/providers/provider-secrets.ts';
import { assertRefused, commandLineFor } from '../../support/command-line.ts';
import { diagnose } from '../../support/doctor.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { startProvider } from '../../support/openid-provider.ts';
import { registerFake, registerProvider } from '../../support/providers.ts';

const { database, url } = await startLatchkey();
const op = await startProvider();
await registerPeople(database);
await registerFake(database, op);
await database.query(`select link_identity('alice', $1, 'ada-at-acme')`, [op.issuer]);
const { latchkey } = commandLineFor(url);
const secret = 'Zm9ydHktdHdvIHBvbGl0ZSB3b21iYXRzIGRhbmNl';

test('providers are listed without their secrets, disabled and enabled', async () => {
  const { out } = await latchkey(['provider', 'list', '--json']);
  const common = {
    name: 'acme',
    kind: 'openid',
    issuer: op.issuer,
    client_id: 'latchkey',
    people: 'registered',
    on_logout: 'sessions',
    global_token_revocation: true,
    identities: 1,
    logout_uri: 'http://localhost:3000/login/provider/acme/logout',
    revoke_subject_uri: 'http://localhost:3000/revoke-subject',
  };
  assert.deepEqual(JSON.parse(out), [{ ...common, disabled_at: null }]);
  assert.equal((await latchkey(['provider', 'disable', 'acme'])).code, 0);
  const disabled = JSON.parse((await latchkey(['provider', 'list', '--json'])).out);
  assert.notEqual(disabled[0].disabled_at, null);
  assert.match((await latchkey(['provider', 'list'])).out, /acme/);
  assert.equal((await latchkey(['provider', 'enable', 'acme'])).code, 0);
  const { rows } = await database.query(
    `select event, detail from audit_events where event like 'provider%' order by happened_at`,
  );
  assert.deepEqual(rows, [
    { event: 'provider_disabled', detail: 'acme' },
    { event: 'provider_enabled', detail: 'acme' },
  ]);
  assertRefused(await latchkey(['provider', 'disable', 'other']), 1, /There is no provider "other"/);
});

test('the list says what to enter at an OpenID provider, and nothing for GitHub', async () => {
  const away = { name: 'shy', issuer: 'https://shy.example' };
  await registerProvider(database, { ...away, on_logout: 'access', global_token_revocation: false });
  await registerProvider(database, { name: 'github', kind: 'github', issuer: 'https://github.com' });
  const { out } = await latchkey(['provider', 'list'], { env: { ISSUER: 'https://login.example/auth' } });
  const [table = '', addresses] = out.trimEnd().split('\n\n');
  assert.match(table, /^NAME +KIND +.*ON_LOGOUT +GLOBAL_TOKEN_REVOCATION/);
  assert.match(table, /^acme +openid .* sessions +yes /m);
  assert.match(table, /^shy +openid .* access +no /m);
  assert.deepEqual(addresses?.split('\n'), [
    'Enter at acme as the back-channel logout URI: https://login.example/auth/login/provider/acme/logout',
    'Enter at acme for Global Token Revocation: https://login.example/auth/revoke-subject',
    'Enter at shy as the back-channel logout URI: https://login.example/auth/login/provider/shy/logout',
  ]);
  await database.query("delete from providers where name in ('shy', 'github')");
});

const checks = async (SESSION_SECRET = secret) => {
  const { findings, out } = await diagnose({ DATABASE_URL: url, SESSION_SECRET, DEMO: 'false' });
  assert.ok(!out.includes(op.client_secret));
  return findings.filter(({ check }) => check.startsWith('provider'));
};

test('the doctor has nothing to say about a provider that is as it was', async () => {
  assert.deepEqual(await checks(), []);
});

test('the doctor tells a provider that is away from one that names another issuer or has moved', async () => {
  op.answers.set('/.well-known/openid-configuration', (res) => res.writeHead(503).end());
  const [away] = await checks();
  assert.deepEqual([away?.check, away?.severity], ['provider_unreachable', 'warning']);
  assert.match(away?.value ?? '', /^acme, issuer http:.*: it answers with status 503$/);
  op.answers.clear();
  op.metadata = { issuer: `${op.issuer}/` };
  const [wrong] = await checks();
  assert.deepEqual([wrong?.check, wrong?.severity], ['provider_metadata_wrong', 'error']);
  op.metadata = {};
  const known = {
    ...Object.fromEntries(['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map((name) => [name, op.issuer])),
  };
  await database.query(
    `insert into provider_documents (name, kind, uri, content, fetched_at, next_try_at)
     values ('acme', 'metadata', $1, $2, now(), now())`,
    [`${op.issuer}/.well-known/openid-configuration`, JSON.stringify({ issuer: op.issuer, ...known })],
  );
  op.metadata = { token_endpoint: 'https://elsewhere.example/token' };
  const [moved] = await checks();
  assert.deepEqual([moved?.check, moved?.severity], ['provider_moved', 'warning']);
  assert.equal(moved?.value, 'acme: elsewhere.example');
  assert.match(moved?.change ?? '', /endpoint_hosts => array\['127\.0\.0\.1:\d+', 'elsewhere\.example'\]\)$/);
  op.metadata = {};
});

test('the doctor finds a client secret that this SESSION_SECRET does not open', async () => {
  await sealProviderSecrets({ database, sessionSecrets: [secret] });
  assert.deepEqual(await checks(), []);
  const [unreadable] = await checks('c2Vjb25kIHNlY3JldCBvZiBhIHNlcnZlciBoZXJl');
  assert.deepEqual(
    [unreadable?.check, unreadable?.severity, unreadable?.value],
    ['provider_secret_unreadable', 'error', 'acme'],
  );
  await database.query('update providers set disabled_at = now()');
  assert.deepEqual(await checks('c2Vjb25kIHNlY3JldCBvZiBhIHNlcnZlciBoZXJl'), []);
});
