import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The program as it is installed, compiled once for a run of the tests: it starts three times as fast as from source. */
export function buildProgram(home: string, source = repository): string {
  mkdirSync(home);
  for (const name of ['views', 'migrations', 'node_modules', 'package.json']) {
    symlinkSync(join(source, name), join(home, name));
  }
  const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '-p', join(source, 'tsconfig.json'), '--outDir', join(home, 'dist')];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const dist = join(home, 'dist');
  if (!existsSync(join(dist, 'main.js'))) throw new Error(`the sources do not compile:\n${stdout}`);
  return dist;
}

/** The environment of the tests, as far as the program gets it; from Node 22 on, its second process need not compile again. */
export function ownEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: join(dirname(dirname(compiled('main.js'))), 'compiled') };
}

/** Its `main.js` or `cli.js`, from test/run.ts. */
export function compiled(name: 'main.js' | 'cli.js'): string {
  const dist = process.env['LATCHKEY_TEST_PROGRAM'];
  if (!dist) throw new Error('run it with: npx tsx test/run.ts FILE');
  return join(dist, name);
}
