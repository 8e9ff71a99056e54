import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditEvents } from '../../src/audit/audit.sql.ts';
import { loadConfig } from '../../src/config/config.ts';
import { connectionsOf } from '../../src/operations/connections.ts';
import { repository, variables } from './documents.ts';

const read = (name: string) => readFileSync(join(repository, name), 'utf8');
const readme = read('README.md');
const table = read('src/operations/variables.md');

/** The variables of one row, with what its column says about the default. */
const rows = [...table.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \| (.+?) \| /gm)].map(([, names = '', value = '']) => ({
  names: names.replaceAll('`', '').split(', '),
  value,
}));

test('the table of the environment names every variable, each once, and no other', () => {
  assert.ok(variables.length > 20);
  assert.deepEqual(rows.flatMap(({ names }) => names).sort(), variables.toSorted());
});

test('the table of the environment states the defaults', () => {
  const { workers, brand, issuer, client_id_documents, dpop_nonce, passwords, acr_names, ...config } = loadConfig({});
  const { tracing } = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' });
  const others: Record<string, string | number | undefined> = {
    WEB_CONCURRENCY: workers,
    BRAND_NAME: brand.name,
    ISSUER: issuer.replace('3000', '$PORT'),
    CLIENT_ID_DOCUMENTS: client_id_documents ? 'on' : 'off',
    DPOP_NONCE: dpop_nonce ? 'on' : 'off',
    PASSWORDS: passwords ? 'on' : 'off',
    ACR_VALUES: acr_names.join(),
    OTEL_TRACES_SAMPLER_ARG: tracing?.rate,
    OTEL_SERVICE_NAME: tracing?.service,
  };
  for (const { names, value } of rows) {
    const defaults = names
      .map((name) => others[name] ?? (config as Record<string, unknown>)[name.toLowerCase()])
      .filter((known) => typeof known === 'string' || typeof known === 'number');
    for (const known of defaults) assert.ok(value.includes(`\`${known}\``), `${names}: ${known}`);
    assert.equal(value.startsWith('`'), defaults.length > 0, `${names}: ${value}`);
  }
});

test('the document for operators names every event of the audit trail', () => {
  const document = read('src/operations/administration.md');
  for (const name of auditEvents) assert.ok(document.includes(`\`${name}\``), name);
});

test('versions are those of the packages, the image and the compose file', () => {
  const { engines, optionalDependencies } = JSON.parse(read('package.json'));
  assert.match(readme, new RegExp(`Node ${engines.node.replace('>=', '')} or newer`));
  const [embedded] = new Set(Object.values<string>(optionalDependencies).map((version) => /\d+/.exec(version)?.[0]));
  for (const text of [readme, table]) assert.match(text, new RegExp(`embedded Postgres ${embedded}\\b`));
  const [, beside] = /image: postgres:(\d+)/.exec(read('docker-compose.yml')) ?? [];
  const named = [...readme.matchAll(/next to Postgres (\d+)/g)].map(([, version]) => version);
  assert.deepEqual(new Set(named), new Set([beside]));
});

test('what the documents say about the image is in the Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const [, image = ''] = /^ENV .*?(HOST=.*)$/m.exec(dockerfile) ?? [];
  const { HOST, DATA_DIR } = Object.fromEntries(image.split(' ').map((pair) => pair.split('=')));
  assert.ok(table.includes(`image: \`${HOST}\``) && table.includes(`image: \`${DATA_DIR}\``));
  for (const line of ['USER node', 'VOLUME /data', 'EXPOSE 3000', 'HEALTHCHECK ']) {
    assert.ok(dockerfile.includes(`\n${line}`), line);
  }
});

/** What an operator cannot set for the container of the compose file: what its image or network decides, and files, which need a volume. */
const isGivenByCompose = (name: string) =>
  ['DATABASE_URL', 'DATA_DIR', 'PORT', 'HOST'].includes(name) || (name.endsWith('_FILE') && name !== 'SEED_FILE');

test('the compose file passes on every variable that an operator can set, and no other', () => {
  const [service = ''] = /^ {2}latchkey:\n(?: {4}.*\n)+/m.exec(read('docker-compose.yml')) ?? [];
  const passed = [...service.matchAll(/^ {6}([A-Z_]+): \$\{([A-Z_]+):-/gm)].filter(([, name]) => name !== 'PGPASSWORD');
  for (const [, name, variable] of passed) assert.equal(variable, name);
  assert.deepEqual(
    passed.map(([, name = '']) => name).sort(),
    variables.filter((name) => !isGivenByCompose(name)).sort(),
  );
});

test('the README counts the dependencies of the program', () => {
  const words = ['Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'];
  const { dependencies } = JSON.parse(read('package.json'));
  assert.ok(readme.includes(`${words[Object.keys(dependencies).length - 5]} runtime dependencies`));
});

test('the README is read in a few minutes', () => {
  assert.ok(Buffer.byteLength(readme) <= 8192, `${Buffer.byteLength(readme)} bytes`);
});

test('the page for PgBouncer states the connections of an instance', () => {
  const most = (least: number, last: number) =>
    Math.max(...Array.from({ length: last - least + 1 }, (_, at) => connectionsOf({ workers: least + at })));
  const stated = /`default_pool_size` of at least (\d+) for each instance, (\d+) for an instance with 2 to 24 workers/;
  const [, one, several] = stated.exec(read('src/operations/growing.md')) ?? [];
  assert.deepEqual([Number(one), Number(several)], [connectionsOf({ workers: 1 }), most(2, 24)]);
});
