import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { auditEvents } from '../../../src/audit/audit.sql.ts';
import { issueAuthorizationCode } from '../../../src/oauth/token/authorization-codes.sql.ts';
import { freshTokens } from '../../support/attack.ts';
import { formRequest, type Page } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';
import { invite, metadata, register } from '../../support/self-registration.ts';

// Of a change of what people have allowed, or of codes and tokens, there is all or nothing: the change and its event are one statement, and
// what a request uses up is used up by the statement of what it is used for. So a request that fails can be sent again.

const env = { REGISTRATION_ENDPOINT: 'token', SESSION_SECRET: 'x'.repeat(40) };
const { origin, database, url } = await startWithPrinter(env);
await database.query("update users set is_admin = true where username = 'alice'");
await registerPrinter(database, { client_id: 'silent' });
await database.query("update clients set consent = 'none' where client_id = 'silent'");
await database.query(`
  create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'as if killed here'; end $$`);
const browser = await signedInBrowser(origin);

const noHeader = { authorization: '' };
const { client_id } = printer;
type Send = () => Promise<{ status: number }>;

const tokensNow = () => freshTokens(origin, browser, { prompt: 'consent' });
const open = (page: Page, button: string, changes = {}): Send => {
  return () => browser.open(...formRequest(page, button, changes));
};
const ofGithub = (path: string, access_token: string): Send => {
  const headers = { authorization: basic(), 'content-type': 'application/json' };
  const address = `${origin}/applications/${client_id}/${path}`;
  return () => fetch(address, { method: 'DELETE', headers, body: JSON.stringify({ access_token }) });
};
const byCommand =
  (words: string[], input = ''): Send =>
  async () => ({ status: (await commandLineFor(url).latchkey(words, { input, env })).code === 0 ? 200 : 500 });

/** The form of the page of a token that is shown to an administrator. */
async function shownToken(token: string): Promise<Send> {
  const page = await browser.submit(await browser.visit('/admin/grants'), 'id="show-token"', { token });
  return open(page, 'id="revoke-token"');
}

async function consentForm(changes = {}): Promise<Page> {
  return browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent', ...changes })}`);
}

async function pushedForm(): Promise<Page> {
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ prompt: 'consent' })));
  const { body } = await post(`${origin}/par`, request);
  return browser.visit(`/authorize?${new URLSearchParams({ client_id, request_uri: String(body['request_uri']) })}`);
}

