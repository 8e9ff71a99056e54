import { closeSync, createReadStream, createWriteStream, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { DumpHeader } from '../postgres/dump.ts';

/** Writes a file that only its owner can read. It gets its name when it is complete, and never replaces another file. */
export async function writeBackupFile(path: string, lines: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} exists already: choose another name`);
  const partial = `${path}.${process.pid}.partial`;
  try {
    const out = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(withLineFeeds(lines)), createGzip(), out, { signal });
    // fails if the name was taken meanwhile; a hard link would do that in one step, but not every file system has them
    closeSync(openSync(path, 'wx', 0o600));
    renameSync(partial, path);
  } catch (error) {
    throw explain(error, path);
  } finally {
    rmSync(partial, { force: true });
  }
}

async function* withLineFeeds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function explain(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new Error(`${dirname(path)} has no space left: the backup was not kept`);
  if (code === 'EEXIST') return new Error(`${path} exists already: choose another name`);
  return /^E[A-Z]+$/.test(code) ? new Error(`${path} cannot be written (${code})`) : error;
}

export interface BackupFile {
  header: DumpHeader;
  /** the lines after the header */
  lines: AsyncIterator<string>;
}

export async function openBackupFile(path: string): Promise<BackupFile> {
  const input = createReadStream(path).on('error', (error) => unzipped.destroy(error));
  const unzipped = input.pipe(createGunzip());
  const lines = linesOf(unzipped);
  try {
    const { value = '' } = await lines.next();
    const header = JSON.parse(value.slice(1)) as DumpHeader;
    if (header.latchkey_backup === 1) return { header, lines };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('E'))
      throw new Error(`${path} cannot be read: ${(error as Error).message}`);
  }
  throw new Error(`${path} is no backup that latchkey has made`);
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
