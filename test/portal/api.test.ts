import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { signInAndAllow } from '../libraries/person.ts';
import { startProgram } from '../libraries/program.ts';
import { findFreePort } from '../support/free-port.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { writeFile } from '../support/scratch.ts';
import { shownProgram, unescapeHtml } from '../support/shown-program.ts';

// A developer who does what the pages about an API say, with their programs as they are shown.

const { origin, database } = await startLatchkey();
await registerPeople(database, ['alice']);
const redirect_uri = 'http://localhost:8080/callback';
const site_domain = 'localhost';
await registerPrinter(database, { client_id: 'my-api' });
const open = async (path: string) => ({ url: path, text: await (await fetch(origin + path)).text() });
const page = await open('/developer/api');
await database.query(shownProgram(page, 'code-api-registration'));
await registerPrinter(database, {
  ...{ client_id: 'my-application', client_secret: null, redirect_uris: [redirect_uri], site_domain },
  scopes: ['photos:read', 'user:name'],
});

const skip = !process.env['CI'] && !['/usr/bin/curl', '/usr/bin/openssl'].every((path) => existsSync(path));

/** What the program of the page prints, which asks for the scope. */
async function tokenFor(scope: string): Promise<string> {
  const text = shownProgram(page, 'code-token').replaceAll('photos%3Aread', encodeURIComponent(scope));
  const program = startProgram('sh', [writeFile('token.sh', text)]);
  const [, link = ''] = await program.said(/Open (http\S+)\n/);
  assert.equal(new URL(link).searchParams.get('resource'), 'https://api.example');
  program.type((await signInAndAllow(link)).href);
  const [, token = ''] = await program.said(/"access_token":"([^"]*)"/);
  return token;
}

test('with the steps of the pages, the API of Node gives the answer that they show, and refuses what they say', {
  skip,
}, async () => {
  const programs = await open('/developer/api-programs');
  const port = String(await findFreePort());
  const file = writeFile('api.mjs', shownProgram(programs, 'code-node').replaceAll('8000', port));
  const api = startProgram('node', [file], { env: { CLIENT_SECRET: printer.client_secret } });
  await api.said(/Listening at/);
  const call = (token?: string) =>
    fetch(`http://127.0.0.1:${port}/api/me`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  const answered = await call(await tokenFor('photos:read'));
  const shown = JSON.parse(shownProgram(programs, 'code-api-answer'));
  const { rows } = await database.query("select user_id::text as sub from users where username = 'alice'");
  assert.deepEqual([answered.status, await answered.json()], [200, { ...shown, sub: rows[0]?.['sub'] }]);
  const refused = async (token?: string) => {
    const { status, headers } = await call(token);
    return [status, headers.get('www-authenticate')];
  };
  assert.deepEqual(await refused(), [401, 'Bearer']);
  assert.deepEqual(await refused('invented'), [401, 'Bearer error="invalid_token"']);
  await database.query("update resources set scopes = '{photos:read,user:name}'");
  const lacking = 'Bearer error="insufficient_scope", scope="photos:read"';
  assert.deepEqual(await refused(await tokenFor('user:name')), [403, lacking]);
  const said = unescapeHtml(page.text.replaceAll(/<[^>]*>/g, ''));
  for (const challenge of ['Bearer without error', 'Bearer error="invalid_token"', lacking]) {
    assert.ok(said.includes(`WWW-Authenticate: ${challenge}`), challenge);
  }
});
