import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Rules } from '../../src/clients/client-rules.sql.ts';
import { redemptionRules, refreshRules } from '../../src/oauth/rules.sql.ts';
import { familyEnds } from '../../src/oauth/token/families.sql.ts';
import { repetitionRules } from '../../src/oauth/token/repetition-rules.sql.ts';
import { repository } from './documents.ts';

const endpoints = readFileSync(join(repository, 'src/oauth/interface.md'), 'utf8');
const [, section = ''] = /### Why a code or refresh token is refused\n(.*?)\n### /s.exec(endpoints) ?? [];
const rows = [...section.matchAll(/^\| (.+?) \| `(\w+)` \| (.*) \|$/gm)].map(([, reason, error, cells = '']) => ({
  ...{ reason, error },
  cells: cells.split('|').map((cell) => cell.trim()),
}));

/** What the document must say of a table, in its order. */
function expected(rules: Rules, hasScope: boolean): unknown[] {
  return Object.entries(rules).flatMap(([name, { reason, error, ends, at_resource, of_named_scope }]) => {
    if (name === 'signable') return [];
    const row = [reason, error, ends ? `ends the ${familyEnds[ends]}` : '✓'];
    const others = [at_resource, hasScope ? of_named_scope : undefined].filter((other) => other !== undefined);
    return [row, ...others.map((other) => [other.reason, other.error, '✓'])];
  });
}

for (const [column, [title, rules]] of [
  ['Code', redemptionRules],
  ['Refresh', refreshRules],
  ['Repeated', repetitionRules],
].entries() as IterableIterator<[number, [string, Rules]]>) {
  test(`the column ${title} of the reasons of refusals has every rule, in the order in which they are looked at`, () => {
    const stated = rows.flatMap(({ reason, error, cells }) => (cells[column] ? [[reason, error, cells[column]]] : []));
    assert.deepEqual(stated, expected(rules, column > 0));
  });
}

test('the error of each rule is one of the table of errors', () => {
  const [, errors = ''] = /\n## Errors\n(.*?)\n### /s.exec(endpoints) ?? [];
  const all = [redemptionRules, refreshRules, repetitionRules].flatMap((rules): Rules[string][] =>
    Object.values(rules),
  );
  for (const { error } of all) assert.match(errors, new RegExp(`\`${error}\``), error);
});

test('the page of the module names the file of the rules, and only rules that exist', () => {
  const page = readFileSync(join(repository, 'src/oauth/token/README.md'), 'utf8');
  assert.ok(page.includes('clients/client-rules.sql.ts'));
  const rows = page.split('\n').filter((line) => /^\|.* rules? `.*oauth\/rules\.sql\.ts/.test(line));
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  assert.ok(named.length >= 5, `${named}`);
  for (const name of named) assert.ok(name in { ...redemptionRules, ...refreshRules, ...repetitionRules }, name);
});
