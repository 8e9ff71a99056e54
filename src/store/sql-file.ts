import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import pg from 'pg';

/** A failed SQL file: which one, which line, what the database said. */
export class SqlFileError extends Error {}

interface Piece {
  text: string;
  line: number;
}

/**
 * Runs a file of SQL inside the caller's transaction, statement by statement, so that a failure can name its line.
 * The whole file is one transaction already, so begin and commit in it are passed over instead of splitting it.
 */
export async function runSqlFile(client: pg.ClientBase, path: string): Promise<void> {
  for (const { text, line } of splitStatements(await readSqlFile(path))) {
    if (/^(begin|start\s+transaction|commit|end)\b/i.test(text)) continue;
    if (/^(rollback|abort)\b/i.test(text)) {
      throw new SqlFileError(
        `${basename(path)}, line ${line}: a file is applied as a whole, so it cannot ask for a rollback`,
      );
    }
    try {
      await client.query(text);
    } catch (error) {
      throw describeFailure(error, path, text, line);
    }
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

/** Strings, quoted names, comments and dollar quotes may contain semicolons that end nothing. */
const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]*)\$[\s\S]*?\$\1\$|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|;|[\s\S]/g;

export function splitStatements(sql: string): Piece[] {
  const pieces: Piece[] = [];
  let start: number | undefined;
  const finish = (end: number) => {
    if (start === undefined) return;
    pieces.push({ text: sql.slice(start, end).trim(), line: lineAt(sql, start) });
    start = undefined;
  };
  for (const match of sql.matchAll(token)) {
    const isBlank = /^(\s|--|\/\*)/.test(match[0]);
    if (match[0] === ';') finish(match.index);
    else if (start === undefined && !isBlank) start = match.index;
  }
  finish(sql.length);
  return pieces;
}

function describeFailure(error: unknown, path: string, text: string, firstLine: number): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const line = firstLine + (error.position ? lineAt(text, Number(error.position) - 1) - 1 : 0);
  const hint = error.hint ? ` (${error.hint})` : '';
  return new SqlFileError(`${basename(path)}, line ${line}: ${error.message}${hint}`);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
