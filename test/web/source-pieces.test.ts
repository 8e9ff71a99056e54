import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sourcePieces } from '../../src/web/source-pieces.ts';

const colours = (text: string) =>
  sourcePieces(text)
    .filter(({ kind }) => kind !== undefined)
    .map(({ text, kind }) => `${kind}: ${text}`);

test('comments, strings and keywords of a program are told apart, and the names of JSON from its values', () => {
  assert.deepEqual(colours('const a = "https://x/#y"; // not "a string"\n'), [
    'keyword: const',
    'string: "https://x/#y"',
    'comment: // not "a string"',
  ]);
  assert.deepEqual(colours(`# it's a comment\nimport x\ny = 'it\\'s'`), [
    `comment: # it's a comment`,
    'keyword: import',
    `string: 'it\\'s'`,
  ]);
  assert.deepEqual(colours('<!-- for example -->\n<p>\n'), ['comment: <!-- for example -->']);
  assert.deepEqual(colours('{ "name": "value" }'), ['keyword: "name"', 'string: "value"']);
  assert.deepEqual(colours('issuer-uri=https://x.example/#a\nimportant'), []);
  const words = ['<button>Sign in</button>', 'reading.catch(refused)', '@not-known'];
  assert.deepEqual(words.flatMap(colours), [], 'words that are keywords elsewhere');
  assert.deepEqual(colours('[...new Set(names)]'), ['keyword: new']);
});

test('the pieces of every program are the program', () => {
  const folder = new URL('../../views/registration/programs/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const pieces = sourcePieces(text);
    assert.equal(pieces.map((piece) => piece.text).join(''), text, name);
    assert.ok(pieces.length > 2 || name.endsWith('.properties'), name);
  }
});
