import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);
const list = readFileSync(new URL('security/README.md', root), 'utf8');

/** Number → the files whose test titles use it, named as the list names them. */
const used = new Map<string, Set<string>>();
const testFiles = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.test.ts') && !name.includes('node_modules'),
);
for (const name of testFiles) {
  const source = readFileSync(new URL(name, root), 'utf8');
  // in a title, or as the last member of a table whose rows become titles
  for (const [, inTitle, inTable] of source.matchAll(/\[([AF]\d+)(?: [^\]]*)?\]|'([AF]\d+)'/g)) {
    const number = inTitle ?? inTable ?? '';
    used.set(number, (used.get(number) ?? new Set()).add(name.replace('.test.ts', '')));
  }
}

const rows = [...list.matchAll(/^\| ([AF]\d+) \| (.+) \| (.+) \|$/gm)];
const listed = new Map(rows.map(([, number = '', , files = '']) => [number, files.replaceAll('`', '').split(', ')]));

test('every number in the title of a test is listed once, and every listed number is used', () => {
  assert.ok(used.size > 100);
  assert.equal(rows.length, listed.size);
  assert.deepEqual([...listed.keys()].sort(), [...used.keys()].sort());
});

test('the list names exactly the files that use a number', () => {
  for (const [number, files] of listed) assert.deepEqual(files, [...(used.get(number) ?? [])].sort(), number);
});

test('every test file that the document names exists', () => {
  const named = [
    ...list.matchAll(
      /`((?:accounts|admin|audit|browser|cli|clients|doctor|identity|lib|oauth|operations|people|playground|portal|postgres|registration|security|sign-in|web)\/[\w/-]+)`/g,
    ),
  ].map(([, name = '']) => name);
  const known = new Set(testFiles.map((name) => name.replace('.test.ts', '')));
  assert.ok(named.length > 200);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});
