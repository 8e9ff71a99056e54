import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type Binaries, runToEnd } from './binaries.ts';

/** As whom Postgres runs, which refuses to be root: words to put before its command, or ids to give the child. */
export interface Account {
  readonly prefix: readonly string[];
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
}

const self: Account = { prefix: [], ids: undefined };

// Inside its own user namespace the process is called nobody; outside it stays who we are, and so do its files.
const namespace: Account = {
  prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
  ids: undefined,
};

function isInPasswd(): boolean {
  try {
    return userInfo().uid !== undefined;
  } catch {
    return false;
  }
}

function findUser(name: string): Account | undefined {
  const passwd = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  const [, , uid, gid] =
    passwd
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':') ?? [];
  return uid && gid ? { prefix: [], ids: { uid: Number(uid), gid: Number(gid) } } : undefined;
}

/** User ids that root may have given the database to. */
export function serviceAccounts(): number[] {
  return ['postgres', 'nobody'].flatMap((name) => findUser(name)?.ids?.uid ?? []);
}

/** Can this account write the data directory and run the binaries (which also proves their libraries load)? */
async function works(account: Account, home: string, binaries: Binaries): Promise<string | undefined> {
  const probe = ['/bin/sh', '-c', 'test -w "$0" && exec "$1" --version', home, binaries.postgres];
  try {
    const { code, output } = await runToEnd([...account.prefix, ...probe], { env: binaries.env, ...account.ids });
    return code === 0 ? undefined : output.trim() || `${home} is out of its reach`;
  } catch (error) {
    return (error as Error).message;
  }
}

type Ids = NonNullable<Account['ids']>;

/** The root of the tree comes last: once it is somebody's, all of it is. */
function giveTree(path: string, ids: Ids): void {
  if (lstatSync(path).isDirectory()) for (const entry of readdirSync(path)) giveTree(join(path, entry), ids);
  lchownSync(path, ids.uid, ids.gid);
}

/** Makes the account the owner of all that is Postgres's, and of DATA_DIR when nobody else may pass through it. */
function give(home: string, ids: Ids): () => void {
  const dataDir = dirname(home);
  const before = statSync(dataDir);
  if ((before.mode & 0o001) === 0) lchownSync(dataDir, ids.uid, ids.gid);
  // not again: in a tree of its own the account could put a link in our way
  if (statSync(home).uid !== ids.uid) giveTree(home, ids);
  else if (existsSync(join(home, 'lib'))) lchownSync(join(home, 'lib'), ids.uid, ids.gid);
  return () => {
    lchownSync(dataDir, before.uid, before.gid);
    giveTree(home, before);
  };
}

async function chooseForRoot(home: string, cluster: string, binaries: Binaries): Promise<Account> {
  const dataDir = dirname(home);
  const owner = statSync(existsSync(cluster) ? cluster : dataDir);
  // Root without capabilities, which is what the namespace gives, cannot write what belongs to somebody else.
  const candidates: (Account | undefined)[] =
    owner.uid !== 0
      ? [{ prefix: [], ids: { uid: owner.uid, gid: owner.gid } }]
      : [process.platform === 'linux' ? namespace : undefined, findUser('postgres'), findUser('nobody')];
  let reason = 'there is no user postgres or nobody';
  for (const account of candidates) {
    if (!account) continue;
    const takeBack = account.ids ? give(home, account.ids) : undefined;
    const trouble = await works(account, home, binaries);
    if (!trouble) return account;
    reason = trouble;
    takeBack?.();
  }
  throw new Error(
    `Postgres refuses to run as root and no other account can serve DATA_DIR ${dataDir} (${lastLine(reason)}); ` +
      'start Latchkey as an ordinary user that owns this directory, or set DATABASE_URL to a Postgres server.',
  );
}

export const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';

/** `home` is the directory, inside DATA_DIR, of all that belongs to Postgres. */
export async function chooseAccount(home: string, cluster: string, binaries: Binaries): Promise<Account> {
  const uid = process.getuid?.();
  if (uid === undefined) return self;
  if (uid === 0) return chooseForRoot(home, cluster, binaries);
  // initdb looks its user up by name: a container's made-up user id needs the namespace to have one.
  const account = process.platform === 'linux' && !isInPasswd() ? namespace : self;
  const trouble = process.platform === 'win32' ? undefined : await works(account, home, binaries);
  if (!trouble) return account;
  throw new Error(
    account === namespace
      ? `User id ${uid} has no entry in /etc/passwd, which Postgres needs (${lastLine(trouble)}); ` +
          'run as a user that has one, or set DATABASE_URL to a Postgres server.'
      : `The embedded Postgres does not run on this machine (${lastLine(trouble)}); it needs glibc, so not Alpine; ` +
          'set DATABASE_URL to a Postgres server instead.',
  );
}
