// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { passportAsksAgain } from '../../src/registration/programs/libraries.ts';
import { Browser } from '../support/browser.ts';
import { basic, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import {
  password,
  printer,
  registerPeople,
  registerPrinter,
  registerResource,
  startLatchkey,
} from '../support/latchkey.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { shownProgram } from '../support/shown-program.ts';
import { startNginx } from './nginx.ts';
import { startProgram } from './program.ts';
import { guardByFastApi, saveProgram, snippets } from './snippets.ts';

const { origin, database } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database, ['alice', 'root']);
await database.query("update users set is_admin = true where username = 'root'");
await database.query(
  `insert into scopes (name, group_name, sentence) values ('mcp:tools', 'mcp:tools', 'Use the tools of the sample'),
   ('photos:read', 'photos', 'See your photos'), ('photos:write', 'photos', 'Change your photos')`,
);
// these applications are strangers' to an administrator
const root = await signedInBrowser(origin, 'root');

/** A command that leaves a file behind: what the attacks try to run. */
mkdirSync(join(scratch, 'bin'));
const trace = join(scratch, 'trace');
chmodSync(writeFile('bin/pwn', `#!/bin/sh\ntouch '${trace}'\n`), 0o755);
const PATH = `${join(scratch, 'bin')}:${process.env['PATH']}`;

interface Changes {
  client_id: string;
  client_secret?: string | null;
  /** before the usual redirection URI; it begins with the path if it is to be at the same address */
  first_uri?: string;
}

/** Registers a client, saves the program that its page shows, and uses it with nothing but the secret put in. */
async function useSnippet(
  id: string,
  { client_id, client_secret = printer.client_secret, first_uri }: Changes,
  edit = (program: string) => program,
) {
  const { file, callback = '/callback', scope = [], use } = snippets[id] ?? assert.fail(id);
  const application = `http://127.0.0.1:${await findFreePort()}`;
  const uris = [first_uri ?? [], callback].flat();
  const [redirect_uri = '', ...others] = uris.map((one) => (one.startsWith('/') ? application + one : one));
  const redirect_uris = [redirect_uri, ...others];
  const scopes = ['user', 'user:write', 'repo', scope].flat();
  await registerPrinter(database, { client_id, client_secret, redirect_uris, site_domain: 'localhost', scopes });

  const page = await root.visit(`/developer/applications/${encodeURIComponent(client_id)}/connect/${id}`);
  assert.match(page.text, new RegExp(`<code>${file}</code>`));
  await use({
    file: saveProgram(file, edit(shownProgram(page))),
    env: { PATH, ...(client_secret !== null && { CLIENT_SECRET: client_secret }) },
    application,
    issuer: origin,
    client_id,
    async register(resource, asker = { scopes: [scope].flat(), client_id: printer.client_id }) {
      await registerPrinter(database);
      await registerResource(database, resource, asker.scopes, asker.client_id);
    },
    async obtainToken(request = {}) {
      const code = await obtainCode(root, { client_id, redirect_uri, ...request });
      const authorization = basic(client_id, printer.client_secret);
      return (await redeem(origin, code, { redirect_uri }, { authorization })).body['access_token'];
    },
  });
}

