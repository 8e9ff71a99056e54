import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/config.ts';
import { repository } from './documents.ts';

const read = (name: string) => readFileSync(join(repository, name), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('docker-compose.yml');

interface LockedPackage {
  readonly version: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly { readonly 'bom-ref': string }[];
}

test('sbom.json of the image names every production dependency of the lock file, with its version, and no other', (t) => {
  const app = mkdtempSync(join(tmpdir(), 'latchkey-sbom-'));
  t.after(() => rmSync(app, { recursive: true }));
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
  const production = Object.entries(packages).filter(
    ([path, { dev, optional }]) => path !== '' && !dev && !(optional && !existsSync(join(repository, path))),
  );
  // what `npm ci --omit=dev` leaves in the image, as far as npm looks at it
  for (const path of ['.', ...production.map(([directory]) => directory)]) {
    mkdirSync(join(app, path), { recursive: true });
    copyFileSync(join(repository, path, 'package.json'), join(app, path, 'package.json'));
  }
  copyFileSync(join(repository, 'package-lock.json'), join(app, 'package-lock.json'));
  const [, command = 'false'] = /^RUN (.*npm sbom .*)$/m.exec(dockerfile) ?? [];
  execFileSync('sh', ['-c', command], { cwd: app, stdio: 'pipe' });
  const { bomFormat, components } = JSON.parse(readFileSync(join(app, 'sbom.json'), 'utf8')) as Sbom;
  assert.equal(bomFormat, 'CycloneDX');
  assert.ok(production.length > 20);
  const expected = production.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  assert.deepEqual(new Set(components.map((component) => component['bom-ref'])), new Set(expected));
});

test('the image pulls one base, which has an exact version and can be pinned as documented', () => {
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
  const names = stages.map(([, , name]) => name);
  const pulled = stages.map(([, image = '']) => image).filter((image) => !names.includes(image));
  assert.equal(pulled.length, 1);
  const [base = ''] = pulled;
  assert.match(base, /^node:\d+\.\d+\.\d+-\w+-slim$/);
  // the documented way to pin its bytes names the same base
  const documented = readFileSync('src/operations/running.md', 'utf8');
  assert.match(documented, new RegExp(`--build-context ${base}=docker-image://node@sha256:[0-9a-f]{64} \\.$`, 'm'));
});

test('the image starts node itself, since npm as process 1 would stand between it and SIGTERM', () => {
  const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  assert.deepEqual(JSON.parse(command), ['node', 'dist/main.js']);
  assert.doesNotMatch(dockerfile, /^ENTRYPOINT/m);
  assert.match(dockerfile, /^STOPSIGNAL SIGTERM$/m);
});

test('the labels of the image tell what it is, and the arguments of the build where it is from', () => {
  const labels = new Map(
    [...dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)="(.*?)"/g)].map(([, name, value]) => [name, value]),
  );
  const { license } = JSON.parse(read('package.json'));
  assert.equal(labels.get('title'), 'Latchkey');
  assert.equal(labels.get('licenses'), license);
  const given = [...dockerfile.matchAll(/^ARG (.*)$/gm)].map(([, names]) => names).join(' ');
  for (const name of ['version', 'revision', 'created', 'source']) {
    assert.equal(labels.get(name), `$${name.toUpperCase()}`);
    assert.match(given, new RegExp(`\\b${name.toUpperCase()}=`));
  }
  assert.match(dockerfile, /^RUN .*"\$REVISION" >dist\/commit$/m, 'what --version says');
});

test('the compose file takes away every right that the server does not need, and waits for the longest shutdown', () => {
  const [service = ''] = /^ {2}latchkey:\n(?: {4}.*\n)+/m.exec(compose) ?? [];
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: [no-new-privileges:true]']) {
    assert.ok(service.includes(`\n    ${line}\n`), line);
  }
  const grace = Number(/stop_grace_period: (\d+)s/.exec(service)?.[1]);
  assert.equal(loadConfig({ DRAIN_DELAY: '60' }).drain_delay, 60);
  assert.throws(() => loadConfig({ DRAIN_DELAY: '61' }), /DRAIN_DELAY/);
  // what DRAIN_DELAY may be at most, and the time to finish after it
  assert.ok(grace >= 60 + 7.5, `${grace} seconds`);
});
