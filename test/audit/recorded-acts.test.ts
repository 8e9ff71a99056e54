import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { digestOf, handleOf } from '../../src/lib/secrets.ts';
import { formRequest } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { obtainCode, signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { registerProvider } from '../support/providers.ts';
import { setUpApp } from '../support/second-factor.ts';

// Whatever an administrator does, at a page or by a command, is done together with its event, or not at all; at a page only by whoever is
// an administrator and signed in when it is done.

const { origin, database, url } = await startWithPrinter({ SIGN_UP: 'invited' });
const { latchkey } = commandLineFor(url);
await registerPeople(database, ['bob', 'eve', 'root']);
await database.query("update users set is_admin = true where username = 'root'");
await registerProvider(database, { issuer: 'https://login.acme.example' });
await database.query(`
  create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'as if killed here'; end $$`);
let root = await signedInBrowser(origin, 'root');
const { rows: people } = await database.query('select user_id, username from users');
const idOf = (username: string) => people.find((person) => person.username === username).user_id;

type Send = () => Promise<boolean>;
interface Act {
  /** what must be so before */
  prepare?: () => Promise<unknown>;
  /** whether it was done */
  send: Send;
  /** it does the same again, so another time leaves another event */
  isAnother?: true;
  /** anybody may do it with what is their own */
  isOwn?: true;
}

const byCommand =
  (...words: string[]): Send =>
  async () =>
    (await latchkey(words, { input: `${new_password}\n`, env: { SIGN_UP: 'invited' } })).code === 0;
/** The form is opened when it is sent, except by a second press. */
const byPage =
  (path: string, button: string, fields: Record<string, string> = {}): Send =>
  async () => {
    const page = await root.visit(path);
    if (!page.text.includes(button)) return false;
    const { status, location } = await root.open(...formRequest(page, button, fields));
    // whoever is signed out already is led to the sign-in
    return status < 400 && !location?.includes('/login');
  };

const new_password = 'nine lives and a hat';
const sql = (text: string) => () => database.query(text);
const bob = (values: string) => sql(`update users set ${values} where username = 'bob'`);
const asBob = () => signedInBrowser(origin, 'bob');
const allow = async () => obtainCode(await asBob());
const setUp = async () => setUpApp(await asBob());
const lock = sql(
  `insert into attempts (key, user_id, attempts, blocked_until, forgotten_at)
   select 'bob', user_id, 9, now() + interval '1 minute', now() + interval '1 hour' from users where username = 'bob'`,
);
const scope = (name: string) =>
  sql(`select register_scope(name => '${name}', sentence => 'See it', group_name => '${name}s')`);
const resource = (name: string) =>
  sql(`select register_resource(resource => 'https://${name}.example/', scopes => array['user'])`);
const invitation = sql(
  `insert into invitations (invitation_id, token_sha256, uses_left, expires_at) overriding system value
   values (7, sha256('a'), 1, now() + interval '1 day')`,
);

const application = (client_id: string, owner: string | null) => () =>
  registerPrinter(database, { client_id, ...(owner !== null && { owner }) });
const twoSecrets = (client_id: string) =>
  sql(
    `update clients set secrets_sha256 = array[sha256('a'), sha256('b')], secrets_since = array[now(), now()]
     where client_id = '${client_id}'`,
  );

/** Every command that changes something, by its name. */
const commands: Record<string, Act> = {
  'site ban': { send: byCommand('site', 'ban', 'bad.example') },
  'site unban': { send: byCommand('site', 'unban', 'bad.example') },
  'client invite': { send: byCommand('client', 'invite'), isAnother: true },
  'client uninvite': { prepare: invitation, send: byCommand('client', 'uninvite', '7') },
  'user create': { send: byCommand('user', 'create', 'carol', '--name', 'Carol') },
  'user update': { send: byCommand('user', 'update', 'bob', '--admin') },
  'user set-password': { send: byCommand('user', 'set-password', 'eve'), isAnother: true },
  'user disable': { send: byCommand('user', 'disable', 'bob') },
  'user enable': { send: byCommand('user', 'enable', 'bob') },
  'user unlock': { prepare: lock, send: byCommand('user', 'unlock', 'bob') },
  'user end-sessions': { prepare: asBob, send: byCommand('user', 'end-sessions', 'bob') },
  'user reset-factors': { prepare: setUp, send: byCommand('user', 'reset-factors', 'bob') },
  'user delete': { prepare: () => registerPeople(database, ['dan']), send: byCommand('user', 'delete', 'dan') },
  'grant revoke': {
    prepare: allow,
    send: byCommand('grant', 'revoke', '--user', 'bob', '--client', printer.client_id),
  },
  'provider disable': { send: byCommand('provider', 'disable', 'acme') },
  'provider enable': { send: byCommand('provider', 'enable', 'acme') },
  'scope create': { send: byCommand('scope', 'create', 'films:read', '--sentence', 'See your films') },
  'scope describe': { send: byCommand('scope', 'describe', 'films:read', '--sentence', 'See films') },
  'scope delete': { send: byCommand('scope', 'delete', 'films:read') },
  'resource create': { send: byCommand('resource', 'create', 'https://films.example/', '--scope', 'user') },
  'resource update': { send: byCommand('resource', 'update', 'https://films.example/', '--scope', 'repo:read') },
  'resource delete': { send: byCommand('resource', 'delete', 'https://films.example/') },
  'client create': {
    send: byCommand(
      ...['client', 'create', 'films', '--name', 'Films', '--site-domain', 'films.example'],
      ...['--redirect-uri', 'https://films.example/callback', '--scope', 'user'],
    ),
  },
  'client update': { send: byCommand('client', 'update', 'films', '--name', 'Movies') },
  'user invite': { send: byCommand('user', 'invite', 'new@new.example'), isAnother: true },
  'user reset-link': { send: byCommand('user', 'reset-link', 'bob'), isAnother: true },
  'client unvouch': { send: byCommand('client', 'unvouch', 'films') },
  'client vouch': { send: byCommand('client', 'vouch', 'films') },
  'client transfer': { send: byCommand('client', 'transfer', 'films', '--owner', 'bob') },
  'client rotate-secret': { send: byCommand('client', 'rotate-secret', 'films'), isAnother: true },
  'client delete-secret': {
    prepare: twoSecrets('films'),
    send: byCommand('client', 'delete-secret', 'films', handleOf(digestOf('a'))),
  },
  'client revoke-tokens': { send: byCommand('client', 'revoke-tokens', 'films'), isAnother: true },
  'client disable': { send: byCommand('client', 'disable', 'films') },
  'client enable': { send: byCommand('client', 'enable', 'films') },
  'client delete': { send: byCommand('client', 'delete', 'films') },
};

const personPath = `/admin/people/${idOf('bob')}`;
const press = (action: string): Send => byPage(personPath, `value="${action}"`);
const pressAt = (client_id: string, action: string, fields = {}): Send =>
  byPage(`/admin/applications/${client_id}`, `value="${action}"`, fields);

/** Every button at /admin that changes something, by its file in `src/admin/` and its name. */
const buttons: Record<string, Act> = {
  'person disable': { send: press('disable') },
  'person enable': { prepare: bob('disabled_at = now()'), send: press('enable') },
  'person unlock': { prepare: lock, send: press('unlock') },
  'person end_sessions': { prepare: asBob, send: press('end_sessions') },
  'person end_session': { prepare: asBob, send: byPage(personPath, 'name="session"') },
  'person reset_factors': { prepare: setUp, send: press('reset_factors') },
  'person revoke_grants': { prepare: allow, send: press('revoke_grants') },
  'person make_admin': { prepare: bob('is_admin = false'), send: press('make_admin') },
  'person unmake_admin': { prepare: bob('is_admin = true'), send: press('unmake_admin') },
  'person show_link': { send: press('show_link'), isAnother: true },
  'person change': { send: byPage(personPath, 'value="change"', { name: 'Bob B.' }) },
  'new-person invite': {
    send: byPage('/admin/people/new', 'name="address"', { address: 'ida@new.example' }),
    isAnother: true,
  },
  'new-person add': { send: byPage('/admin/people/new', 'name="username"', { username: 'gil' }) },
  'grants revoke': { prepare: allow, send: byPage('/admin/grants?user=bob', 'name="client_id"') },
  'application ban': { send: pressAt(printer.client_id, 'ban') },
  'application unban': { send: pressAt(printer.client_id, 'unban') },
  'application unvouch': { prepare: application('reader', null), send: pressAt('reader', 'unvouch') },
  'application vouch': { send: pressAt('reader', 'vouch') },
  'application pass_on': { send: pressAt('reader', 'pass_on', { owner: 'bob' }) },
  'application add_secret': { send: pressAt('reader', 'add_secret') },
  'application delete_secret': { prepare: twoSecrets('reader'), send: pressAt('reader', 'delete_secret') },
  'application revoke_tokens': { send: pressAt('reader', 'revoke_tokens'), isAnother: true },
  'application disable': { send: pressAt('reader', 'disable') },
  'application enable': { send: pressAt('reader', 'enable') },
  'scopes register': {
    send: byPage('/admin/scopes', 'name="sentence"', { name: 'books:read', sentence: 'See your books' }),
  },
  'scope describe': {
    prepare: scope('plays'),
    send: byPage('/admin/scopes/plays', 'value="describe"', { sentence: 'See your plays' }),
  },
  'scope describe_group': {
    send: byPage('/admin/scopes/plays', 'value="describe_group"', { sentence: 'Plays' }),
  },
  'scope delete': { send: byPage('/admin/scopes/plays', 'value="delete"') },
  'resources register': {
    send: byPage('/admin/resources', 'name="resource"', { resource: 'https://books.example/', scopes: 'user' }),
  },
  'resource change': {
    prepare: resource('plays'),
    send: byPage(`/admin/resources/${encodeURIComponent('https://plays.example/')}`, 'value="change"', {
      token_format: 'jwt',
    }),
  },
  'resource delete': {
    send: byPage(`/admin/resources/${encodeURIComponent('https://plays.example/')}`, 'value="delete"'),
  },
};

const consolePath = '/developer/applications/viewer';
const registration = { name: 'Kept', site_domain: 'kept.example', redirect_uris: 'https://kept.example/callback' };

/** Every form of the developer console that changes something, by the function that answers it. */
const consoleForms: Record<string, Act> = {
  registerNewApplication: {
    send: byPage('/developer/applications/new', 'name="redirect_uris"', {
      ...registration,
      'use:user:name': 'optional',
    }),
    isAnother: true,
    isOwn: true,
  },
  changeApplication: {
    prepare: application('viewer', 'bob'),
    send: byPage(`${consolePath}/registration`, 'name="redirect_uris"', { name: 'Viewer' }),
  },
  changeSecurity: {
    send: byPage(`${consolePath}/security`, 'class="security"', { require_pushed_authorization_requests: 'true' }),
  },
  addSecret: { send: byPage(`${consolePath}/credentials`, '/viewer/secrets"') },
  deleteSecret: {
    prepare: twoSecrets('viewer'),
    send: byPage(`${consolePath}/credentials?delete=${handleOf(digestOf('a'))}`, 'id="delete"'),
  },
  disable: { send: byPage(consolePath, '/viewer/disable"') },
  enable: { send: byPage(consolePath, '/viewer/enable"') },
  vouch: { send: byPage(consolePath, 'name="vouched"'), isAnother: true },
  deleteApplication: { send: byPage(consolePath, '/viewer/delete"', { confirm: 'Viewer' }) },
};

const tables = ['users', 'clients', 'scopes', 'scope_groups', 'resources', 'providers', 'banned_sites', 'invitations'];
/** Attempts are counted before it is known what comes of them; only those of a person are reset by an act. */
const attempts = '(select * from attempts where user_id is not null)';
const ofPeople = [
  ...['grants', attempts, 'totp_factors', 'recovery_codes', 'passkeys', 'identities', 'mails'],
  ...['mailed_links', 'sign_up_links'],
];
/** The time at which sessions were ended is new each time: it ends sign-ins that are under way. */
const row = `(to_jsonb(t) - 'sessions_ended_at')::text`;
async function state(): Promise<string[]> {
  const texts = [...tables, ...ofPeople].map(
    (table) => `(select coalesce(string_agg(${row}, E'\\n' order by ${row}), '') from ${table} t)`,
  );
  const sessions = `(select count(*)::text from sessions where user_id <> ${idOf('root')})`;
  return (await database.query(`select array[${[...texts, sessions].join(', ')}] as state`)).rows[0].state;
}
const events = async () =>
  (await database.query("select count(*)::integer from audit_events where event !~ '^sign'")).rows[0].count;

/** While the press waits for the rows that it changes or for its session, the administrator is none any more, or their session ends. */
const ends = [
  'update users set sessions_ended_at = clock_timestamp() where user_id = $1',
  'update users set is_admin = false where user_id = $1',
  'delete from sessions where user_id = $1',
];

async function pressLate(send: Send, end: string): Promise<boolean> {
  const holder = await database.connect();
  await holder.query('begin');
  for (const table of [...tables, 'sessions']) await holder.query(`select from ${table} for update`);
  const pressed = { isOver: false };
  const press = send().finally(() => (pressed.isOver = true));
  const waiting = `select count(*)::integer from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while (!pressed.isOver && (await database.query(waiting)).rows[0].count === 0);
  await holder.query(end, [idOf('root')]);
  await holder.query('commit');
  holder.release();
  const isDone = await press;
  await database.query('update users set is_admin = true where user_id = $1', [idOf('root')]);
  root = await signedInBrowser(origin, 'root');
  return isDone;
}

for (const [door, acts] of [
  ['the command', commands],
  ['the button', buttons],
  ['the form of the console', consoleForms],
] as const) {
  for (const [name, { prepare, send, isAnother, isOwn }] of Object.entries(acts)) {
    const lateEnds = door === 'the command' || isOwn ? [] : ends;
    const late = lateEnds.length > 0 ? ', nor for whoever is no administrator any more or signed out' : '';
    test(`${door} "${name}" changes nothing if its event cannot be written${late}, can be repeated, and writes no event where it changes nothing`, async () => {
      await prepare?.();
      const before = await state();
      await database.query(
        'create trigger refuse before insert on audit_events for each row execute function refuse_row()',
      );
      const isDone = await send();
      await database.query('drop trigger refuse on audit_events');
      assert.equal(isDone, false);
      assert.deepEqual(await state(), before);
      const written = await events();
      for (const end of lateEnds) {
        assert.equal(await pressLate(send, end), false, end);
        assert.deepEqual([await state(), await events()], [before, written], end);
      }
      assert.equal(await send(), true);
      assert.notDeepEqual(await state(), before);
      assert.equal(await events(), written + 1);
      if (isAnother) return;
      const after = await state();
      await send();
      assert.deepEqual(await state(), after);
      assert.equal(await events(), written + 1);
    });
  }
}

/** What changes nothing, or has its event in a statement of its own that another test makes fail. */
const otherCommands = [
  ...[
    'client find',
    'client list',
    'client show',
    'client invitations',
    'site list',
    'user find',
    'user list',
    'user show',
  ],
  ...['user export', 'grant list', 'token show', 'provider list', 'scope list', 'resource list', 'keys list', 'audit'],
  ...['status', 'counts', 'doctor', 'export', 'completion'],
  // the database as a whole, and files
  ...['start', 'migrate', 'seed', 'backup', 'restore', 'revoke-all', 'user import', 'keys rotate'],
  // a secret is shown after its event, or not at all
  'keys session-secret',
  'token revoke',
];
const otherButtons = ['person mail_link', 'events export', 'grants token'];
/** It shows what became of a token. */
const otherConsoleForms = ['showTokenHistory'];

test('every command is one of these', async () => {
  const names = [...(await latchkey(['--help'])).out.matchAll(/^ {2}(\S+(?: \S+)?) {2,}/gm)].map(
    ([, name = '']) => name,
  );
  assert.deepEqual([...Object.keys(commands), ...otherCommands].sort(), names.sort());
});

const source = (path: string) => readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8');

test('every form of the developer console is one of these', () => {
  const routes = source('registration/routes.ts').matchAll(
    /formRoute\((?:application|`\${application}|'\/developer).*[ (](\w+)\(deps\)\){1,2};/g,
  );
  assert.deepEqual(
    [...routes].map(([, name]) => name).sort(),
    [...Object.keys(consoleForms), ...otherConsoleForms].sort(),
  );
});

test('every button at /admin is one of these', () => {
  const named = [...Object.keys(buttons), ...otherButtons];
  const ofAccounts = [...source('accounts/account-actions.ts').matchAll(/^ {2}(\w+): \{/gm)].map(
    ([, name]) => `person ${name}`,
  );
  const ofApplications = [...source('admin/application.ts').matchAll(/^ {2}\['(\w+)', /gm)].map(
    ([, name]) => `application ${name}`,
  );
  assert.ok(ofAccounts.length > 5 && ofApplications.length > 5);
  for (const name of [...ofAccounts, ...ofApplications]) assert.ok(named.includes(name), name);
  for (const file of readdirSync(new URL('../../src/admin/', import.meta.url)).filter((name) => name.endsWith('.ts'))) {
    const page = file.replace('change-', '').replace('.ts', '');
    if (/= \(deps: Deps\): RequestHandler =>\s+forAdministratorsForm\(/.test(source(`admin/${file}`)))
      assert.ok(
        named.some((name) => name.startsWith(`${page} `)),
        page,
      );
  }
});
