import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }));

/** From the top down; a file may import from its own floor and the ones below. */
const floors = ['main', 'app', 'endpoints', 'grants', 'store', 'protocol'];
const floorOf = (path: string) => floors.findIndex((floor) => path === `${floor}.ts` || path.startsWith(`${floor}/`));

/** All that a file imports, types too; files of this project by their path below src. */
function importsOf({ path, text }: { path: string; text: string }): string[] {
  const names = [...text.matchAll(/(?:^|\n)(?:import|export)\b[^;]*?from '([^']+)'/g)].map(([, name = '']) => name);
  return names.map((name) => (name.startsWith('.') ? relative(src, resolve(src, dirname(path), name)) : name));
}

test('imports go down only: main, app, endpoints, grants, store, protocol', () => {
  for (const file of files) {
    const floor = floorOf(file.path);
    if (floor < 0) continue;
    for (const name of importsOf(file)) {
      assert.ok(floorOf(name) < 0 || floorOf(name) >= floor, `${file.path} imports ${name} from a floor above`);
    }
  }
});

test('express, pg, zod and the environment are met on their own floors only', () => {
  const rules: [RegExp, RegExp, string][] = [
    [/from 'express(-session)?'/, /^(app|endpoints\/.*)\.ts$/, 'express'],
    [/from 'pg'/, /^store\//, 'pg'],
    [/from 'zod'/, /^(config\.ts|endpoints\/)/, 'zod'],
    [/process\.env/, /^(main|cli|config)\.ts$|^commands\//, 'process.env'],
    [/\bsql\(\s*'/, /^store\//, 'an SQL statement'],
    [/res\.render\(/, /^endpoints\/pages\/render\.ts$/, 'res.render'],
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
