import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serviceAccounts } from './account.ts';

/** The directory, inside DATA_DIR, of all that belongs to Postgres: made if need be, and safe to work in. */
export function openHome(dataDir: string): string {
  makeDirectory(dataDir);
  const home = findHome(dataDir);
  makeDirectory(home);
  return home;
}

/** The same without making anything; DATA_DIR exists, and may be a link to where it really is. */
export function findHome(dataDir: string): string {
  const real = realpathSync(dataDir);
  const home = join(real, 'postgres');
  // whoever owns DATA_DIR could replace what root works in
  if (process.getuid?.() === 0) refuseForeign(real);
  for (const path of [home, ...entriesOf(home)]) {
    if (!isThere(path)) continue;
    refuseLink(path);
    refuseForeign(path);
  }
  return home;
}

/** One after the other: `recursive` of Node tries for ever where nothing can be made, as in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another start at the same moment has made it
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function entriesOf(home: string): string[] {
  const isDirectory = lstatSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isDirectory ? readdirSync(home).map((name) => join(home, name)) : [];
}

/** What is written, given away or removed here must lie here: a link could lead to anybody's files. */
function refuseLink(path: string): void {
  if (!lstatSync(path).isSymbolicLink()) return;
  throw new Error(`${path} is a symbolic link, which Latchkey does not follow; remove it, or choose another DATA_DIR.`);
}

function refuseForeign(path: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const { uid: owner } = lstatSync(path);
  // where Postgres cannot run as root, root gives it to one of those
  if (owner === uid || (uid === 0 && serviceAccounts().includes(owner))) return;
  throw new Error(
    `${path} belongs to user id ${owner}, but Latchkey runs as user id ${uid}; ` +
      'start it as that user, give the directory to this one (chown -R), or choose another DATA_DIR.',
  );
}