/** What is ready to be sent, by the event that it leaves. A refusal that ends something is a success here. */
const changes: [event: string, by: string, prepare: () => Promise<Send>][] = [
  [
    'code_reused',
    'a code that comes back',
    async () => {
      const code = await obtainCode(browser);
      await redeem(origin, code);
      return () => redeem(origin, code);
    },
  ],
  [
    'code_verifier_wrong',
    'a wrong verifier',
    async () => {
      const code = await obtainCode(browser);
      return () => redeem(origin, code, { code_verifier: verifier.replace('a', 'b') });
    },
  ],
  [
    'refresh_token_reused',
    'a refresh token whose successor was used',
    async () => {
      const { refresh_token } = await tokensNow();
      await refresh(origin, (await refresh(origin, refresh_token)).body['refresh_token']);
      return () => refresh(origin, refresh_token);
    },
  ],
  [
    'token_revoked',
    'the client, of an access token',
    async () => {
      const { access_token } = await tokensNow();
      return () => post(`${origin}/revoke`, { token: access_token });
    },
  ],
  [
    'token_revoked',
    'the client, of a refresh token',
    async () => {
      const { refresh_token } = await tokensNow();
      return () => post(`${origin}/revoke`, { token: refresh_token });
    },
  ],
  ['token_revoked', 'DELETE …/token', async () => ofGithub('token', (await tokensNow()).access_token)],
  ['token_revoked', 'an administrator, of an access token', async () => shownToken((await tokensNow()).access_token)],
  ['token_revoked', 'an administrator, of a refresh token', async () => shownToken((await tokensNow()).refresh_token)],
  ['token_revoked', 'a command', async () => byCommand(['token', 'revoke'], `${(await tokensNow()).access_token}\n`)],
  ...(['access_token', 'refresh_token'] as const).map((kind): (typeof changes)[number] => [
    'token_leaked',
    `whoever found the ${kind}`,
    async () => {
      const token = (await tokensNow())[kind];
      return () => post(`${origin}/leaked`, { token }, noHeader);
    },
  ]),
  [
    'token_leaked',
    'whoever found a code',
    async () => {
      const token = await obtainCode(browser);
      return () => post(`${origin}/leaked`, { token }, noHeader);
    },
  ],
  [
    'token_leaked',
    'whoever found an invitation',
    async () => {
      const token = await invite(database);
      return () => post(`${origin}/leaked`, { token }, noHeader);
    },
  ],
  [
    'token_leaked',
    'whoever found a registration access token',
    async () => {
      const { body } = await register(origin, metadata, await invite(database));
      const token = String(body['registration_access_token']);
      return () => post(`${origin}/leaked`, { token }, noHeader);
    },
  ],
  ['consent_revoked', 'DELETE …/grant', async () => ofGithub('grant', (await tokensNow()).access_token)],
  [
    'consent_revoked',
    'the person',
    async () => {
      await tokensNow();
      return open(await browser.visit(`/account/applications/${client_id}`), 'class="revoke');
    },
  ],
  [
    'consent_revoked',
    'an administrator',
    async () => {
      await tokensNow();
      return open(await browser.visit('/admin/grants?user=alice'), 'name="client_id"');
    },
  ],
  [
    'consent_revoked',
    'a command',
    async () => {
      await tokensNow();
      return byCommand(['grant', 'revoke', '--user', 'alice', '--client', client_id]);
    },
  ],
  [
    'consent_revoked',
    'a command that ends all',
    async () => {
      await tokensNow();
      return byCommand(['grant', 'revoke', '--user', 'alice', '--all']);
    },
  ],
  [
    'consent_changed',
    'the person',
    async () => {
      await tokensNow();
      const page = await browser.visit(`/account/applications/${client_id}`);
      return open(page, 'class="primary"', { scope: 'user:name' });
    },
  ],
  ['consent_given', 'the person', async () => open(await consentForm(), 'id="allow"')],
  ['consent_given', 'the person, to a pushed request', async () => open(await pushedForm(), 'id="allow"')],
  [
    'consent_given',
    'an application that asks nobody',
    async () => {
      await database.query("delete from grants where client_id = 'silent'");
      return () => browser.open(`/authorize?${authorizationQuery({ client_id: 'silent' })}`);
    },
  ],
  ['consent_refused', 'the person', async () => open(await consentForm(), 'id="deny"')],
  ['consent_refused', 'the person, to a pushed request', async () => open(await pushedForm(), 'id="deny"')],
];

const tables = [
  ...['grants', 'authorization_codes', 'access_tokens', 'pushed_requests', 'consent_decisions', 'own_decisions'],
  ...['invitations', 'self_registrations'],
];

/** Without the times of use, which are written later. */
async function state(): Promise<string> {
  const texts = tables.map(
    (table) =>
      `(select coalesce(string_agg((to_jsonb(t) - 'last_used_at')::text, E'\\n' order by (to_jsonb(t) - 'last_used_at')::text), '') from ${table} t)`,
  );
  const { rows } = await database.query(`select ${texts.join(` || '\n' || `)} as state`);
  return rows[0].state;
}

const countOf = async (event: string) =>
  (await database.query('select count(*)::integer as count from audit_trail where event = $1', [event])).rows[0].count;

for (const [event, by, prepare] of changes) {
  test(`${event} by ${by}: where the event cannot be written, nothing is changed; sent again, there are both`, async () => {
    await database.query('delete from attempts');
    const send = await prepare();
    const [before, events] = [await state(), await countOf(event)];
    await database.query(
      `create trigger refuse before insert on audit_events for each row when (new.event = '${event}') execute function refuse_row()`,
    );
    const failed = await send().finally(() => database.query('drop trigger refuse on audit_events'));
    assert.equal(failed.status, 500);
    assert.equal(await state(), before);
    assert.equal(await countOf(event), events);
    const { status } = await send();
    assert.ok(status < 500, `${status}`);
    assert.notEqual(await state(), before);
    assert.equal(await countOf(event), events + 1);
  });
}

