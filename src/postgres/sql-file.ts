import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import pg from 'pg';
import { isUnreachable } from './database-errors.ts';
import { type SqlStatement, splitStatements } from './sql-statements.ts';

/** An error of an SQL file, with the name of the file, the line and the message of the database. */
export class SqlFileError extends Error {}

/**
 * Runs an SQL file inside the caller's transaction. Postgres itself splits it into statements. It runs by `execute`, which
 * refuses to end the transaction: a `commit` in the middle of the file would commit the part above it, even if the rest fails.
 */
export async function runSqlFile(client: pg.ClientBase, path: string): Promise<void> {
  const text = withoutOwnTransaction(await readSqlFile(path));
  try {
    await execute(client, text);
  } catch (error) {
    throw explainError(error, path, text);
  }
}

async function execute(client: pg.ClientBase, text: string): Promise<void> {
  const block = `begin execute ${pg.escapeLiteral(text)}; end`;
  await client.query(`do ${pg.escapeLiteral(block)}`);
}

/** How many problems of a file are reported. */
const maxProblems = 100;

/** Runs an SQL file like runSqlFile, and reports the errors of all its statements, where Postgres reports the first one only. */
export async function runSqlFileToItsEnd(client: pg.ClientBase, path: string): Promise<void> {
  const text = withoutOwnTransaction(await readSqlFile(path));
  await client.query('savepoint whole_file');
  try {
    if (hasForbidden(text)) throw new SqlFileError(`${basename(path)} has a statement that no seed can have`);
    await execute(client, text);
  } catch (error) {
    const first = explainError(error, path, text);
    // a plan has taken too long, and would take as long again
    if (!(first instanceof SqlFileError) || (error as pg.DatabaseError).code === '57014') throw first;
    await client.query('rollback to savepoint whole_file');
    const problems = await findProblems(client, path, text);
    throw problems.length > 0 ? new SqlFileError(problems.join('\n')) : first;
  }
}

/**
 * What a transaction that is rolled back would not undo, what changes with whose rights the rest of the file runs, and what hides from
 * the plan what it changes.
 */
const forbidden: readonly [RegExp, string][] = [
  [/^copy\b.*\bprogram\b/is, 'a seed cannot start programs (copy … program)'],
  [/^copy\b.*\bto\s*''/is, 'a seed cannot write files (copy … to)'],
  [
    /^(set|reset)\s+((local|session)\s+)?(role|session\s+authorization)\b|^(create|alter|drop)\s+(role|user|group)\b(?!\s+mapping)|^(alter\s+system|reset\s+all|discard)\b/i,
    'a seed cannot change roles, nor the settings of the server: use psql',
  ],
  [
    /^(set|reset)\s+((local|session)\s+)?(latchkey\.|session_replication_role\b)|^(alter|drop)\s+table\s+(if\s+exists\s+)?(only\s+)?([\w.]+\s*,\s*)*(public\.)?(clients|users|scopes|scope_groups|resources|providers|claims|choices|seeded_rows)\b/i,
    'a seed cannot change how this server stores and notes what it registers',
  ],
];

const forbiddanceOf = ({ bare }: SqlStatement) => forbidden.find(([pattern]) => pattern.test(bare))?.[1];

function hasForbidden(text: string): boolean {
  for (const statement of splitStatements(text)) if (forbiddanceOf(statement) !== undefined) return true;
  return false;
}

/** Runs one statement after the other, and goes on behind those that fail. */
async function findProblems(client: pg.ClientBase, path: string, text: string): Promise<string[]> {
  const problems: string[] = [];
  for (const statement of splitStatements(text)) {
    await client.query('savepoint statement');
    try {
      const reason = forbiddanceOf(statement);
      if (reason !== undefined) throw new SqlFileError(`${basename(path)}, line ${statement.line}: ${reason}`);
      await execute(client, statement.text);
    } catch (error) {
      const problem = explainError(error, path, statement.text, statement.line);
      if (!(problem instanceof SqlFileError)) throw problem;
      problems.push(problem.message);
      await client.query('rollback to savepoint statement');
      if (problems.length === maxProblems) return [...problems, '… and perhaps more'];
    }
  }
  return problems;
}

/** Bytes. People in such numbers are imported, line by line. */
const longestFile = 50e6;

export async function readSqlFile(path: string): Promise<string> {
  try {
    // in another encoding, names would be stored with wrong letters
    const bytes = await readFile(path);
    if (bytes.length > longestFile) throw new SqlFileError(`${basename(path)} has more than ${longestFile / 1e6} MB`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Postgres would take it for the end of the text
    if (text.includes('\0')) throw new SqlFileError(`${basename(path)} contains a NUL character`);
    return text;
  } catch (error) {
    if (error instanceof SqlFileError) throw error;
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

/** `firstLine`: the line of the file in which `text` begins, if it is one statement of it. */
export function explainError(error: unknown, path: string, text: string, firstLine?: number): unknown {
  // a lock timeout, or a server that has become read-only: the caller tries again
  if (!(error instanceof pg.DatabaseError) || error.code === '55P03' || isUnreachable(error)) return error;
  const file = basename(path);
  const statement = firstLine === undefined ? file : `${file}, line ${firstLine}`;
  if (error.code === '0A000' && error.routine === 'exec_stmt_dynexecute') {
    return new SqlFileError(
      `${statement}: a file is applied as a whole, so it cannot begin or end a transaction (begin, commit, rollback, savepoint; a begin may stand before everything, and a commit with nothing behind it at the end), nor copy from standard input`,
    );
  }
  const hint = error.hint ? ` (${error.hint})` : '';
  const message = `${withoutQuotedText(error.message, text)}${hint}`;
  // an error raised inside a function has no position in the file
  if (error.internalQuery !== text) return new SqlFileError(`${statement}: ${message}`);
  // counted in characters, some of which have two code units in JavaScript
  let at = 0;
  for (let left = Number(error.internalPosition); left > 1; left -= 1)
    at += Number(text.codePointAt(at)) > 0xffff ? 2 : 1;
  const line = text.slice(0, at).split('\n').length - 1 + (firstLine ?? 1);
  const [command] = /^\\\w+/.exec(text.slice(at, at + 50)) ?? [];
  if (command) return new SqlFileError(`${file}, line ${line}: ${command} is a command of psql and no SQL`);
  return new SqlFileError(`${file}, line ${line}: ${message}`);
}

/**
 * A syntax error quotes the text that it found, which may be a secret, and of one without end everything after it; a secret in the
 * wrong kind of quotation marks is the name of a column to Postgres, and one in the wrong place is a malformed value. So a message
 * repeats nothing that stands in quotation marks in the file, and nowhere else.
 */
function withoutQuotedText(message: string, file: string): string {
  const bare = [...splitStatements(file)].map((statement) => statement.bare).join('\n');
  const known = new Set(bare.match(/[\w$\u0080-\uffff]+/g)?.map((word) => word.toLowerCase()));
  const isOfFile = (words: string) => known.has(words.toLowerCase());
  return message
    .replace(/ at or near "(?:[eE]?'|\$|[^"]*\n)[\s\S]*"$/, ' at or near a quoted text')
    .replace(/"((?:[^"]|"")*)"/g, (quoted, words) => (isOfFile(words) || !standsIn(file, words) ? quoted : '"…"'));
}

/** Whether the file has these words, perhaps with doubled quotation marks. A file with escapes can spell any word, so it counts as having them. */
const standsIn = (file: string, words: string) =>
  file.includes(words) || file.includes(words.replaceAll("'", "''")) || file.includes('\\');
