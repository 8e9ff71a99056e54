import { existsSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns how the command line is called where this process runs: `latchkey` where it is installed, as in the image, otherwise its file.
 */
export function commandName(path = ''): string {
  if (path.split(delimiter).some((directory) => existsSync(join(directory, 'latchkey')))) return 'latchkey';
  const isCompiled = import.meta.url.endsWith('.js');
  const file = fileURLToPath(new URL(isCompiled ? '../cli.js' : '../cli.ts', import.meta.url));
  const near = relative(process.cwd(), file);
  return `${isCompiled ? 'node' : 'npx tsx'} ${near.startsWith('..') ? file : near}`;
}
