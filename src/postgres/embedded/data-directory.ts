import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serviceAccounts } from './service-account.ts';

/** Creates the directory in DATA_DIR that contains everything of Postgres if it is missing, and checks that it is safe to use. */
export function openHome(dataDir: string): string {
  makeDirectory(dataDir);
  const home = findHome(dataDir);
  makeDirectory(home);
  return home;
}

/** Finds the directory that openHome makes, checks it and creates nothing. DATA_DIR must exist, and may be a symbolic link. */
export function findHome(dataDir: string): string {
  const real = realpathSync(dataDir);
  const home = join(real, 'postgres');
  // the owner of DATA_DIR could replace the directory in which root writes
  if (process.getuid?.() === 0) refuseOtherOwner(real);
  for (const path of [home, ...entriesOf(home)]) {
    if (!exists(path)) continue;
    refuseLink(path);
    refuseOtherOwner(path);
  }
  return home;
}

/** Makes a directory without `recursive`, with which Node never returns where nothing can be created, as in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // created by another process at the same moment
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const exists = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function entriesOf(home: string): string[] {
  const isDirectory = lstatSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isDirectory ? readdirSync(home).map((name) => join(home, name)) : [];
}

/** Refuses links: files here are written, removed and change their owner; through a link, that could happen to other files. */
function refuseLink(path: string): void {
  if (!lstatSync(path).isSymbolicLink()) return;
  throw new Error(`${path} is a symbolic link, which Latchkey does not follow; remove it, or choose another DATA_DIR.`);
}

function refuseOtherOwner(path: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const { uid: owner } = lstatSync(path);
  // started as root, Latchkey made one of these the owner
  if (owner === uid || (uid === 0 && serviceAccounts().includes(owner))) return;
  throw new Error(
    `${path} belongs to user id ${owner}, but Latchkey runs as user id ${uid}; ` +
      'start it as that user, change the owner of the directory (chown -R), or choose another DATA_DIR.',
  );
}
