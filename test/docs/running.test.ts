// ci: starts what the documents show
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDatabase } from '../support/database.ts';
import { startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { blocksOf, documents, repository, variables } from './documents.ts';

// The examples for systemd, Docker compose and Kubernetes, as a reader would copy them.

const { text = '' } = documents.find(({ path }) => path === 'src/operations/running.md') ?? {};
const blocks = blocksOf(text);
const example = (start: string) => blocks.find((block) => block.text.startsWith(start))?.text ?? '';
const unit = example('# /etc/systemd/system/latchkey.service');
const beside = example('# docker-compose.override.yml\nservices:\n  latchkey:\n');
const caddyfile = blocks.find(({ language }) => language === 'caddyfile')?.text ?? '';
const kubernetes = example('apiVersion: apps/v1');

const read = (name: string) => readFileSync(join(repository, name), 'utf8');
const [, exposed = ''] = /^EXPOSE (\d+)$/m.exec(read('Dockerfile')) ?? [];
/** seconds in which the server finishes requests after DRAIN_DELAY, rounded up */
const finishing = 8;

/** Each line `KEY=value` of the unit with this key. */
const inUnit = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
const unitVariables = inUnit('Environment').map((pair): [string, string] => {
  const [name = '', value = ''] = pair.split(/=(.*)/);
  return [name, value];
});
const podVariables = new Map(
  [...kubernetes.matchAll(/\{ name: ([A-Z_]+), value: '?(.*?)'? \}/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);

function requireKnown(names: Iterable<string>): void {
  const unknown = [...names].filter((name) => !['NODE_ENV', ...variables].includes(name));
  assert.deepEqual(unknown, []);
}

test('the systemd unit sets variables that exist, and hands over each secret that one of them names', () => {
  assert.ok(unitVariables.length > 4);
  requireKnown(unitVariables.map(([name]) => name));
  const named = unitVariables.filter(([, value]) => value.startsWith('%d/')).map(([, value]) => value.slice(3));
  assert.ok(named.length > 0);
  assert.deepEqual(
    inUnit('LoadCredential').map((credential) => credential.split(':')[0]),
    named,
  );
});

test('the server of the systemd unit starts with the variables of the unit, and answers the probes of Kubernetes', async () => {
  const [start = ''] = inUnit('ExecStart');
  assert.equal(start, '/usr/bin/node /opt/latchkey/dist/main.js');
  writeFile('database_url', `${await createDatabase()}\n`);
  writeFile('session_secret', `${'3f9a61c7'.repeat(8)}\n`);
  const env = unitVariables.map(([name, value]) => [name, value.replace('%d', scratch).replace('%S', scratch)]);
  const { origin, kill } = await startServing(Object.fromEntries(env));
  const paths = [...kubernetes.matchAll(/httpGet: \{ path: (\S+), port: http \}/g)].map(([, path]) => path);
  assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz']);
  for (const path of paths) assert.equal((await fetch(`${origin}${path}`)).status, 200, path);
  await kill();
});

test('systemd accepts the unit', (t) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return t.skip('needs systemd-analyze');
  const path = writeFile('latchkey.service', unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  // about other units of this machine it may say what it likes
  const complaints = stderr.split('\n').filter((line) => line.includes('latchkey'));
  assert.deepEqual({ status, complaints }, { status: 0, complaints: [] });
});

test('systemd and Kubernetes wait until the server has finished what it accepted', () => {
  assert.ok(!unitVariables.some(([name]) => name === 'DRAIN_DELAY'));
  assert.ok(Number(inUnit('TimeoutStopSec')[0]) >= 2 + finishing);
  const grace = Number(/terminationGracePeriodSeconds: (\d+)/.exec(kubernetes)?.[1]);
  assert.ok(grace >= Number(podVariables.get('DRAIN_DELAY')) + finishing, `${grace} seconds`);
});

test('the Kubernetes example sets variables that exist, and names the ports and files of the container', () => {
  assert.ok(podVariables.size > 4);
  requireKnown(podVariables.keys());
  const [, secrets = '-'] = /name: secrets, mountPath: (\S+),/.exec(kubernetes) ?? [];
  for (const name of ['DATABASE_URL', 'SESSION_SECRET']) {
    assert.equal(podVariables.get(`${name}_FILE`), `${secrets}/${name.toLowerCase()}`);
  }
  const ports = [...kubernetes.matchAll(/containerPort: (\d+)/g)].map(([, port]) => port);
  assert.deepEqual(ports, [exposed, podVariables.get('METRICS_PORT')]);
  // the user of the image has a name only, which Kubernetes refuses together with runAsNonRoot
  assert.match(kubernetes, /runAsNonRoot: true\n +runAsUser: 1000 /);
});

test('the example with Caddy adds to the compose file, and passes requests on to the port of the image', () => {
  assert.match(read('docker-compose.yml'), /^ {2}latchkey:$/m);
  requireKnown([...beside.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name = '']) => name));
  const [, host = '-'] = /ISSUER: https:\/\/(\S+)/.exec(beside) ?? [];
  assert.equal(caddyfile, `# Caddyfile\n${host} {\n\treverse_proxy latchkey:${exposed}\n}\n`);
});
