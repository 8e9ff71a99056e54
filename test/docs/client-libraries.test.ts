import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from './documents.ts';

const read = (name: string) => readFileSync(join(repository, name), 'utf8');
const document = read('src/oauth/interface.md');
const [section = ''] = /(?<=\n## Client libraries\n).*?(?=\n## )/s.exec(document) ?? [];
const rows = [...section.matchAll(/^\| (.+?) \| .+ \| \[.+\]\(\.\.\/\.\.\/(test\/libraries\/.+)\) \|$/gm)];

test('the test of a client library uses the libraries of its row', () => {
  assert.ok(rows.length > 0);
  for (const [, cell = '', file = ''] of rows) {
    for (const [, library = ''] of cell.matchAll(/`(.+?)`/g)) assert.ok(read(file).includes(library), library);
  }
});

test('every test of a client library is linked from the document, and that of a move from the one about moving', () => {
  const files = readdirSync(join(repository, 'test/libraries')).filter((name) => name.endsWith('.test.ts'));
  const documents = document + read('src/operations/moving.md');
  for (const file of files) assert.ok(documents.includes(`](../../test/libraries/${file})`), file);
});

test('every installed client library is in the table', () => {
  const { dependencies } = JSON.parse(read('test/libraries/package.json'));
  const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`(.+?)`/g)].map(([, library]) => library));
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => !named.includes(name)),
    [],
  );
});
