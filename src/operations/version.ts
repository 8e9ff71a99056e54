import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCompiled, program, root } from '../folders.ts';

const packageFile = new URL('package.json', root);
/** A file that the build writes next to what it compiles, if it knows the commit: dist/commit. */
const commitFile = new URL('commit', program);

/** Returns `1.0.0`, or `1.0.0 (commit 1ec37f3)` if the build knows its commit. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const commit = existsSync(commitFile) ? readFileSync(commitFile, 'utf8').trim() : '';
  return commit === '' ? version : `${version} (commit ${commit})`;
}

/**
 * Returns how the command line is called where this process runs: `latchkey` where it is installed, as in the image, otherwise its file.
 */
export function commandName(path = ''): string {
  if (path.split(delimiter).some((directory) => existsSync(join(directory, 'latchkey')))) return 'latchkey';
  const file = fileURLToPath(new URL(isCompiled ? 'cli.js' : 'cli.ts', program));
  const near = relative(process.cwd(), file);
  return `${isCompiled ? 'node' : 'npx tsx'} ${near.startsWith('..') ? file : near}`;
}
