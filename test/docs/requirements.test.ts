import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { documents, repository } from './documents.ts';

// Tables that say of each requirement of a specification where the program meets it, and which test shows that. A title may be cut at its
// end, and … stands for what a test fills in. A title without a file of its own is in the one that the page names for all rows of the
// table, or else in the next file of its row.

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
const beginsWith = (title: string) => new RegExp(`['"\`]${title.split('…').map(escaped).join('[^\\n]*?')}`);
const theFileOfAll = /\b[Tt]he tests are (?:in|those of)\s`(test\/[\w/-]+\.test\.ts)`/;

const tables = documents.flatMap(({ path, text }) =>
  text.split(/^## /m).flatMap((section) => {
    const [, rows = ''] = /^\| Requirement \| Where \| Test \|\n\|[-|]+\|\n((?:\|.*\n?)+)/m.exec(section) ?? [];
    const ofAll = theFileOfAll.exec(section)?.[1];
    return rows === '' ? [] : [{ path, ofAll, rows: rows.trim().split('\n') }];
  }),
);

test('each test that a table of requirements names exists, and every row names one', () => {
  let checked = 0;
  for (const { path, ofAll, rows } of tables) {
    for (const row of rows) {
      const [, , , cell = ''] = row.split(/(?<!\\)\| /);
      const named = [...cell.matchAll(/\*([^*]+)\*(?: in `(test\/[^`]+)`)?|`(test\/[^`]+)`/g)];
      assert.ok(named.length > 0, `${path}: ${row}`);
      for (const [index, [, title, own]] of named.entries()) {
        if (title === undefined) continue;
        const file = own ?? ofAll ?? named.slice(index).find((one) => one[2])?.[2] ?? '';
        const source = existsSync(join(repository, file)) && readFileSync(join(repository, file), 'utf8');
        assert.ok(source && beginsWith(title).test(source), `${path}: ${title} in ${file}`);
        checked += 1;
      }
    }
  }
  assert.ok(checked > 40, `${checked}`);
});
