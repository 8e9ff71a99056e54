import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildProgram } from './build-program.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The release from which operators upgrade to this version: whoever makes a release writes its commit into that file. */
export const { commit: previousRelease } = JSON.parse(
  readFileSync(new URL('../upgrade/previous-release.json', import.meta.url), 'utf8'),
) as { commit: string };

const git = (...args: string[]) => spawnSync('git', ['-C', repository, ...args], { maxBuffer: 2 ** 28 });

/** The reason to skip a test, or false where the previous release can run. */
export const withoutPreviousRelease =
  git('cat-file', '-e', `${previousRelease}^{commit}`).status === 0
    ? false
    : `git does not have the previous release, commit ${previousRelease} (is this a shallow clone?)`;

/** Compiles it with the packages of today; returns its main.js. */
export async function buildPreviousRelease(scratch: string): Promise<string> {
  const source = join(scratch, 'previous');
  mkdirSync(source);
  const { stdout } = git('archive', previousRelease, 'src', 'views', 'migrations', 'package.json', 'tsconfig.json');
  const unpacked = spawnSync('tar', ['-x', '-C', source], { input: stdout });
  if (unpacked.status !== 0) throw new Error(`the previous release cannot be unpacked: ${unpacked.stderr}`);
  symlinkSync(join(repository, 'node_modules'), join(source, 'node_modules'));
  const home = join(scratch, 'previous-program');
  await buildProgram(home, 'tsconfig.json', 'dist', source);
  return join(home, 'dist', 'main.js');
}
