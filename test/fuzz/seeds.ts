import { assertionType } from '../../src/lib/client-assertion.ts';
import type { Database } from '../../src/postgres/database.ts';
import { Browser } from '../support/browser.ts';
import { createClientKey, registerKeyClient, sign } from '../support/client-assertion.ts';
import {
  authorizationQuery,
  basic,
  challenge,
  obtainCode,
  redeem,
  signedInBrowser,
  verifier,
} from '../support/flow.ts';
import { password, printer, registerJwtResource, registerPeople, registerPrinter } from '../support/latchkey.ts';

const key = createClientKey('key');
const jwtResource = 'https://jwt.example/';

/** What would be accepted at this moment: the fuzzer spoils it, for what is random altogether gets no further than the door. */
export interface Seeds {
  /** cookies of a browser in which alice is signed in */
  cookie: string;
  /** cookies of a browser in which nobody is signed in, with the key of its forms */
  stranger: { cookie: string; csrf: string };
  authorization: string[];
  values: Record<string, string[]>;
}

export async function prepareDatabase(database: Database): Promise<void> {
  await registerPeople(database);
  await registerPrinter(database);
  await registerPrinter(database, { client_id: 'public', client_secret: null });
  await registerKeyClient(database, { keys: [key] });
  await registerJwtResource(database, jwtResource, ['user']);
}

/** Fresh ones, now and then: what is fuzzed signs out, revokes, spends and deletes. */
export async function findSeeds(origin: string, database: Database): Promise<Seeds> {
  await database.query('delete from attempts');
  await database.query('delete from sessions');
  await registerPrinter(database);
  await database.query('update clients set deleted_at = null, disabled_at = null, owner_id = 1');
  await registerPeople(database);
  const browser = await signedInBrowser(origin);
  const consent = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);

  // each box is stated: what was fuzzed may have left them unticked, which the page keeps
  const ticked = { scope: ['user:name', 'user:email'] };
  const codes = [await obtainCode(browser, {}, ticked), await obtainCode(browser, {}, ticked)];
  const { body } = await redeem(origin, codes[0] ?? '');
  const [access, refresh] = [String(body['access_token']), String(body['refresh_token'])];
  const signed = await redeem(origin, await obtainCode(browser, { resource: jwtResource }, ticked));
  const anyToken = [access, refresh, ...codes, String(signed.body['access_token'])];
  const first = (token: string) => [token, ...anyToken];
  const values: Record<string, string[]> = {
    response_type: ['code', 'token'],
    client_id: [printer.client_id, 'public', 'bank', 'nobody'],
    client_secret: [printer.client_secret],
    client_assertion: [
      await sign(key, origin, { client_id: 'bank' }),
      await sign(key, origin, { client_id: 'nobody' }),
    ],
    client_assertion_type: [assertionType],
    redirect_uri: [printer.redirect_uri, 'https://evil.example/'],
    scope: ['user:name', 'user', 'user:email', 'user repo', 'user,repo:read', 'admin'],
    resource: [origin, jwtResource, 'https://unknown.example/'],
    state: ['x'],
    code_challenge: [challenge],
    code_challenge_method: ['S256', 'plain'],
    code_verifier: [verifier],
    prompt: ['consent', 'none', 'login', 'select_account'],
    ui_locales: ['de', 'en fr'],
    response_mode: ['query', 'form_post', 'jwt', 'form_post.jwt', 'fragment'],
    to: ['/account', '//evil.example'],
    grant_type: ['authorization_code', 'refresh_token', 'password'],
    code: first(codes[1] ?? ''),
    refresh_token: first(refresh),
    access_token: first(access),
    token: first(access),
    username: ['alice'],
    password: [password, 'wrong'],
    // mostly wrong: a right one costs two password hashes
    old_password: ['wrong', password],
    current_password: ['wrong', password],
    new_password: [password],
    repeat_password: [password],
    csrf: [csrfIn(consent.text)],
    ticket: [fieldIn(consent.text, 'ticket')],
    decision: ['allow', 'deny'],
    duration: ['always', '30d', 'once'],
    name: ['Alice', 'Photo Printer'],
    email: ['alice@example.com'],
    site_domain: ['printer.example'],
    redirect_uris: [printer.redirect_uri],
    confidential: ['true', 'false'],
    'use:user:name': ['required', 'optional'],
    confirm: [printer.name, 'x'],
    handle: ['0123456789abcdef'],
    others: ['1'],
    notice: ['profile_saved'],
    iss: [origin],
    error: ['access_denied'],
    break: ['refresh', 'revoke', 'reused_code'],
  };
  const stranger = new Browser(origin);
  const login = await stranger.visit('/login');
  return {
    cookie: cookiesOf(browser),
    stranger: { cookie: cookiesOf(stranger), csrf: csrfIn(login.text) },
    authorization: [basic(), `Bearer ${access}`, `DPoP ${access}`, `token ${access}`, basic('public', '')],
    values,
  };
}

const fieldIn = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';
const csrfIn = (html: string) => fieldIn(html, 'csrf');
const cookiesOf = (browser: Browser) => [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
