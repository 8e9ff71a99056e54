import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Run } from './command-line.ts';
import { compiled, ownEnvironment } from './program.ts';

/** Commands as they are installed, each in a process of its own, on one database and without the environment of the tests. */
export function installedFor(url: string): Run {
  return async (words, { input = '', env = {} } = {}) => {
    const running = promisify(execFile)(process.execPath, [compiled('cli.js'), ...words], {
      env: { ...ownEnvironment(), DATABASE_URL: url, ...env },
      maxBuffer: 2 ** 28,
    });
    // a command refused for its arguments does not read standard input
    running.child.stdin?.on('error', () => {}).end(input);
    const { code = 0, stdout, stderr } = await running.catch((failure) => failure);
    return { code, out: stdout, err: stderr };
  };
}
