import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { runCommandLine } from '../../src/cli/command-line.ts';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

type Given = { input?: string | Buffer; env?: Record<string, string>; isTerminal?: boolean };
export type Run = (words: string[], given?: Given) => Promise<Outcome>;

export interface CommandLine {
  readonly directory: string;
  /** a command in this process, which takes no time to start */
  readonly latchkey: Run;
}

/** Commands on one database, without the environment of the tests; and a directory for files. */
export function commandLineFor(url: string): CommandLine {
  const directory = mkdtempSync(join(tmpdir(), 'command-line-'));
  after(() => rmSync(directory, { recursive: true }));
  return {
    directory,
    async latchkey(words, { input = '', env = {}, isTerminal = false } = {}) {
      const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: isTerminal })];
      const said = Promise.all([text(stdout), text(stderr)]);
      const streams = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr };
      const process = Object.assign(new EventEmitter(), { env: { DATABASE_URL: url, ...env }, ...streams });
      const code = await runCommandLine(words, process);
      for (const stream of [stdout, stderr]) stream.end();
      const [out, err] = await said;
      return { code, out, err };
    },
  };
}

export function assertRefused({ code, out, err }: Outcome, expected: 1 | 2, sentence: RegExp): void {
  assert.match(err, sentence);
  assert.match(err, /^[^\n]+\n$/, 'one line');
  assert.deepEqual({ code, out }, { code: expected, out: '' });
}

export function registration(client_id: string, ...more: string[]): string[] {
  const redirection = ['--site-domain', 'printer.example', '--redirect-uri', 'https://printer.example/callback'];
  return [
    'client',
    'create',
    client_id,
    '--name',
    'Photo Printer',
    ...redirection,
    '--scope',
    'user,repo:read',
    ...more,
  ];
}
