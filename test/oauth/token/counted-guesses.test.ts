import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../../src/app.ts';
import { createCredential, createSecret } from '../../../src/lib/secrets.ts';
import { routesOf } from '../../fuzz/routes.ts';
import { madeUpRefreshToken } from '../../support/attack.ts';
import { Browser } from '../../support/browser.ts';
import { basic, encode, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { addPasskey, newPasskeyPage, passkeyIssuer } from '../../support/passkeys.ts';

// Each address that takes a secret, a token, a code, a password or a passkey counts wrong ones. Whoever adds an address says here which it
// takes, or that it takes none.

const { origin, database, deps } = await startLatchkey({
  ISSUER: passkeyIssuer,
  ...{ REGISTRATION: 'open', REGISTRATION_ENDPOINT: 'token', CLIENT_ID_DOCUMENTS: 'on' },
  ...{ SIGN_UP: 'open', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'id@id.example' },
});
await registerPeople(database, ['alice', 'carol']);
// nobody vouches for it, so anybody may be behind it
await registerPrinter(database, { vouched: false });
await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
const alice = await signedInBrowser(origin);
await addPasskey(await signedInBrowser(origin, 'carol'), {}, { path: '/account/passkeys/new-key' });

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const madeUp = {
  access_token: () => createCredential('access_token'),
  jwt: () => `${part({ alg: 'ES256', typ: 'at+jwt', kid: 'k' })}.${part({ jti: 'x' })}.${'A'.repeat(86)}`,
  refresh_token: madeUpRefreshToken,
  code: () => createCredential('authorization_code'),
  link: () => createSecret('mailed_link'),
};
type Token = keyof typeof madeUp;

const send = (method: string, path: string, form: Record<string, string> | undefined, authorization?: string) =>
  fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(authorization && { authorization }),
    },
    ...(form && { body: encode(form) }),
  });

type Guess = () => Promise<unknown>;

const ofClient = (path: string, form: Record<string, string> = {}): Guess => {
  return () => send('POST', path, { token: 'x', ...form }, basic(printer.client_id, 'a-wrong-secret'));
};
const asClient = (method: string, path: string, name: string, kind: Token, more = {}): Guess => {
  return () => send(method, path, { ...more, [name]: madeUp[kind]() }, basic());
};
const bearer = (method: string, path: string, token: () => string, form?: Record<string, string>): Guess => {
  return () => send(method, path, form, `Bearer ${token()}`);
};
const fill = (path: string, button: string, fields: Record<string, string>, browser = () => new Browser(origin)) => {
  return async () => {
    const visitor = browser();
    return visitor.submit(await visitor.visit(path), button, fields);
  };
};
const passkey = { credential_id: 'AAAA', client_data: 'AAAA', authenticator_data: 'AAAA', signature: 'AAAA' };

async function secondStep(): Promise<unknown> {
  const visitor = new Browser(origin);
  const login = await visitor.visit('/login');
  const step = await visitor.submit(login, 'id="login"', { username: 'carol', password: 'wonderland' });
  return visitor.submit(step, 'data-passkey="second"', passkey);
}

async function newPasskey(path: string): Promise<unknown> {
  return alice.submit(await newPasskeyPage(alice, path), 'id="create"', { attestation: 'AAAA', client_data: 'AAAA' });
}

/** A form that posts the secret of a mailed link; or the page that has it from a cookie. */
const byLink = (path: string): Guess[] => [
  () => send('POST', path, { link: madeUp.link() }),
  async () => new Browser(origin).visit(`${path}?token=${madeUp.link()}`),
];

