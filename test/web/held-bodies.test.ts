// ci: holds back the body of every form
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { disableAccount, endSessions } from '../../src/accounts/administered-users.sql.ts';
import { setPasswordByLink } from '../../src/accounts/mail/mailed-links.sql.ts';
import { createLink } from '../../src/accounts/mail/mailed-links.ts';
import { createApp } from '../../src/app.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { contentTypeOf, type Route, routesOf } from '../fuzz/routes.ts';
import { makePasskey, optionsIn } from '../support/authenticator.ts';
import { type Browser, formRequest, type Page } from '../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import {
  cheapHash,
  password,
  printer,
  registerPeople,
  registerPrinter,
  registerResource,
  startLatchkey,
} from '../support/latchkey.ts';
import { newPasskeyPage, passkeyIssuer } from '../support/passkeys.ts';
import { recorded } from '../support/recorded.ts';
import { codeOf, secretOn } from '../support/second-factor.ts';

// A client sends the headers of a form and holds its body back. Somebody ends the session meanwhile; then the body arrives.

const { origin, database, deps } = await startLatchkey({ ISSUER: passkeyIssuer, REGISTRATION: 'open' });
await registerPrinter(database);
await registerResource(database, 'https://api.example', ['repo:read']);
await registerPeople(database, ['alice', 'other']);
const numberOf = async (username: string): Promise<number> =>
  (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;
const [alice, other] = [await numberOf('alice'), await numberOf('other')];
await database.query('update users set is_admin = true where user_id = $1', [alice]);
await database.query(
  `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
   values ('\\x01020304', $1, '{}', 0, '{}', false, false, 'id.example', 'Key')`,
  [alice],
);

/** Alice, as if nothing had been tried before. */
async function signIn(): Promise<Browser> {
  await database.query('delete from attempts; delete from totp_factors; delete from recovery_codes');
  await database.query(
    'update users set disabled_at = null, second_factor_since = null, password_bcrypt = $2 where user_id = $1',
    [alice, cheapHash],
  );
  return signedInBrowser(origin);
}

const trace = { request_id: 'r', address: null, notice: null };

/** How her session ends from outside of its browser. */
const ends: Record<string, () => Promise<unknown>> = {
  'a new password by mail that ends all access': async () => {
    const token_sha256 = digestOf((await createLink(deps, { purpose: 'reset', user_id: alice })) ?? '');
    return setPasswordByLink(
      database,
      { token_sha256, digests: [token_sha256], hash: cheapHash, ends_access: true },
      trace,
    );
  },
  'an operator': () => endSessions(database, alice, recorded('sessions_ended')),
  'an operator who disables the account': () => disableAccount(database, alice, false, recorded('user_disabled')),
};

interface Sent {
  browser: Browser;
  path: string;
  body: string;
}

interface Answer {
  status: number | undefined;
  location: string | undefined;
}

/** What is answered to a form whose body arrives after `meanwhile`. */
async function hold({ browser, path, body }: Sent, meanwhile: () => unknown): Promise<Answer> {
  const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
    cookie,
  };
  const held = request(new URL(path, origin), { method: 'POST', headers });
  held.flushHeaders();
  const answered = once(held, 'response');
  // until the server has read the headers, and looked for the session
  await wait(50);
  await meanwhile();
  held.end(body);
  const [response] = await answered;
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, location: response.headers.location?.replace(/\?.*/, '') };
}

const sentFrom = (page: Page, button: string, changes: Parameters<typeof formRequest>[2] = {}) => {
  const [action, { body }] = formRequest(page, button, changes);
  return { path: new URL(action).pathname + new URL(action).search, body: String(body) };
};

