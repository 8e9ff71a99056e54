import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertRefused, commandLineFor, registration } from '../support/command-line.ts';
import { authorizationQuery, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, url } = await startWithPrinter({ REGISTRATION: 'open' });
const { latchkey, directory } = commandLineFor(url);
await registerPeople(database, ['bob']);

async function json(...words: string[]) {
  const { code, out, err } = await latchkey([...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

async function lastEvent() {
  const { rows } = await database.query(
    'select event, client_id, detail, request_id from audit_trail order by happened_at desc limit 1',
  );
  const { request_id, ...event } = rows[0];
  assert.match(request_id, /^command-/);
  return event;
}

// first: a server remembers the catalogue for five seconds
test('a scope that is made by a command is shown in the language of the person, with its sentence as the fallback', async () => {
  await json('scope', 'create', 'files:read', '--sentence', 'Read your files', '--group', 'files');
  assert.deepEqual(await lastEvent(), { event: 'scope_registered', client_id: null, detail: 'files:read' });
  await json('scope', 'create', 'files:write', '--sentence', 'Change your files', '--group', 'files');
  await json('scope', 'describe', 'files:read', '--lang', 'de', '--sentence', 'Ihre Dateien lesen');
  await json('scope', 'describe', 'files', '--lang', 'de', '--sentence', 'Ihre Dateien');
  await json('scope', 'describe', 'files', '--sentence', 'Your files');
  const made = (await json('scope', 'list')).find(({ name }: { name: string }) => name === 'files:read');
  assert.deepEqual(
    [made.sentence, made.sentences, made.group],
    ['Read your files', { de: 'Ihre Dateien lesen' }, 'files'],
  );
  await latchkey(registration('reader', '--scope', 'files', '--public'));
  const query = { client_id: 'reader', scope: 'files', redirect_uri: 'https://printer.example/callback' };
  const consent = async (language: string) => {
    const browser = await signedInBrowser(origin);
    return (await browser.visit(`/authorize?${authorizationQuery({ ...query, ui_locales: language })}`)).text;
  };
  const german = await consent('de');
  for (const sentence of ['Ihre Dateien lesen', 'Change your files', '<legend>Ihre Dateien</legend>']) {
    assert.ok(german.includes(sentence), sentence);
  }
  const french = await consent('fr');
  for (const sentence of ['Read your files', '<legend>Your files</legend>'])
    assert.ok(french.includes(sentence), sentence);
});

test('client update changes what it names by the rules of a registration, and nothing else', async () => {
  await latchkey(registration('album'));
  const before = await json('client', 'show', 'album');
  const change = [
    '--name',
    'Album',
    '--logo-uri',
    'https://printer.example/logo.png',
    '--dpop-bound-access-tokens',
    'yes',
  ];
  const after = await json('client', 'update', 'album', ...change);
  assert.deepEqual(
    [after.name, after.logo_uri, after.token_binding, after.redirect_uris, after.scopes],
    ['Album', 'https://printer.example/logo.png', 'dpop', before.redirect_uris, before.scopes],
  );
  const detail = 'name logo_uri dpop_bound_access_tokens';
  assert.deepEqual(await lastEvent(), { event: 'client_changed', client_id: 'album', detail });
  const taken = await json(
    'client',
    'update',
    'album',
    '--logo-uri',
    '',
    '--scope',
    'user:name',
    '--required-scope',
    '',
  );
  assert.deepEqual([taken.logo_uri, taken.scopes, taken.required_scopes], [null, ['user:name'], []]);
  const outside = ['--redirect-uri', 'https://elsewhere.example/cb'];
  assertRefused(await latchkey(['client', 'update', 'album', ...outside]), 1, /redirect URI 'https:\/\/elsewhere/);
  assertRefused(await latchkey(['client', 'update', 'album', '--site-domain', 'co.uk']), 1, /public suffix/);
  assertRefused(await latchkey(['client', 'update', 'nobody', '--name', 'X']), 1, /no client "nobody"/);
  assertRefused(await latchkey(['client', 'update', 'album']), 2, /an option that names the change is missing/);
  const wrong = ['client', 'update', 'album', '--require-signed-request-object', 'maybe'];
  assertRefused(await latchkey(wrong), 2, /is yes or no/);
});

test('a client that goes over to a secret by client update gets one that is shown once', async () => {
  const method = ['--token-endpoint-auth-method', 'tls_client_auth', '--tls-client-auth-san-dns', 'printer.example'];
  await latchkey(registration('keyed', ...method));
  const change = ['--token-endpoint-auth-method', 'client_secret_basic', '--tls-client-auth-san-dns', ''];
  const { client_secret, valid_secrets } = await json('client', 'update', 'keyed', ...change);
  assert.match(client_secret, /^lk_cs_/);
  assert.equal(valid_secrets, 1);
  const again = await json('client', 'update', 'keyed', ...change);
  assert.equal('client_secret' in again, false);
});

test('client transfer passes a client on, which its new owner finds in the console and its former one no longer', async () => {
  await latchkey(registration('passed'));
  await json('client', 'transfer', 'passed', '--owner', 'alice');
  const { event, detail } = await lastEvent();
  assert.deepEqual([event, detail], ['client_passed_on', 'to this user']);
  const [listed] = await json('audit', '--client', 'passed', '--event', 'client_passed_on');
  assert.equal(listed.username, 'alice');
  const page = async (username: string) =>
    (await (await signedInBrowser(origin, username)).visit('/developer/applications/passed')).status;
  assert.deepEqual([await page('alice'), await page('bob')], [200, 404]);
  await json('client', 'transfer', 'passed', '--owner', 'bob');
  assert.deepEqual([await page('alice'), await page('bob')], [404, 200]);
  assertRefused(await latchkey(['client', 'transfer', 'nobody', '--owner', 'bob']), 1, /no client "nobody"/);
  assertRefused(await latchkey(['client', 'transfer', 'passed', '--owner', 'nobody']), 1, /no user "nobody"/);
  await latchkey(['user', 'disable', 'bob']);
  assertRefused(await latchkey(['client', 'transfer', 'passed', '--owner', 'bob']), 1, /"bob" is disabled/);
  await latchkey(['user', 'enable', 'bob']);
});

test('client revoke-tokens ends every code, access and refresh token, and people are not asked again', async () => {
  const browser = await signedInBrowser(origin);
  const unused = await obtainCode(browser);
  const { body } = await redeem(origin, await obtainCode(browser));
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  await json('client', 'revoke-tokens', printer.client_id);
  assert.deepEqual(await lastEvent(), { event: 'client_tokens_revoked', client_id: printer.client_id, detail: null });
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await redeem(origin, unused)).body['error'], 'invalid_grant');
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  // without a page in between, since the consent is still there
  const answer = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'none' })}`);
  const code = new URL(answer.location ?? '').searchParams.get('code') ?? '';
  const renewed = await redeem(origin, code);
  assert.equal((await getUser(origin, renewed.body['access_token'])).status, 200);
});

test('client delete ends a client, which can be registered anew', async () => {
  await latchkey(registration('gone'));
  await json('client', 'delete', 'gone');
  assert.deepEqual(await lastEvent(), { event: 'client_deleted', client_id: 'gone', detail: null });
  assertRefused(await latchkey(['client', 'show', 'gone']), 1, /no client "gone"/);
  assertRefused(await latchkey(['client', 'delete', 'gone']), 1, /no client "gone"/);
  assert.equal((await latchkey(registration('gone'))).code, 0);
});

test('scope commands refuse what has another meaning, and say why', async () => {
  const describe = (...words: string[]) => latchkey(['scope', 'describe', ...words]);
  assertRefused(await describe('user:name', '--sentence', 'X'), 1, /'user:name' belongs to this server/);
  assertRefused(await latchkey(['scope', 'delete', 'user:name']), 1, /"user:name" is for the profiles/);
  assertRefused(await describe('user', '--sentence', 'X'), 1, /'user' belongs to this server/);
  assertRefused(await describe('nothing', '--sentence', 'X'), 1, /no scope "nothing"/);
  assertRefused(await describe('files:read', '--lang', 'tlh', '--sentence', 'X'), 2, /no page is in the language/);
  assertRefused(await describe('files:read', '--sentence', ' '), 1, /sentence is missing/);
  const create = (name: string, ...more: string[]) => latchkey(['scope', 'create', name, '--sentence', 'X', ...more]);
  assertRefused(await create('files:read'), 1, /There is already a scope "files:read"/);
  assertRefused(await create('files'), 1, /'files' is a group/);
  assertRefused(await create('A B'), 1, /'A B' is no lower-case letter/);
  assertRefused(await create('other', '--group', 'files:read'), 1, /'files:read' is a scope, so it cannot be a group/);
});

test('a scope that a client, a resource, a claim or a choice uses is not deleted, and the refusal says who uses it', async () => {
  await json('scope', 'create', 'used', '--sentence', 'Be used');
  await json('resource', 'create', 'https://used.example', '--scope', 'used');
  await latchkey(registration('user-of-it', '--scope', 'used'));
  const remove = () => latchkey(['scope', 'delete', 'used']);
  assertRefused(
    await remove(),
    1,
    /in use: remove it from the client "user-of-it", the resource "https:\/\/used\.example" first/,
  );
  await json('client', 'delete', 'user-of-it');
  assertRefused(await remove(), 1, /remove it from the resource/);
  await json('resource', 'delete', 'https://used.example');
  await database.query(`insert into claims (name, scope) values ('of_it', 'used')`);
  assertRefused(await remove(), 1, /remove it from the claim "of_it" first/);
  await database.query(`delete from claims`);
  await database.query(
    `select register_choice(name => 'parts', scopes => array['used'], sentence => 'Which parts?', query => 'select $1 as value, $1 as label')`,
  );
  assertRefused(await remove(), 1, /remove it from the choice "parts" first/);
  await database.query(`delete from choices`);
  assert.equal((await remove()).code, 0);
  assert.deepEqual(await lastEvent(), { event: 'scope_deleted', client_id: null, detail: 'used' });
  assertRefused(await remove(), 1, /no scope "used"/);
  await json('scope', 'create', 'used', '--sentence', 'Be used again');
});

test('resource create, list and delete follow the rules of register_resource', async () => {
  const made = await json(
    'resource',
    'create',
    'https://api.example',
    '--scope',
    'user,repo:read',
    '--token-format',
    'jwt',
  );
  assert.equal(made.resource, 'https://api.example');
  assert.equal((await lastEvent()).event, 'resource_registered');
  assert.match(
    (await latchkey(['resource', 'list'])).out,
    /^https:\/\/api\.example +jwt +- +user:name user:email repo:read$/m,
  );
  const create = (...words: string[]) => latchkey(['resource', 'create', ...words]);
  assertRefused(await create('https://api.example', '--scope', 'user'), 1, /already/);
  assertRefused(await create('http://api.example', '--scope', 'user'), 1, /is not https/);
  assertRefused(await create('https://b.example', '--scope', 'nothing'), 1, /there is no scope 'nothing'/);
  assertRefused(await create('https://b.example', '--scope', 'user', '--token-format', 'x'), 2, /opaque or jwt/);
  const update = (...words: string[]) => latchkey(['resource', 'update', 'https://api.example', ...words]);
  const before = { resource: 'https://api.example', scopes: made.scopes, client_id: null, token_format: 'jwt' };
  const changed = await json('resource', 'update', 'https://api.example', '--token-format', 'opaque');
  assert.deepEqual(Object.keys(changed).sort(), Object.keys(before).sort());
  const { event, detail } = await lastEvent();
  assert.deepEqual([event, detail], ['resource_changed', 'https://api.example']);
  await json('resource', 'update', 'https://api.example', '--scope', 'repo:read', '--client', 'album');
  const listed = async () => /^https:.*$/m.exec((await latchkey(['resource', 'list'])).out)?.[0];
  assert.match((await listed()) ?? '', /^https:\/\/api\.example +opaque +album +repo:read$/);
  await json('resource', 'update', 'https://api.example', '--client', '');
  assert.match((await listed()) ?? '', /^https:\/\/api\.example +opaque +- +repo:read$/);
  assertRefused(await update(), 2, /an option that names the change is missing/);
  assertRefused(await update('--token-format', 'x'), 2, /opaque or jwt/);
  assertRefused(await update('--scope', 'nothing'), 1, /there is no scope 'nothing'/);
  assertRefused(
    await latchkey(['resource', 'update', 'https://b.example', '--scope', 'user']),
    1,
    /There is no resource/,
  );
  await database.query('update resources set disabled_at = now()');
  assertRefused(await update('--scope', 'user'), 1, /A seed has disabled/);
  await json('resource', 'delete', 'https://api.example');
  assertRefused(await latchkey(['resource', 'delete', 'https://api.example']), 1, /There is no resource/);
});

test('a banned site has no applications but those that somebody vouches for, and a sub-domain is part of it', async () => {
  const own = async (client_id: string, site: string, vouched: boolean) =>
    database.query(
      `select register_client(client_id => $1, name => 'One', site_domain => $2, redirect_uris => array['https://' || $2 || '/cb'],
       scopes => array['user'], vouched => $3, owner => 'bob')`,
      [client_id, site, vouched],
    );
  await own('bad', 'bad.example', false);
  await own('below', 'a.bad.example', false);
  await own('trusted', 'bad.example', true);
  await own('other', 'notbad.example', false);
  await own('stopped', 'bad.example', false);
  await database.query(`update clients set disabled_at = now(), disabled_by_owner = true where client_id = 'stopped'`);
  assert.deepEqual(await json('site', 'ban', 'bad.example'), { site_domain: 'bad.example', disabled: 3 });
  assert.deepEqual(await lastEvent(), { event: 'site_banned', client_id: null, detail: 'bad.example' });
  const { rows } = await database.query(
    `select client_id from clients where disabled_at is not null and not disabled_by_owner and deleted_at is null order by client_id`,
  );
  assert.deepEqual(
    rows.map(({ client_id }) => client_id),
    ['bad', 'below', 'stopped'],
  );
  await assert.rejects(own('fresh', 'bad.example', false), /site_domain 'bad.example' is banned here/);
  await assert.rejects(own('fresh', 'x.y.bad.example', false), /is banned here/);
  await own('fresh', 'worse-bad.example', false);
  // an operator's own decision; and a seed must not keep the server from starting
  await own('seeded', 'bad.example', true);
  assert.match((await latchkey(['site', 'list'])).out, /^bad\.example /m);
  for (const site of ['com', 'github.io', 'localhost', 'Bad.example', 'x'.repeat(300)]) {
    assertRefused(await latchkey(['site', 'ban', site]), 2, /SITE is not a host name/);
  }
  await json('site', 'unban', 'bad.example');
  await own('fresh', 'bad.example', false);
  assertRefused(await latchkey(['site', 'unban', 'bad.example']), 1, /is not banned/);
});

test('a misspelt command, verb or option is answered with the one that was meant', async () => {
  assertRefused(await latchkey(['clinet', 'list']), 2, /no command "clinet": did you mean "client"\?/);
  assertRefused(await latchkey(['docter']), 2, /did you mean "doctor"\?/);
  assertRefused(await latchkey(['client', 'lst']), 2, /one of create, .*: did you mean "list"\?/);
  assertRefused(await latchkey(['client', 'list', '--limt', '3']), 2, /'--limt': did you mean --limit\? See latchkey/);
  assertRefused(await latchkey(['qqqqqq']), 2, /there is no command "qqqqqq"\. See/);
  assertRefused(await latchkey(['x'.repeat(100_000)]), 2, /there is no command/);
});

test('bash completes commands, verbs and options, and leaves files and values to the shell', async () => {
  const script = (await latchkey(['completion', 'bash'])).out;
  const file = join(directory, 'latchkey.bash');
  const complete = (...words: string[]) => {
    const typed = ['latchkey', ...words].map((word) => `'${word}'`).join(' ');
    writeFileSync(
      file,
      `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _latchkey; echo "\${COMPREPLY[*]}"`,
    );
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', file], { encoding: 'utf8' });
    assert.deepEqual([stderr, status], ['', 0]);
    return stdout.trim();
  };
  assert.equal(complete('cli'), 'client');
  assert.equal(complete('client', 're'), 'revoke-tokens');
  assert.equal(complete('client', 'update', 'album', '--na'), '--name');
  assert.equal(complete('migrate', '--p'), '--plan');
  assert.equal(complete('client', 'update', 'album', '--name', ''), '');
  assert.equal(complete('scope', 'describe', 'x', '--group', '--se'), '--sentence');
  assert.equal(complete('scope', 'create', 'x', '--group', '--se'), '');
  assert.equal(complete('comp'), 'completion');
  assertRefused(await latchkey(['completion', 'csh']), 2, /SHELL is one of bash, zsh, fish/);
});

const installed = (shell: string) => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;

test('fish completes them, too', { skip: !installed('fish') && 'needs fish' }, async () => {
  const file = join(directory, 'latchkey.fish');
  const script = (await latchkey(['completion', 'fish'])).out;
  const complete = (typed: string) => {
    writeFileSync(file, `${script}\ncomplete -C '${typed}'`);
    const { stdout, stderr } = spawnSync('fish', ['--no-config', file], { encoding: 'utf8' });
    assert.equal(stderr, '');
    return stdout.split('\n').map((line) => line.split('\t')[0]);
  };
  assert.ok(complete('latchkey cli').includes('client'));
  assert.deepEqual(complete('latchkey client tr').filter(Boolean), ['transfer']);
  assert.ok(complete('latchkey client update x --na').includes('--name'));
  assert.ok(!complete('latchkey client list --na').includes('--name'));
});

test('the script for zsh is one that zsh can read and run', { skip: !installed('zsh') && 'needs zsh' }, async () => {
  const file = join(directory, 'latchkey.zsh');
  const script = (await latchkey(['completion', 'zsh'])).out;
  // in the place of the completion system: what is offered
  const system = `compdef() { : }; compadd() { shift; print -r -- "$@" }; _files() { print -r -- files }`;
  const complete = (...words: string[]) => {
    writeFileSync(
      file,
      `${system}\n${script}\nwords=(latchkey ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _latchkey`,
    );
    const { stdout, stderr, status } = spawnSync('zsh', ['-f', file], { encoding: 'utf8' });
    assert.deepEqual([stderr, status], ['', 0]);
    return stdout.trim().split(' ');
  };
  assert.ok(complete('').includes('client'));
  assert.ok(complete('client', '').includes('transfer'));
  assert.ok(complete('client', 'update', 'x', '--').includes('--name'));
  assert.deepEqual(complete('client', 'update', 'x', '--name', ''), ['files']);
  assert.deepEqual(complete('seed', 'x', 'fil'), ['files']);
});