test('a pushed request is used up by the statement that issues its code: where that fails, the person can allow it again', async () => {
  const form = await pushedForm();
  await database.query(
    'create trigger refuse before insert on authorization_codes for each row execute function refuse_row()',
  );
  const failed = await browser
    .submit(form, 'id="allow"')
    .finally(() => database.query('drop trigger refuse on authorization_codes'));
  assert.equal(failed.status, 500);
  const again = await browser.submit(form, 'id="allow"');
  const allowed = await browser.submit(again, 'id="allow"');
  assert.equal((await redeem(origin, codeIn(allowed))).status, 200);
  const repeated = await browser.submit(again, 'id="allow"');
  assert.match(repeated.text, /invalid_request_uri/);
});

test('two codes in one statement for one pushed request: one is issued', async () => {
  const { rows } = await database.query(
    `select grant_id from grants where client_id = $1 and revoked_at is null limit 1`,
    [client_id],
  );
  const { rows: sessions } = await database.query('select sid_sha256 from sessions limit 1');
  const request_sha256 = Buffer.from('pushed');
  await database.query(
    "insert into pushed_requests (request_sha256, client_id, parameters, expires_at) values ($1, $2, '', now() + interval '1 minute')",
    [request_sha256, client_id],
  );
  const code = {
    grant_id: rows[0].grant_id,
    sid_sha256: sessions[0].sid_sha256,
    redirect_uri: printer.redirect_uri,
    redirect_uri_sent: true,
    code_challenge: undefined,
    binding: null,
    requested_scope: undefined,
    gives_username: false,
    resources: 'self',
    scope: 'user:name',
    auth_time: undefined,
    acr: 1,
    ttl: 60,
    request_sha256,
  } as const;
  const issued = await Promise.all(
    ['one', 'two', 'three'].map((text) =>
      issueAuthorizationCode(database, { ...code, code_sha256: Buffer.from(text) }),
    ),
  );
  assert.deepEqual(issued.map((one) => one?.is_open).sort(), [false, false, true]);
  const { rowCount } = await database.query(
    "select from authorization_codes where code_sha256 in ('one', 'two', 'three')",
  );
  assert.equal(rowCount, 1);
});

const root = new URL('../../../', import.meta.url);
const filesOf = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ name: `${folder}${name}`, text: readFileSync(new URL(folder + name, root), 'utf8') }));
const eventsOfTokens = auditEvents.filter((name) => /^(?:tokens?|code|refresh_token|consent)_/.test(name));

/** They are written by an exchange and a refresh, and when an operator registers the client: other tests make those fail. */
const otherwiseTried = ['tokens_issued', 'tokens_refreshed', 'consent_waived'];

test('the event of each change of codes, tokens and grants is in a statement that makes a change, and each is tried here', () => {
  const statements = [...filesOf('test/postgres/statements/', '.sql'), ...filesOf('migrations/functions/', '.sql')];
  const writing = statements.filter(({ text }) => /insert into\s+(?:audit|routine)_events/.test(text));
  for (const event of eventsOfTokens) {
    const found = writing.filter(({ text }) => text.includes(`'${event}'`));
    assert.ok(found.length > 0, event);
    for (const { name, text } of found) assert.match(text, /\bupdate\b|\bdelete from\b|insert into\s+(?!audit_)/, name);
  }
  const tried = new Set([...changes.map(([event]) => event), ...otherwiseTried]);
  assert.deepEqual([...tried].sort(), [...eventsOfTokens].sort());
});

test('no file that knows an event of codes, tokens and grants writes events by a statement of their own', () => {
  const files = filesOf('src/', '.ts').filter(({ name }) => !/\/audit(\.sql)?\.ts$/.test(name));
  const named = files.filter(({ text }) => eventsOfTokens.some((event) => text.includes(`'${event}'`)));
  assert.ok(named.length > 5);
  for (const { name, text } of named) assert.doesNotMatch(text, /\b(?:audit|recordEvent|registerAuditEvent)\(/, name);
});
