import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import pg from 'pg';
import { isUnreachable } from './database-errors.ts';

/** An error of an SQL file, with the name of the file, the line and the message of the database. */
export class SqlFileError extends Error {}

/**
 * Runs an SQL file inside the caller's transaction. Postgres itself splits it into statements. It runs by `execute`, which
 * refuses to end the transaction: a `commit` in the middle of the file would commit the part above it, even if the rest fails.
 */
export async function runSqlFile(client: pg.ClientBase, path: string): Promise<void> {
  const text = withoutOwnTransaction(await readSqlFile(path));
  const block = `begin execute ${pg.escapeLiteral(text)}; end`;
  try {
    await client.query(`do ${pg.escapeLiteral(block)}`);
  } catch (error) {
    throw explainError(error, path, text);
  }
}

export async function readSqlFile(path: string): Promise<string> {
  try {
    // in another encoding, names would be stored with wrong letters
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof TypeError) throw new SqlFileError(`${basename(path)} is not UTF-8`);
    throw new SqlFileError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

const firstBegin = /^(?:\s|--.*\n|\/\*[\s\S]*?\*\/)*(?:begin|start\s+transaction)(?:\s+(?:work|transaction))?\s*;/i;
const lastCommit = /\bcommit(?:\s+(?:work|transaction))?\s*;(?:\s|--.*(?:\n|$))*$/i;

/** Replaces a `begin` at the start and a `commit` at the end by blanks, so that line numbers stay the same. */
function withoutOwnTransaction(text: string): string {
  if (!firstBegin.test(text) || !lastCommit.test(text)) return text;
  const blank = (words: string) => words.replace(/[^\n]/g, ' ');
  return text.replace(firstBegin, blank).replace(lastCommit, blank);
}

export function explainError(error: unknown, path: string, text: string): unknown {
  // a lock timeout, or a server that has become read-only: the caller tries again
  if (!(error instanceof pg.DatabaseError) || error.code === '55P03' || isUnreachable(error)) return error;
  const file = basename(path);
  if (error.code === '0A000' && error.routine === 'exec_stmt_dynexecute') {
    return new SqlFileError(
      `${file}: a file is applied as a whole, so it cannot begin or end a transaction (begin, commit, rollback, savepoint), nor copy from standard input`,
    );
  }
  const hint = error.hint ? ` (${error.hint})` : '';
  // an error raised inside a function has no position in the file
  if (error.internalQuery !== text) return new SqlFileError(`${file}: ${error.message}${hint}`);
  // counted in characters, some of which have two code units in JavaScript
  const before = [...text].slice(0, Number(error.internalPosition) - 1);
  const line = before.filter((character) => character === '\n').length + 1;
  const [command] = /^\\\w+/.exec(text.slice(before.join('').length)) ?? [];
  if (command) return new SqlFileError(`${file}, line ${line}: ${command} is a command of psql and no SQL`);
  return new SqlFileError(`${file}, line ${line}: ${error.message}${hint}`);
}
