// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { libraries } from '../../src/registration/programs/libraries.ts';
import { createDpopKey, redeemWith } from '../support/dpop.ts';
import { basic, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { printer, registerPeople, registerPrinter, registerResource, startLatchkey } from '../support/latchkey.ts';
import { shownProgram } from '../support/shown-program.ts';
import { openServer } from './application.ts';
import { saveProgram, snippets } from './snippets.ts';

// Every program of the developer console that guards an API, against every credential that is no access token for this API.

const { origin, database } = await startLatchkey();
await registerPeople(database, ['root']);
await database.query('update users set is_admin = true');
const root = await signedInBrowser(origin, 'root');
const other = 'https://other.example/';
const own = 'https://api.example/';

/** Starts the API of a client; how it answers a token, and whether it is written for the resource. */
async function guardedBy(id: string, client_id: string, issuer = origin) {
  const {
    file,
    guard,
    call = (address, headers) => fetch(address, { headers }),
  } = snippets[id] ?? assert.fail(`no test starts the program for ${id}`);
  const page = await root.visit(`/developer/applications/${client_id}/connect/${id}`);
  const env = { PATH: process.env['PATH'] ?? '', CLIENT_SECRET: printer.client_secret };
  const program = shownProgram(page).replaceAll(origin, issuer);
  const address = await (guard ?? assert.fail(id))({ file: saveProgram(file, program), env });
  const answerTo = (token: unknown) => call(address, { authorization: `Bearer ${token}` });
  const statusFor = async (token: unknown) => (await answerTo(token)).status;
  return { answerTo, statusFor, isForResource: program.includes(own) };
}

const codeOf = (client_id: string, resource?: string) => obtainCode(root, { client_id, resource, prompt: 'consent' });
const exchange = async (client_id: string, code: string) =>
  (await redeem(origin, code, {}, { authorization: basic(client_id) })).body;
const tokensOf = async (client_id: string, resource?: string) => exchange(client_id, await codeOf(client_id, resource));

/** By what they are: the tokens that a client has, and none of which lets into its API. */
const useless: Record<string, (client_id: string) => Promise<unknown>> = {
  'a refresh token': async (client_id) => (await tokensOf(client_id))['refresh_token'],
  'a code': codeOf,
  'a token for another API': async (client_id) => (await tokensOf(client_id, other))['access_token'],
  'a token that is bound to a key': async (client_id) => {
    const bound = await redeemWith(
      await createDpopKey(),
      origin,
      await codeOf(client_id),
      {},
      { authorization: basic(client_id) },
    );
    return bound.body['access_token'];
  },
  'a token that is bound to a certificate': async (client_id) => {
    const { access_token } = await tokensOf(client_id);
    await database.query("update access_tokens set binding = 'certificate x'");
    return access_token;
  },
  'an expired token': async (client_id) => {
    const { access_token } = await tokensOf(client_id);
    await database.query('update access_tokens set expires_at = now()');
    return access_token;
  },
  'a token of another application': async () => (await tokensOf(printer.client_id))['access_token'],
};

await registerPrinter(database);
await registerResource(database, other, ['user'], printer.client_id);

for (const { id, needs_secret } of libraries) {
  if (!needs_secret) continue;
  const { skip = false, is_resource = false } = snippets[id] ?? {};

  test(`${id}: the API takes an access token for it, and nothing else`, { skip }, async () => {
    const client_id = `api-${id}`;
    await registerPrinter(database, { client_id });
    const resource = is_resource ? own : undefined;
    if (resource) await registerResource(database, resource, ['user'], client_id);
    const { statusFor } = await guardedBy(id, client_id);
    for (const [name, obtain] of Object.entries(useless)) {
      assert.equal(await statusFor(await obtain(client_id)), 401, name);
      assert.equal(await statusFor((await tokensOf(client_id, resource))['access_token']), 200, `after ${name}`);
    }
    await database.query('delete from resources where resource = $1', [own]);
  });

  test(`${id}: the API of a resource takes the tokens of all applications for it, and none without it`, {
    skip,
  }, async () => {
    const client_id = `resource-${id}`;
    await registerPrinter(database, { client_id });
    await registerResource(database, own, ['user'], client_id);
    const { statusFor, isForResource } = await guardedBy(id, client_id);
    const obtain = async (asker: string, resource?: string) => (await tokensOf(asker, resource))['access_token'];
    const expected = isForResource ? 200 : 401;
    assert.equal(await statusFor(await obtain(printer.client_id, own)), expected);
    assert.equal(await statusFor(await obtain(client_id)), isForResource ? 401 : 200, 'its own, for no resource');
    assert.equal(await statusFor(await obtain(client_id, other)), 401);
    assert.equal(await statusFor(await obtain(client_id, own)), expected);
    await database.query('delete from resources where resource = $1', [own]);
  });
}

/** A web server answers 500 there, which is no end of a token either. */
const webServers = ['apache', 'nginx'];

for (const { id, needs_secret } of libraries) {
  if (!needs_secret || webServers.includes(id)) continue;
  const { skip = false, is_resource = false } = snippets[id] ?? {};

  test(`${id}: while the issuer is away, the API says when to come again`, { skip }, async () => {
    const client_id = `lonely-${id}`;
    await registerPrinter(database, { client_id });
    const resource = is_resource ? own : undefined;
    if (resource) await registerResource(database, resource, ['user'], client_id);
    const token = (await tokensOf(client_id, resource))['access_token'];
    const failing = await openServer();
    failing.answer((_req, res) => res.writeHead(503).end());
    for (const issuer of [`http://127.0.0.1:${await findFreePort()}`, failing.origin]) {
      const { status, headers } = await (await guardedBy(id, client_id, issuer)).answerTo(token);
      assert.deepEqual([status, headers.get('retry-after')], [503, '5'], issuer);
    }
    await database.query('delete from resources where resource = $1', [own]);
  });
}
