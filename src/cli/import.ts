import { isUtf8 } from 'node:buffer';
import { createReadStream, statSync } from 'node:fs';
import {
  beginImport,
  compareListed,
  countListed,
  findListedProblems,
  type ImportCounts,
  type ListedLine,
  type ListedProblem,
  listChanges,
  listPeople,
  registerImport,
  releaseListed,
  rememberListed,
  storeListed,
} from '../people/import/imported-people.sql.ts';
import { PeopleFileError, type PeopleFormat, peopleFormatOf, readPeople } from '../people/import/people-file.ts';
import { asAWhole, type Connection } from '../postgres/transaction.ts';
import { commandTrace } from './audit.ts';
import { command, type Output, UsageError } from './command.ts';
import { formatCell } from './format.ts';
import { jsonList, progressIn, writeLines } from './long-output.ts';
import type { Shell } from './shell.ts';
import { withNewSchema } from './with-database.ts';

/** Lines of one statement. */
const batchSize = 1000;
/** Problems that are shown in full. */
const shownProblems = 100;

export const importUsers = command({
  name: 'user import',
  takes: ['FILE'],
  summary: 'Register or update people from another program.',
  details: `FILE ends in .csv, with a header, or in .jsonl or .ndjson, with a JSON object in each line. Members: subject, which finds the account
again and becomes its sub, username, email, email_verified, name, password_hash, disabled. A member that is not there changes nothing.
Addresses count as verified unless email_verified is false, or an empty cell. A hash replaces the password only if the import before had another one.
A name or address may go from one person of the file to another. All is stored in one transaction: with any problem, and after an
interruption, nothing is. An address that is not verified serves as no username. Somebody whom you disable or enable here stays so until the
file says something else than the last time.`,
  options: {
    plan: { type: 'boolean', help: 'print what would change, but change nothing' },
    source: { type: 'string', value: 'SOURCE', help: 'who speaks for new accounts: here (default), website, view' },
  },
  async run({ args: [path = ''], options, isJson, shell }) {
    const format = peopleFormatOf(path);
    if (!format) throw new UsageError('user import: FILE must end in .csv, .jsonl or .ndjson');
    const source = options.source ?? 'here';
    if (!/^(here|website|view)$/.test(source)) throw new UsageError('user import: --source is here, website or view');
    return withNewSchema(shell, (_database, { address }) =>
      asAWhole(address, async (connection) => {
        if (!(await beginImport(connection))) throw new Error('Another import is running: wait until it has ended.');
        return importFile(connection, { path, format, source, isPlan: options.plan, isJson, shell });
      }),
    );
  },
});

interface Import {
  path: string;
  format: PeopleFormat;
  source: string;
  isPlan: boolean;
  isJson: boolean;
  shell: Shell;
}

async function importFile(connection: Connection, settings: Import): Promise<Output | undefined> {
  const { isPlan, isJson, shell, source } = settings;
  const found = await listFile(connection, settings);
  await compareListed(connection);
  const { total, first } = await findListedProblems(connection, source, shownProblems);
  const count = found.total + total;
  if (count > 0) return refusal([...found.first, ...first], count);
  const counts = await countListed(connection);
  if (isPlan) {
    await writeLines(shell, isJson ? jsonList(eachChange(connection)) : planLines(connection, counts));
    return undefined;
  }
  await storeAll(connection, settings, counts);
  await rememberListed(connection, source);
  await registerImport(connection, counts, commandTrace());
  return { text: `Imported ${settings.path}: ${summaryOf(counts)}.`, json: counts };
}

/** Brings the file into the database, and counts the records that are no people. */
async function listFile(connection: Connection, { path, format, shell }: Import) {
  const { passwords } = shell.config();
  const first: ListedProblem[] = [];
  let total = 0;
  let batch: ListedLine[] = [];
  const progress = progressIn(shell, 'lines read');
  const store = async () => {
    await listPeople(connection, batch);
    batch = [];
  };
  try {
    for await (const record of readPeople(readFile(path), format)) {
      if ('problem' in record) {
        total += 1;
        if (first.length < shownProblems) first.push(record);
      } else {
        if (!passwords) delete record.person.password_hash;
        if (batch.push(record) === batchSize) await store();
      }
      progress.show(record.line);
    }
    await store();
  } catch (error) {
    if (!(error instanceof PeopleFileError)) throw error;
    throw new Error(`${path}: ${error.message}. Nothing was imported.`);
  } finally {
    progress.end();
  }
  return { total, first };
}

/** Throws what is not UTF-8: another encoding would store wrong letters. */
async function* readFile(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    // whoever reads a pipe that stalls cannot be interrupted
    if (!statSync(path).isFile()) throw new Error('it is no file');
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new PeopleFileError(`line ${await firstForeignLine(path)} is not UTF-8`);
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** The first line in another encoding; every byte is read as a character, so that each line can be judged by itself. */
async function firstForeignLine(path: string): Promise<number> {
  let [line, text] = [1, ''];
  for await (const chunk of createReadStream(path, 'latin1')) {
    const lines = `${text}${chunk}`.split('\n');
    text = lines.pop() ?? '';
    for (const one of lines) {
      if (!isUtf8(Buffer.from(one, 'latin1'))) return line;
      line += 1;
    }
  }
  return line;
}

const byLine = (one: ListedProblem, other: ListedProblem) => one.line - other.line;

function refusal(problems: ListedProblem[], count: number) {
  const shown = problems.sort(byLine).slice(0, shownProblems);
  const lines = shown.map(({ line, problem }) => formatCell(`line ${line}: ${problem}`));
  const rest = count > shown.length ? [`… and ${count - shown.length} more.`] : [];
  const text = ['Nothing was imported:', ...lines, ...rest].join('\n');
  return { text, json: { problems: shown, total: count }, isFailure: true };
}

const summaryOf = ({ created, updated, unchanged }: ImportCounts) =>
  `${created} created, ${updated} updated, ${unchanged} unchanged`;

async function* eachChange(connection: Connection) {
  for (let after = 0; ; ) {
    const changes = await listChanges(connection, after, batchSize);
    yield* changes.map(({ line, ...change }) => change);
    if (changes.length < batchSize) return;
    after = changes.at(-1)?.line ?? after;
  }
}

async function* planLines(connection: Connection, counts: ImportCounts): AsyncGenerator<string> {
  for await (const { action, id, changes } of eachChange(connection)) {
    const values = Object.entries(changes).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    yield formatCell(`${action} ${id}: ${values.join(', ')}`);
  }
  yield `${summaryOf(counts)}. Nothing was changed.`;
}

async function storeAll(connection: Connection, { path, source, shell }: Import, counts: ImportCounts): Promise<void> {
  const total = counts.created + counts.updated;
  const progress = progressIn(shell, `of ${total} people stored`);
  let done = 0;
  try {
    await releaseListed(connection, source);
    for (let after = 0; done < total; ) {
      const { stored, last } = await storeListed(connection, { after, limit: batchSize, source });
      done += stored;
      after = last;
      progress.show(done);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Error(`${path}: ${reason}. Nothing was imported.`);
  } finally {
    progress.end();
  }
}
