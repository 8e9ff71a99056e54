import { readFile } from 'node:fs/promises';

/**
 * Lock modes, the weakest first. ROW EXCLUSIVE delays no request; SHARE and SHARE ROW EXCLUSIVE delay those that write; ACCESS EXCLUSIVE
 * delays all.
 */
const modes = ['ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE', 'SHARE', 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE'] as const;

export interface TableLock {
  table: string;
  mode: (typeof modes)[number];
}

/**
 * The locks of statements: group 1 is the table; in a statement without comments, strings and bodies of functions. The first that
 * matches counts.
 */
const statements: readonly [RegExp, TableLock['mode']][] = [
  [/^alter table (?:if exists )?(?:only )?(\w+) validate constraint/, 'SHARE UPDATE EXCLUSIVE'],
  [/^(?:alter|drop) table (?:if exists )?(?:only )?(\w+)/, 'ACCESS EXCLUSIVE'],
  [/^create (?:unique )?index concurrently .*?\bon (\w+)/, 'SHARE UPDATE EXCLUSIVE'],
  [/^create (?:unique )?index .*?\bon (\w+)/, 'SHARE'],
  [/^create (?:or replace )?trigger .*?\bon (\w+)/, 'SHARE ROW EXCLUSIVE'],
  [/\b(?:insert into|delete from|(?:^|[(] ?)update) (\w+)/, 'ROW EXCLUSIVE'],
];

const commentOrString = /--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g;
const functionBody = /(\bfunction\b[^;$]*)(\$\w*\$)[\s\S]*?\2/g;

function statementsOf(text: string): string[] {
  const plain = text.replace(commentOrString, ' ').replace(functionBody, '$1').toLowerCase();
  return plain.split(';').map((statement) => statement.replace(/\s+/g, ' ').trim());
}

/** index → table, as the files so far have created them */
function indexesIn(texts: readonly string[]): Map<string, string> {
  const created = texts.flatMap(statementsOf).flatMap((statement) => {
    const [, index = '', table = ''] =
      /^create (?:unique )?index (?:concurrently )?(?:if not exists )?(\w+) on (\w+)/.exec(statement) ?? [];
    return index ? [[index, table] as const] : [];
  });
  return new Map(created);
}

function locksOfStatement(statement: string, indexes: ReadonlyMap<string, string>): TableLock[] {
  const locks: TableLock[] = [];
  const found = statements.flatMap(([pattern, mode]) => {
    const [, table] = pattern.exec(statement) ?? [];
    return table ? [{ table, mode }] : [];
  });
  locks.push(...found.slice(0, 1));
  if (/^(create|create unlogged|alter) table/.test(statement)) {
    for (const [, table = ''] of statement.matchAll(/\breferences (\w+)/g))
      locks.push({ table, mode: 'SHARE ROW EXCLUSIVE' });
  }
  const [, concurrently, index = ''] = /^drop index (concurrently )?(?:if exists )?(\w+)/.exec(statement) ?? [];
  const table = indexes.get(index);
  if (table) locks.push({ table, mode: concurrently ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE' });
  return locks;
}

/** Returns the strongest lock on each table that the file does not create itself, in the order of their names. */
export async function locksOf(path: string, earlier: readonly string[]): Promise<TableLock[]> {
  const texts = await Promise.all([...earlier, path].map((file) => readFile(file, 'utf8')));
  const own = statementsOf(texts.at(-1) ?? '');
  const created = new Set(own.map((statement) => /^create (?:unlogged )?table (\w+)/.exec(statement)?.[1]));
  const strongest = new Map<string, TableLock>();
  for (const lock of own.flatMap((statement) => locksOfStatement(statement, indexesIn(texts)))) {
    const known = strongest.get(lock.table);
    const isStronger = !known || modes.indexOf(lock.mode) > modes.indexOf(known.mode);
    if (isStronger && !created.has(lock.table)) strongest.set(lock.table, lock);
  }
  return [...strongest.values()].sort((one, other) => (one.table < other.table ? -1 : 1));
}
