import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ClientProgram, startProgram } from './program.ts';

const folder = fileURLToPath(new URL('go', import.meta.url));
/** The modules that are installed, and no others. */
const installed = { GOPATH: process.env['GOPATH'] ?? '', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
const findModule = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', 'golang.org/x/oauth2'], {
  cwd: folder,
  env: { ...process.env, ...installed },
  encoding: 'utf8',
});

/** The reason to skip a test, or false; always false in CI, so that a missing Go fails there. */
export const skip =
  !process.env['CI'] && !findModule.stdout?.trim() && 'the Go modules are not installed (test/libraries/install.sh go)';

/** A file of the folder `go/`, or any other by its absolute path, compiled with the modules of that folder. */
export function startGo(file: string, env: Record<string, string> = {}): ClientProgram {
  return startProgram('go', ['run', file], { cwd: folder, env: { ...installed, ...env } });
}
