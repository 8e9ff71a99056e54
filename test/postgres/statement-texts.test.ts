import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { format } from 'sql-formatter';
import { statements } from '../../src/postgres/database.ts';

// Statements are made of fragments from several files. Their finished texts stand in `statements/`, to be read as a whole, and so
// that a change of a fragment shows in each statement that it touches. After such a change:
// WRITE_STATEMENTS=1 npx tsx test/run.ts test/postgres/statement-texts.test.ts

const src = new URL('../../src/', import.meta.url);
const folder = new URL('statements/', import.meta.url);

const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
for (const file of files.filter((name) => /\.sql\.ts$|^postgres\/[^/]+\.ts$/.test(name)))
  await import(new URL(file, src).href);

const texts = new Map(
  [...statements.values()].map(({ name, text }) => [
    `${name}.sql`,
    `${format(text, { language: 'postgresql', keywordCase: 'lower', tabWidth: 2, expressionWidth: 120 })}\n`,
  ]),
);

if (process.env['WRITE_STATEMENTS']) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of texts) writeFileSync(new URL(name, folder), text);
}

test('the finished text of every statement is the one in test/postgres/statements, and there are no others', () => {
  assert.ok(texts.size > 100, `${texts.size}`);
  assert.deepEqual(readdirSync(folder).sort(), [...texts.keys()].sort());
  for (const [name, text] of texts) assert.equal(readFileSync(new URL(name, folder), 'utf8'), text, name);
});

test('a statement that takes some of the rows that nobody has locked chooses its rows once, whatever the planner does', () => {
  const taking = /\blimit \S+\s+for [a-z ]*skip locked/;
  const passing = [...statements.values()].filter(({ text }) => taking.test(text));
  assert.ok(passing.length > 1, `${passing.length}`);
  for (const { name, text } of passing) {
    // a query that is run again passes over the rows that its own statement has changed, and chooses more of them
    for (const before of text.split(taking).slice(0, -1)) {
      const [, query] = /.*\bas materialized \(([\s\S]*)/.exec(before) ?? [];
      assert.ok(query, name);
      assert.doesNotMatch(query, /^\s*(update|delete from)\b/m, name);
    }
  }
});