/** Ends the quotes of some language, and would then run something or show a variable. */
const attack = [
  `';pwn;'`,
  `"+process.exit(9)+"`,
  '$(pwn)',
  '`pwn`',
  '\\";pwn;',
  '\\u0022',
  `${'$'}{CLIENT_SECRET}`,
  '#{7*7}',
  '%{HOME}',
  '*/',
  '"""',
  '</script>',
  '-opwn',
];
/** What Spring cannot hold, and what its page therefore leaves out. */
const tooMuchForSpring = /\$\{|\+/;

for (const [id, { skip, needs_secret, needs_public }] of Object.entries(snippets)) {
  if (!needs_public) {
    test(`${id}: the program works as it is shown, with only the secret put in`, { skip }, () =>
      useSnippet(id, { client_id: `confidential-${id}` }),
    );
  }

  if (!needs_secret) {
    test(`${id}: the program of a public client works as it is shown`, { skip }, () =>
      useSnippet(id, { client_id: `public-${id}`, client_secret: null }),
    );
  }

  test(`${id}: the program for a client whose registration attacks who pastes it runs nothing else [A374]`, {
    skip,
  }, async () => {
    const parts = attack.filter((part) => id !== 'spring' || !tooMuchForSpring.test(part));
    await useSnippet(id, {
      client_id: `${parts.join('')}${id}`,
      first_uri: "/';pwn;'$(pwn)%22,process.exit(9),%22",
      ...(needs_public && { client_secret: null }),
    });
    assert.equal(existsSync(trace), false);
  });
}

test('sign-in: the program of the documentation asks for a new sign-in where the last one is too old', {
  skip: snippets['passport-oauth2']?.skip ?? false,
}, async () => {
  const application = `http://127.0.0.1:${await findFreePort()}`;
  const [client_id, redirect_uri] = ['signs-in', `${application}/callback`];
  await registerPrinter(database, { client_id, redirect_uris: [redirect_uri], site_domain: 'localhost' });
  const connection = { issuer: origin, client_id, redirect_uri, scope: 'user', needed: [], audiences: [] };
  const text = passportAsksAgain.program({ ...connection, is_public: false, brand: 'Latchkey' });
  const env = { PATH, CLIENT_SECRET: printer.client_secret };
  await startProgram(process.execPath, [saveProgram('server.mjs', text)], { env }).said(/Open http/);

  const [site, alice] = [new Browser(application), await signedInBrowser(origin)];
  await database.query(
    `update sessions set auth_time = now() - interval '1 hour'
      where user_id = (select user_id from users where username = 'alice')`,
  );
  const asked = (await site.visit('/')).location ?? '';
  const allowed = await alice.submit(await alice.visit(asked), 'id="allow"');
  assert.match((await site.visit(allowed.location ?? '')).text, /^Signed in as alice /);
  // a form of another site comes without the cookie: it gets no other one, which would replace the session of the person
  const foreign = await fetch(`${application}/`, { method: 'POST' });
  assert.deepEqual([foreign.status, foreign.headers.get('set-cookie')], [200, null]);
  const session = site.cookies().get('connect.sid');
  const again = (await site.visit('/important')).location ?? '';
  assert.equal(new URL(again).searchParams.get('max_age'), '300');
  const login = await alice.visit(again);
  const fresh = await alice.submit(login, 'id="login"', { username: 'alice', password });
  const back = await site.visit(fresh.location ?? '');
  assert.notEqual(site.cookies().get('connect.sid'), session, 'a session that nobody else can know');
  assert.equal(back.text, 'Here you can do something important', 'where she was, not the start page');
});

test('mcp-sdk: without its client, the program registers itself', {
  skip: snippets['mcp-sdk']?.skip ?? false,
}, async () => {
  const name = 'itself';
  await useSnippet('mcp-sdk', { client_id: name, client_secret: null }, (program) =>
    program.replace(/let client = \{.*\};/, 'let client;'),
  );
  const { rows } = await database.query("select name from clients where client_id like 'app-%'");
  // also the one that was refused
  assert.deepEqual(rows, [{ name: 'Agent' }, { name: 'Agent' }]);
});

test('fastapi: the program of a registered API wants tokens for its resource, with a scope of it', {
  skip: snippets['fastapi']?.skip ?? false,
}, async () => {
  const resource = 'http://localhost:8000/api';
  const scopes = ['user', 'photos:read', 'photos:write'];
  await registerPrinter(database, { client_id: 'photo-api', scopes });
  await registerResource(database, resource, ['photos:read', 'photos:write'], 'photo-api');
  const page = await root.visit('/developer/applications/photo-api/connect/fastapi');
  const file = saveProgram('api.py', shownProgram(page));
  const api = await guardByFastApi({ file, env: { PATH, CLIENT_SECRET: printer.client_secret } });

  const client_id = 'photo-album';
  await registerPrinter(database, { client_id, scopes });
  async function call(application: string, request: Record<string, string>) {
    const code = await obtainCode(root, { client_id: application, prompt: 'consent', ...request });
    const { body } = await redeem(origin, code, {}, { authorization: basic(application, printer.client_secret) });
    const answer = await fetch(api, { headers: { authorization: `Bearer ${body['access_token']}` } });
    return [answer.status, answer.headers.get('www-authenticate')];
  }
  assert.deepEqual(await call(client_id, { scope: 'photos:read', resource }), [200, null]);
  assert.deepEqual(await call(client_id, { scope: 'photos', resource }), [200, null]);
  assert.deepEqual(await call(client_id, { scope: 'photos:write', resource }), [
    403,
    'Bearer error="insufficient_scope", scope="photos:read"',
  ]);
  // its own, but of this server
  assert.deepEqual(await call('photo-api', { scope: 'user' }), [401, 'Bearer error="invalid_token"']);
  await database.query('delete from resources where resource = $1', [resource]);
});

test('nginx: what it cannot find out is no refusal, which would make applications throw their tokens away', {
  skip: snippets['nginx']?.skip ?? false,
}, async () => {
  const file = shownProgram(await root.visit('/developer/applications/confidential-nginx/connect/nginx'));
  const api = await startNginx(file);
  const answer = await fetch(`${api}/api/x`, { headers: { authorization: 'Bearer lk_at_x' } });
  assert.equal(answer.status, 500, 'nobody has put the credentials in');
});