const registration = `/register/${printer.client_id}`;
const registrationToken = () => createSecret('registration_access_token');
const doors: Record<string, Guess[]> = {
  '/token': [
    ofClient('/token', { grant_type: 'refresh_token', refresh_token: 'x' }),
    asClient('POST', '/token', 'refresh_token', 'refresh_token', { grant_type: 'refresh_token' }),
    asClient('POST', '/token', 'code', 'code', {
      grant_type: 'authorization_code',
      redirect_uri: printer.redirect_uri,
    }),
  ],
  '/login/oauth/access_token': [
    ofClient('/login/oauth/access_token', { code: 'x' }),
    asClient('POST', '/login/oauth/access_token', 'code', 'code'),
  ],
  '/par': [ofClient('/par', { response_type: 'code' })],
  '/revoke': [
    ofClient('/revoke'),
    ...(['access_token', 'jwt', 'refresh_token'] as const).map((kind) => asClient('POST', '/revoke', 'token', kind)),
  ],
  '/introspect': [
    ofClient('/introspect'),
    ...(['access_token', 'jwt', 'refresh_token'] as const).map((kind) =>
      asClient('POST', '/introspect', 'token', kind),
    ),
  ],
  '/revoke-subject': [bearer('POST', '/revoke-subject', madeUp.jwt)],
  '/login/provider/:name/logout': [() => send('POST', '/login/provider/acme/logout', { logout_token: madeUp.jwt() })],
  '/leaked': [() => send('POST', '/leaked', { token: madeUp.access_token() })],
  '/user': (['GET', 'POST', 'PATCH'] as const).flatMap((method) => [
    bearer(method, '/user', madeUp.access_token),
    bearer(method, '/user', madeUp.jwt),
  ]),
  ...Object.fromEntries(
    ['', '/emails', '/orgs', '/teams'].map((rest) => [
      `/api/v3/user${rest}`,
      [bearer('GET', `/api/v3/user${rest}`, madeUp.access_token), bearer('GET', `/api/v3/user${rest}`, madeUp.jwt)],
    ]),
  ),
  ...Object.fromEntries(
    ['', '/api/v3'].flatMap((root) => {
      const path = `${root}/applications/${printer.client_id}`;
      const guess = (method: string, what: string) =>
        asClient(method, `${path}/${what}`, 'access_token', 'access_token');
      return [
        [`${root}/applications/:client_id/token`, [guess('POST', 'token'), guess('DELETE', 'token')]],
        [`${root}/applications/:client_id/grant`, [guess('DELETE', 'grant')]],
      ];
    }),
  ),
  '/register': [bearer('POST', '/register', () => createSecret('initial_access_token'), {})],
  '/register/:client_id': ['GET', 'PUT', 'DELETE'].map((method) => bearer(method, registration, registrationToken)),
  ...Object.fromEntries(
    ['/login', '/login/oauth/login'].map((path) => [
      path,
      [
        fill(path, 'id="login"', { username: 'alice', password: 'wrong' }),
        fill(path, 'data-passkey="get"', passkey),
        ...(path === '/login' ? [secondStep] : []),
      ],
    ]),
  ),
  '/reset-password': byLink('/reset-password'),
  '/not-me': byLink('/not-me'),
  '/sign-up/finish': byLink('/sign-up/finish'),
  '/account/confirm-address': byLink('/account/confirm-address'),
  '/account/passkeys/new': [() => newPasskey('/account/passkeys/new')],
  '/account/passkeys/new-key': [() => newPasskey('/account/passkeys/new-key')],
  '/account/password': [
    fill(
      '/account/security',
      'name="old_password"',
      { old_password: 'wrong', new_password: 'twelve green birds', repeat_password: 'twelve green birds' },
      () => alice,
    ),
  ],
  '/developer/applications/:client_id/token': (['access_token', 'jwt'] as const).map((kind) => () => {
    const path = `/developer/applications/${printer.client_id}`;
    return fill(`${path}/activity`, `action="${path}/token"`, { token: madeUp[kind]() }, () => alice)();
  }),
};

/** Addresses that take nothing of the kind. */
const none = [
  /^\/($|brand\.css$|logos\/|common-passwords\.js$|errors\/|healthz$|readyz$|metrics$|jwks$|openapi\.json$|\.well-known\/)/,
  // for administrators, who have just signed in
  /^\/admin(\/|$)/,
  // what is typed there to prove who somebody is, identity/typed-password.ts and identity/second-factor.ts count for all pages
  /^\/account(\/(activity|address|applications|connect|delete|export|identities|not-me|notices|password|passkeys|security|sessions)\b.*)?$/,
  /^\/developer(\/|$)/,
  // an authorization request, and what only the browser can bring that has begun
  /^(\/login\/oauth)?\/(authorize|consent|logout|forgot-password|sign-up)$/,
  /^\/login\/(return|provider\/:name\/callback)$/,
];

test('each address says which guesses it takes, or that it takes none', () => {
  const unknown = routesOf(createApp(deps)).filter(
    ({ path }) => !(path in doors) && !none.some((pattern) => pattern.test(path)),
  );
  assert.deepEqual(unknown, []);
});

for (const [path, guesses] of Object.entries(doors)) {
  test(`wrong guesses at ${path} are counted`, async () => {
    for (const [index, guess] of guesses.entries()) {
      await database.query('delete from attempts');
      for (const _ of [1, 2]) await guess();
      const { rows } = await database.query('select max(attempts)::integer as counted from attempts');
      assert.ok(rows[0].counted >= 2, `${path}, guess ${index + 1}: ${rows[0].counted} of 2`);
    }
  });
}

test('the refused passkeys of a network are counted together, and beyond the limit none leaves an event', async () => {
  await database.query('delete from attempts');
  const refused = async () =>
    (
      await database.query(
        "select count(*)::integer as events from audit_trail where event = 'passkey_refused' or detail ~ '^passkey'",
      )
    ).rows[0].events;
  await newPasskey('/account/passkeys/new');
  const before = await refused();
  await database.query(
    "update attempts set blocked_until = now() + interval '1 hour', forgotten_at = now() + interval '30 minutes'",
  );
  await secondStep();
  await newPasskey('/account/passkeys/new');
  assert.equal(await refused(), before);
});
