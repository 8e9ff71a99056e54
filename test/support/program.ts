import { dirname, join } from 'node:path';

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
