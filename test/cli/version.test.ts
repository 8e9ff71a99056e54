import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createDatabase } from '../support/database.ts';
import { program, startServing } from '../support/process.ts';
import { scratch } from '../support/scratch.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The output of `latchkey --version`. */
function printed(dist: string): string {
  return spawnSync(process.execPath, [join(dist, 'cli.js'), '--version'], { encoding: 'utf8' }).stdout;
}

test('the version is that of the package, with the commit if the build knows it; the start says it, too', async () => {
  const built = dirname(program);
  assert.equal(printed(built), `latchkey ${version}\n`);
  const home = join(scratch, 'built-from-a-commit');
  mkdirSync(home);
  cpSync(built, join(home, 'dist'), { recursive: true });
  for (const name of ['package.json', 'node_modules', 'views'])
    symlinkSync(join(dirname(built), name), join(home, name));
  writeFileSync(join(home, 'dist', 'commit'), '1ec37f3\n');
  assert.equal(printed(join(home, 'dist')), `latchkey ${version} (commit 1ec37f3)\n`);
  const server = await startServing({ DATABASE_URL: await createDatabase() });
  assert.ok(server.output().includes(`This is Latchkey ${version}. The instance uses up to 18 of the `));
  await server.kill();
});
