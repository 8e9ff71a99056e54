import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scratch } from '../support/scratch.ts';

/** A client in another language, which a test starts, reads from and types to. */
export interface ClientProgram {
  /** the first match in what it writes; rejects when it ends before that */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  type(line: string): void;
  /** all that it has written until now */
  written(): string;
  /** all that it has written, once it has ended by itself */
  ended(): Promise<string>;
}

interface Start {
  cwd?: string;
  env?: Record<string, string>;
}

/** Starts it without the environment of the tests, and stops it after the last test of the file. */
export function startProgram(command: string, args: string[], { cwd, env }: Start = {}): ClientProgram {
  const { PATH = '', HOME = '' } = process.env;
  // a process group of its own, because `go run` does not pass on the signal that ends it
  const child = spawn(command, args, { cwd, env: { PATH, HOME, ...env }, detached: true });
  // one may write while a line of the other is not complete
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      written[name] += text;
    });
  }
  let isRunning = true;
  const exit = once(child, 'close').finally(() => (isRunning = false));
  after(() => stop(child, exit));
  return {
    async said(pattern) {
      for (;;) {
        const wasRunning = isRunning;
        const match = pattern.exec(written.stdout) ?? pattern.exec(written.stderr);
        if (match) return match;
        if (!wasRunning) {
          const { stdout, stderr } = written;
          throw new Error(`${command} ended (${child.exitCode}) and wrote:\n${stdout}${stderr}`);
        }
        await pause(10);
      }
    },
    type: (line) => void child.stdin.write(`${line}\n`),
    written: () => written.stdout + written.stderr,
    async ended() {
      await exit;
      return written.stdout + written.stderr;
    },
  };
}

async function stop(child: ChildProcess, exit: Promise<unknown>): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, 'SIGTERM');
  const isLate = await Promise.race([exit.then(() => false), pause(5000, true, { ref: false })]);
  if (isLate) process.kill(-child.pid, 'SIGKILL');
  await exit;
}

/** A directory for programs in JavaScript: they find the packages that `load` finds, those of this folder before those of the repository. */
export function directoryOfPrograms(): string {
  const directory = join(scratch, 'clients');
  mkdirSync(directory);
  for (const [packages, place] of [
    ['../../node_modules', scratch],
    // which may not be installed
    ['node_modules', directory],
  ] as const) {
    symlinkSync(fileURLToPath(new URL(packages, import.meta.url)), join(place, 'node_modules'));
  }
  return directory;
}
