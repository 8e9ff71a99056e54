// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../support/free-port.ts';
import { registerPeople, registerResource, startLatchkey } from '../support/latchkey.ts';
import { signInAndAllow } from './person.ts';
import { startProgram } from './program.ts';

// The judge of the Model Context Protocol for authorization servers; a person answers the page to which it sends the browser.

const judge = fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const isOld = Number(process.versions.node.split('.')[0]) < 22;
const isMissing = !process.env['CI'] && !existsSync(judge);
const skip =
  (isOld && 'the judge needs Node 22 or newer') ||
  (isMissing && '@modelcontextprotocol/conformance is missing (npm ci --prefix test/libraries installs it)');

test('@modelcontextprotocol/conformance finds no fault in the metadata and in the authorization code grant', {
  skip,
}, async () => {
  const { origin, database } = await startLatchkey({ CLIENT_ID_DOCUMENTS: 'on' });
  await registerPeople(database);
  const port = await findFreePort();
  const resource = 'https://mcp.example/mcp';
  await database.query("select register_scope('mcp:tools', 'Use the tools')");
  await registerResource(database, resource, ['mcp:tools']);
  await database.query(
    `select register_client(client_id => 'judge', name => 'Judge', site_domain => 'localhost',
       redirect_uris => array[$1], scopes => array['mcp:tools'])`,
    [`http://127.0.0.1:${port}/callback`],
  );
  const options = { url: origin, 'client-id': 'judge', resource, port: String(port) };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const program = startProgram(process.execPath, [judge, 'authorization', ...words]);
  const [link] = await program.said(/http:\S+\/authorize\?\S+/);
  await fetch(await signInAndAllow(link));
  const written = await program.ended();
  for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant']) {
    assert.match(written, new RegExp(`${scenario}: [1-9]\\d* passed, 0 failed`), written);
  }
  assert.match(written, /Total: 3 passed, 0 failed/, written);
});

test('every scenario in which the judge tries a client has a flow from the other side, or a reason why it has none', {
  skip,
}, async () => {
  const listed = await startProgram(process.execPath, [judge, 'list', '--client']).ended();
  const scenarios = [...listed.matchAll(/^ +- (auth\/\S+)/gm)].map(([, name = '']) => name);
  assert.ok(scenarios.length > 20, listed);
  const document = readFileSync(new URL('../registration/self/mcp-scenarios.md', import.meta.url), 'utf8');
  assert.deepEqual(
    scenarios.filter((name) => !document.includes(`\`${name}\``)),
    [],
  );
});