/** Forms that change something, with what a press of their button sends. */
const forms: Record<string, (browser: Browser) => Promise<Omit<Sent, 'browser'>>> = {
  '/consent': async (browser) =>
    sentFrom(await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`), 'id="allow"'),
  '/account': async (browser) =>
    sentFrom(await browser.visit('/account'), 'name="made_from"', { name: `Alice ${Date.now()}` }),
  '/account/passkeys/new': async (browser) => {
    const page = await newPasskeyPage(browser);
    return sentFrom(page, 'id="create"', makePasskey(passkeyIssuer, optionsIn(page)).fields);
  },
  '/account/password': async (browser) => {
    const words = { old_password: password, new_password: 'another long word', repeat_password: 'another long word' };
    return sentFrom(await browser.visit('/account/security'), 'name="old_password"', words);
  },
  '/account/security': async (browser) => {
    const setup = await browser.submit(await browser.visit('/account/security'), 'id="add-code"', { password });
    return sentFrom(setup, 'id="verify"', { code: codeOf(secretOn(setup)) });
  },
  '/account/applications/:client_id/revoke': async (browser) => {
    const consent = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
    await browser.submit(consent, 'id="allow"');
    return sentFrom(await browser.visit('/account/applications'), 'class="revoke');
  },
  '/developer/applications/new': async (browser) =>
    sentFrom(await browser.visit('/developer/applications/new'), 'name="site_domain"', {
      name: 'A new one',
      site_domain: 'new.example',
      redirect_uris: 'https://new.example/callback',
      'use:user:name': 'required',
    }),
  '/admin/people/:user_id': async (browser) => {
    await database.query('update users set is_admin = false where user_id = $1', [other]);
    return sentFrom(await browser.visit(`/admin/people/${other}`), 'id="make_admin"');
  },
  '/admin/scopes': async (browser) =>
    sentFrom(await browser.visit('/admin/scopes'), 'id="register"', {
      name: `scope${Date.now()}`,
      sentence: 'Read your notes',
    }),
};

async function prepared(prepare: (typeof forms)[string]): Promise<Sent> {
  const browser = await signIn();
  return { browser, ...(await prepare(browser)) };
}

/** A digest of each table but those that say or count what was refused. */
async function stored(): Promise<Record<string, string>> {
  const { rows } = await database.query(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^(audit_|attempts|refusals|counts)'",
  );
  const digests = rows.map(
    ({ name }) => `(select md5(string_agg(t::text, '|' order by t::text)) from ${name} t) as ${name}`,
  );
  return (await database.query(`select ${digests.join(', ')}`)).rows[0];
}

for (const [path, prepare] of Object.entries(forms)) {
  test(`a form at ${path} whose body is held back changes nothing once the session has ended, and what it says until then`, async () => {
    for (const [how, end] of Object.entries(ends)) {
      let before = {};
      await hold(await prepared(prepare), async () => {
        await end();
        before = await stored();
      });
      assert.deepEqual(await stored(), before, `ended by ${how}`);
    }
    let before = {};
    const { status } = await hold(await prepared(prepare), async () => {
      before = await stored();
    });
    assert.ok(status !== undefined && status < 400, `${status}`);
    assert.notDeepEqual(await stored(), before);
  });
}

/** What a session does not matter to, at least where nothing but a form key is sent. */
const needsNoSession =
  /^((\/login\/oauth)?\/(authorize|forgot-password|sign-up)|\/login\/return|\/sign-up\/finish|\/reset-password|\/not-me|\/account\/confirm-address)$/;

const isForm = ({ path, methods }: Route) =>
  methods.includes('post') && contentTypeOf(path).test('text/html; charset=utf-8');

describe('each form of the program, also a new one', () => {
  const places: Record<string, string> = {
    ':client_id': printer.client_id,
    ':user_id': String(other),
    ':passkey': 'AQIDBA',
    ':name': 'user:name',
    ':resource': encodeURIComponent('https://api.example'),
  };
  // a deleted application has no forms any more
  const paths = routesOf(createApp(deps))
    .filter(isForm)
    .map(({ path }) => path)
    .sort((one) => (one.endsWith('/delete') ? 1 : -1));
  for (const path of paths) {
    test(`${path} answers a held body as if the session had ended before`, async () => {
      const sent = async (): Promise<Sent> => {
        const browser = await signIn();
        await database.query('update clients set owner_id = $1, disabled_at = null where client_id = $2', [
          alice,
          printer.client_id,
        ]);
        const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.visit('/account')).text)?.[1] ?? '';
        return {
          browser,
          path: path.replaceAll(/:\w+/g, (place) => places[place] ?? ''),
          body: new URLSearchParams({ csrf }).toString(),
        };
      };
      const late = await sent();
      await endSessions(database, alice, recorded('sessions_ended'));
      const over = await hold(late, () => {});
      assert.deepEqual(await hold(await sent(), () => endSessions(database, alice, recorded('sessions_ended'))), over);
      const alive = await hold(await sent(), () => {});
      if (needsNoSession.test(path)) assert.deepEqual(alive, over);
      else assert.notDeepEqual(alive, over);
    });
  }
});
