import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }));

/** From the top down. A file may import from its own floor and from those below; the files of one line stand on one floor. */
const floors = [
  ['cli.ts', 'main.ts'],
  ['commands/'],
  ['diagnosis/'],
  ['app.ts'],
  ['process/'],
  ['playground/'],
  [
    'endpoints/account/',
    'endpoints/authorization/',
    'endpoints/developer/',
    'endpoints/admin/',
    'endpoints/discovery/',
    'endpoints/operations/',
    'endpoints/registration/',
    'endpoints/resource/',
    'endpoints/site/',
    'endpoints/token/',
  ],
  ['pages/'],
  ['http/'],
  ['grants/', 'deps.ts'],
  ['store/'],
  ['postgres/', 'embedded-postgres/', 'outbound/'],
  ['config.ts'],
  ['environment/', 'secret-files.ts'],
  ['telemetry/'],
  ['protocol/', 'password-hashes/'],
  ['values/'],
];
const roomOf = (path: string) => floors.flat().find((room) => path === room || path.startsWith(room));
const floorOf = (path: string) => floors.findIndex((rooms) => rooms.includes(roomOf(path) ?? ''));

/** All that a file imports, types too; files of this project by their path below src. */
function importsOf({ path, text }: { path: string; text: string }): string[] {
  const names = [...text.matchAll(/(?:^|\n)(?:import|export)\b[^;]*?from '([^']+)'/g)].map(([, name = '']) => name);
  return names.map((name) => (name.startsWith('.') ? relative(src, resolve(src, dirname(path), name)) : name));
}

test('every file stands on a floor, and imports only from its own floor and those below', () => {
  for (const file of files) {
    const floor = floorOf(file.path);
    assert.ok(floor >= 0, `${file.path} has no floor: name its folder in this test and in src/README.md`);
    for (const name of importsOf(file).filter((one) => one.endsWith('.ts'))) {
      assert.ok(floorOf(name) >= floor, `${file.path} imports ${name} from a floor above`);
    }
  }
});

test('the rooms of one floor do not import each other', () => {
  for (const file of files) {
    // what lives as long as the process is known to the grants, and names one of them
    if (roomOf(file.path) === 'deps.ts') continue;
    for (const name of importsOf(file).filter((one) => one.endsWith('.ts') && one !== 'deps.ts')) {
      const isBeside = floorOf(name) === floorOf(file.path) && roomOf(name) !== roomOf(file.path);
      assert.ok(!isBeside, `${file.path} imports ${name} from the room beside it`);
    }
  }
});

test('express, pg, zod, jose and the environment are met on their own floors only', () => {
  const rules: [RegExp, RegExp, string][] = [
    [/from 'express(-session)?'/, /^(app\.ts$|endpoints\/|http\/|pages\/|playground\/)/, 'express'],
    [/from 'pg'/, /^postgres\/|^embedded-postgres\//, 'pg'],
    [/from 'jose'/, /^protocol\//, 'jose'],
    [/from 'zod'/, /^(config\.ts|environment\/|endpoints\/|http\/|playground\/)/, 'zod'],
    // snippets are programs for other machines
    [/(?<!shell\.)process\.env/, /^main\.ts$|^endpoints\/developer\/snippets\//, 'process.env'],
    // many commands run in one process of the tests
    [/(?<![\w.])process\./, /^(?!commands\/)/, 'a process that is not that of its shell'],
    [/\bsql\(\s*'/, /^(store|postgres)\//, 'an SQL statement'],
    [/res\.render\(/, /^pages\/render\.ts$/, 'res.render'],
  ];
  for (const { path, text } of files) {
    for (const [pattern, allowed, what] of rules) {
      assert.ok(!pattern.test(text) || allowed.test(path), `${path} uses ${what}`);
    }
  }
});

test('no two statements have one name: a connection that has prepared the one would refuse the other', () => {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:sql|batched(?:<[^;(]*>)?)\(\s*'(\w+)'/g)].map(([, name = '']) => name),
  );
  assert.ok(names.length > 50);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) < at),
    [],
  );
});

test('the conditions under which something is active are in store/active.ts only; elsewhere a statement asks whether a flag is unset only where it sets it', () => {
  const statements = files
    .filter(({ path }) => path.startsWith('store/') && path !== 'store/active.ts')
    .flatMap(({ path, text }) => text.split(/(?=\b(?:sql|batched)[<(])/).map((statement) => ({ path, statement })));
  assert.ok(statements.length > 100, `${statements.length}`);
  for (const { path, statement } of statements) {
    assert.doesNotMatch(statement, /expires_at (is null|>)/, path);
    for (const column of ['revoked_at', 'disabled_at']) {
      const isAsked = new RegExp(`\\b${column} is null`).test(statement);
      if (isAsked) assert.match(statement, new RegExp(`\\b${column} = `), `${path} asks whether ${column} is null`);
    }
  }
});

test('no import leads back to where it started', () => {
  const imports = new Map(files.map((file) => [file.path, importsOf(file).filter((name) => name.endsWith('.ts'))]));
  const done = new Set<string>();
  const walk = (path: string, trail: string[]): void => {
    assert.ok(!trail.includes(path), `a cycle: ${[...trail, path].join(' -> ')}`);
    if (done.has(path)) return;
    for (const next of imports.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
});

test('names say what a file is about', () => {
  for (const { path } of files) assert.doesNotMatch(path, /(^|\/)(utils?|helpers?|common|types?|services?|index)\.ts$/);
});

test('the map names every folder and every loose file, and nothing that is not there', () => {
  const map = readFileSync(join(src, 'README.md'), 'utf8');
  const [table = ''] = /(?<=## The map\n).*?(?=\n## )/s.exec(map) ?? [];
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name),
  );
  const rooms = [...floors.flat(), 'endpoints/'].sort();
  assert.deepEqual(named.sort(), rooms);
  const mentioned = [...map.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = '']) => name);
  for (const name of mentioned) {
    assert.ok(files.some(({ path }) => path === name) || name.startsWith('test/'), `${name} is on the map only`);
  }
});
