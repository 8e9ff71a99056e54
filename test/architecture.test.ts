import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }));

/** From the bottom up. A file imports from its own module and from those before it; the modules of one line do not know each other. */
const order = [
  ['folders.ts'],
  ['lib/'],
  ['telemetry/', 'config/'],
  ['postgres/'],
  ['web/'],
  ['mail/'],
  ['audit/'],
  ['identity/'],
  ['catalogue/'],
  ['clients/'],
  ['oauth/'],
  ['people/'],
  ['accounts/'],
  ['sign-in/'],
  ['registration/'],
  ['operations/'],
  ['portal/', 'admin/', 'playground/'],
  ['doctor/'],
  ['cli/'],
  ['app.ts'],
  ['server.ts'],
  ['main.ts', 'cli.ts', 'node-version.ts'],
];
/** A type of what lives as long as the process: every module has its part in it. */
const shared = 'deps.ts';
const moduleOf = (path: string) => order.flat().find((module) => path === module || path.startsWith(module));
const placeOf = (path: string) => order.findIndex((modules) => modules.includes(moduleOf(path) ?? ''));

/** All that a file imports, types too; files of this project by their path below src. */
function importsOf({ path, text }: { path: string; text: string }): string[] {
  const names = [...text.matchAll(/(?:^|\n)(?:import|export)\b[^;]*?from '([^']+)'/g)].map(([, name = '']) => name);
  return names.map((name) => (name.startsWith('.') ? relative(src, resolve(src, dirname(path), name)) : name));
}

test('every file belongs to a module, and imports only from its own module and those before it', () => {
  const against: string[] = [];
  for (const file of files.filter(({ path }) => path !== shared)) {
    assert.ok(
      moduleOf(file.path),
      `${file.path} belongs to no module: name its folder in this test and in src/README.md`,
    );
    for (const name of importsOf(file).filter((one) => one.endsWith('.ts') && one !== shared)) {
      const isBefore = placeOf(name) < placeOf(file.path) || moduleOf(name) === moduleOf(file.path);
      if (!isBefore) against.push(`${file.path} -> ${name}`);
    }
  }
  assert.deepEqual(against, []);
});

test('a template stands in the folder of its module, and includes only those of its own module and of those before it', () => {
  const views = fileURLToPath(new URL('../views', import.meta.url));
  const paths = readdirSync(views, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ejs'));
  const moduleOfName = new Map(paths.map((path) => [path.replace(/^[^/]+\//, ''), moduleOf(path) ?? '']));
  assert.equal(moduleOfName.size, paths.length, 'two templates have one name');
  for (const path of paths) {
    const module = moduleOf(path);
    assert.ok(module, `${path} belongs to no module`);
    const names = [...readFileSync(join(views, path), 'utf8').matchAll(/include\('([^']+)'/g)].map(
      ([, name = '']) => name,
    );
    for (const name of names) {
      const of = moduleOfName.get(`${join(dirname(path), name).replace(/^[^/]+\//, '')}.ejs`);
      assert.ok(of === module || placeOf(of ?? '') < placeOf(module), `${path} includes ${name} of ${of}`);
    }
  }
});

test('express, pg, zod, jose, the environment and SQL are met in their own places only', () => {
  const rules: [RegExp, RegExp, string][] = [
    [
      /from 'express(-session)?'/,
      /^(?!lib\/|telemetry\/|config\/|postgres\/|mail\/|audit\/|catalogue\/|doctor\/|cli\/)(?!.*\.sql\.ts)/,
      'express',
    ],
    [/from 'pg'/, /^postgres\//, 'pg'],
    [/from 'jose'/, /^lib\//, 'jose'],
    [/from 'zod'/, /^(config|web|clients|oauth|playground)\//, 'zod'],
    [/(?<!shell\.)process\.env/, /^server\.ts$/, 'process.env'],
    // many commands run in one process of the tests
    [/(?<![\w.])process\./, /^(?!cli\/)/, 'a process that is not that of its shell'],
    [/\bsql\(\s*'/, /\.sql\.ts$|^postgres\//, 'an SQL statement'],
    [/res\.render\(/, /^web\/render\.ts$/, 'res.render'],
  ];
  for (const { path, text } of files) {
    for (const [pattern, allowed, what] of rules) {
      assert.ok(!pattern.test(text) || allowed.test(path), `${path} uses ${what}`);
    }
  }
});

test('no start loads what few processes need', () => {
  // node:http: its import loads the client of fetch
  const atFirstUse = /(?:^|\n)import (?!type\b)[^;]*? from '(nodemailer|tldts|@node-rs\/argon2|node:http)'/;
  const programs = files.filter(({ path }) => !path.startsWith('registration/programs/'));
  assert.deepEqual(
    programs.filter(({ text }) => atFirstUse.test(text)).map(({ path }) => path),
    [],
  );
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

test('the conditions under which something is active are in identity/active.sql.ts and oauth/rules.sql.ts only; elsewhere a statement asks whether a flag is unset only where it sets it', () => {
  const statements = files
    .filter(({ path }) => path.endsWith('.sql.ts') && !/^(identity\/active|oauth\/rules)\.sql\.ts$/.test(path))
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

test('a test that looks at the sessions or locks of a Postgres server, which other test files use at the same time, says of which database', () => {
  const tests = fileURLToPath(new URL('.', import.meta.url));
  // these start servers of their own
  const own = /^(faults|bench|soak)\/|^upgrade\/backup\.test\.ts$/;
  const against = readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !own.test(path))
    .flatMap((path) =>
      [...readFileSync(join(tests, path), 'utf8').matchAll(/from (?:pg_stat_activity|pg_locks)\b[^`";]*/g)]
        .map(([looking]) => looking)
        .filter((looking) => !/\bdatname\b|\bdatabase =|\bpid = /.test(looking))
        .map((looking) => `${path}: ${looking}`),
    );
  assert.deepEqual(against, []);
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
  assert.deepEqual(named.sort(), [...order.flat(), shared].sort());
  const mentioned = [...map.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = '']) => name);
  for (const name of mentioned) {
    assert.ok(files.some(({ path }) => path === name) || name.startsWith('test/'), `${name} is on the map only`);
  }
});

test('every module has a page, which the map links', () => {
  const map = readFileSync(join(src, 'README.md'), 'utf8');
  for (const module of order.flat().filter((one) => one.endsWith('/'))) {
    assert.ok(existsSync(join(src, module, 'README.md')), module);
    assert.ok(map.includes(`[\`${module}\`](${module}README.md)`), module);
  }
});

test('no comment begins in the middle of a sentence: with “Of a client”, “For the log” or “Those that”, its subject stands elsewhere', () => {
  const start =
    /(?:\/\*\*\s+(?:\* )?|(?<!\/\/ [^\n]*\n\s*)\/\/ )((?:of|as|for|those|that|the same|with|without|why)\b[^\n]*)/gi;
  // “Without a key, nobody …” has its subject after the comma
  const isWhole = (comment: string) => /^with(out)? [^,.;:]+, /i.test(comment);
  const cut = files
    .flatMap(({ path, text }) => [...text.matchAll(start)].map(([, comment = '']) => ({ path, comment })))
    .filter(({ comment }) => !isWhole(comment));
  assert.deepEqual(cut, []);
});
