import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import pg from 'pg';

/** A failed SQL file: which one, which line, what the database said. */
export class SqlFileError extends Error {}

/**
 * Runs a file of SQL inside the caller's transaction. Postgres reads it, for nobody else knows for sure where a statement
 * ends. By `execute`, which refuses what would end the transaction; sent as it is, a `commit` in the middle of the file
 * would make final what stands above it, whatever fails below.
 */
export async function runSqlFile(client: pg.ClientBase, path: string): Promise<void> {
  const text = withoutOwnTransaction(await readSqlFile(path));
  const block = `begin execute ${pg.escapeLiteral(text)}; end`;
  try {
    await client.query(`do ${pg.escapeLiteral(block)}`);
  } catch (error) {
    throw describeFailure(error, path, text);
  }
}

async function readSqlFile(path: string): Promise<string> {
  try {
    // another encoding would put the wrong letters into people's names
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof TypeError) throw new SqlFileError(`${basename(path)} is not UTF-8`);
    throw new SqlFileError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

const firstBegin = /^(?:\s|--.*\n|\/\*[\s\S]*?\*\/)*(?:begin|start\s+transaction)(?:\s+(?:work|transaction))?\s*;/i;
const lastCommit = /\bcommit(?:\s+(?:work|transaction))?\s*;(?:\s|--.*(?:\n|$))*$/i;

/** A file that is one transaction by its own words is one anyway: its begin and commit become blanks, and lines stay lines. */
function withoutOwnTransaction(text: string): string {
  if (!firstBegin.test(text) || !lastCommit.test(text)) return text;
  const blank = (words: string) => words.replace(/[^\n]/g, ' ');
  return text.replace(firstBegin, blank).replace(lastCommit, blank);
}

function describeFailure(error: unknown, path: string, text: string): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const file = basename(path);
  if (error.code === '0A000' && error.routine === 'exec_stmt_dynexecute') {
    return new SqlFileError(
      `${file}: a file is applied as a whole, so it cannot begin or end a transaction (begin, commit, rollback, savepoint), nor copy from standard input`,
    );
  }
  const hint = error.hint ? ` (${error.hint})` : '';
  // an error that a function raised has no place in the file
  if (error.internalQuery !== text) return new SqlFileError(`${file}: ${error.message}${hint}`);
  // counted in characters, of which some are two in a JavaScript string
  const before = [...text].slice(0, Number(error.internalPosition) - 1);
  const line = before.filter((character) => character === '\n').length + 1;
  const [command] = /^\\\w+/.exec(text.slice(before.join('').length)) ?? [];
  if (command) return new SqlFileError(`${file}, line ${line}: ${command} is a command of psql and no SQL`);
  return new SqlFileError(`${file}, line ${line}: ${error.message}${hint}`);
}
