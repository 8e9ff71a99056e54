import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratch } from '../support/scratch.ts';
import { type ClientProgram, startProgram } from './program.ts';

const folder = fileURLToPath(new URL('python', import.meta.url));
export const interpreter = `${folder}/.venv/bin/python`;

/** The reason to skip a test, or false; always false in CI, so that a missing Python fails there. */
export const skip =
  !process.env['CI'] &&
  !existsSync(interpreter) &&
  'the Python libraries are not installed (test/libraries/install.sh python)';

/** The reason to skip a test of a module that was added later: an older installation lacks such a module. */
export function skipWithout(module: string): string | false {
  if (skip || process.env['CI']) return skip;
  const isMissing = spawnSync(interpreter, ['-c', `import ${module}`]).status !== 0;
  return isMissing && `the Python module ${module} is not installed (test/libraries/install.sh python)`;
}

/** A file of the folder `python/`, or any other by its absolute path. */
export function startPython(file: string, env: Record<string, string> = {}): ClientProgram {
  // as the documentation of both libraries says for a server without TLS
  const withoutTls = { AUTHLIB_INSECURE_TRANSPORT: '1', OAUTHLIB_INSECURE_TRANSPORT: '1' };
  return startProgram(interpreter, ['-u', file], { cwd: folder, env: { ...withoutTls, ...env } });
}

/** Runs a module of the installed packages, which may write where it runs, and fails with its output unless it succeeds. */
export async function runPythonModule(module: string, options: string[], env: Record<string, string>): Promise<void> {
  await promisify(execFile)(interpreter, ['-m', module, ...options], { cwd: scratch, env, maxBuffer: 2 ** 26 }).catch(
    ({ stdout, stderr }) => assert.fail(`${stdout}${stderr}`),
  );
}
