import { existsSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type Binaries, runCommand } from './binaries.ts';

/** The account that Postgres runs as, since it refuses to run as root: a prefix of its command, or ids for the child process. */
export interface Account {
  readonly prefix: readonly string[];
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
}

const ownAccount: Account = { prefix: [], ids: undefined };

// In its user namespace the process has the uid of `nobody`; outside it has our uid, and its files belong to us.
const userNamespace: Account = {
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

/** User ids that own the database if root started Latchkey. */
export function serviceAccounts(): number[] {
  return ['postgres', 'nobody'].flatMap((name) => findUser(name)?.ids?.uid ?? []);
}

/** Says why this account cannot write to the data directory or run the binaries (and load their libraries); undefined if it can. */
async function findProblem(account: Account, home: string, binaries: Binaries): Promise<string | undefined> {
  const probe = ['/bin/sh', '-c', 'test -w "$0" && exec "$1" --version', home, binaries.postgres];
  try {
    const { code, output } = await runCommand([...account.prefix, ...probe], { env: binaries.env, ...account.ids });
    return code === 0 ? undefined : output.trim() || `no access to ${home}`;
  } catch (error) {
    return (error as Error).message;
  }
}

type Ids = NonNullable<Account['ids']>;

/** Changes the owner of a tree. Its root comes last, so that its owner shows whether all of the tree was changed. */
function changeOwnerOfTree(path: string, ids: Ids): void {
  if (lstatSync(path).isDirectory()) for (const entry of readdirSync(path)) changeOwnerOfTree(join(path, entry), ids);
  lchownSync(path, ids.uid, ids.gid);
}

/**
 * Makes the account the owner of Postgres's directory, and of DATA_DIR if other users cannot search it. Returns a function
 * that undoes this.
 */
function changeOwner(home: string, ids: Ids): () => void {
  const dataDir = dirname(home);
  const before = statSync(dataDir);
  if ((before.mode & 0o001) === 0) lchownSync(dataDir, ids.uid, ids.gid);
  // the owner is not changed a second time: in a tree that it owns, the account could have placed a link to a file of
  // root
  if (statSync(home).uid !== ids.uid) changeOwnerOfTree(home, ids);
  else if (existsSync(join(home, 'lib'))) lchownSync(join(home, 'lib'), ids.uid, ids.gid);
  return () => {
    lchownSync(dataDir, before.uid, before.gid);
    changeOwnerOfTree(home, before);
  };
}

async function chooseForRoot(home: string, cluster: string, binaries: Binaries): Promise<Account> {
  const dataDir = dirname(home);
  const owner = statSync(existsSync(cluster) ? cluster : dataDir);
  // In a user namespace root has no capabilities and cannot write to directories of other users.
  const candidates: (Account | undefined)[] =
    owner.uid !== 0
      ? [{ prefix: [], ids: { uid: owner.uid, gid: owner.gid } }]
      : [process.platform === 'linux' ? userNamespace : undefined, findUser('postgres'), findUser('nobody')];
  let reason = 'there is no user postgres or nobody';
  for (const account of candidates) {
    if (!account) continue;
    const restoreOwner = account.ids ? changeOwner(home, account.ids) : undefined;
    const problem = await findProblem(account, home, binaries);
    if (!problem) return account;
    reason = problem;
    restoreOwner?.();
  }
  throw new Error(
    `Postgres refuses to run as root and no other account can use DATA_DIR ${dataDir} (${lastLine(reason)}); ` +
      'start Latchkey as an ordinary user that owns this directory, or set DATABASE_URL to a Postgres server.',
  );
}

export const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';

/** Chooses the account; `home` is the directory in DATA_DIR that contains everything of Postgres. */
export async function chooseAccount(home: string, cluster: string, binaries: Binaries): Promise<Account> {
  const uid = process.getuid?.();
  if (uid === undefined) return ownAccount;
  if (uid === 0) return chooseForRoot(home, cluster, binaries);
  // initdb looks up its user by name. The user ids of some containers have none; in the namespace it is `nobody`.
  const account = process.platform === 'linux' && !isInPasswd() ? userNamespace : ownAccount;
  const problem = process.platform === 'win32' ? undefined : await findProblem(account, home, binaries);
  if (!problem) return account;
  throw new Error(
    account === userNamespace
      ? `User id ${uid} has no entry in /etc/passwd, which Postgres needs (${lastLine(problem)}); ` +
          'run as a user that has one, or set DATABASE_URL to a Postgres server.'
      : `The embedded Postgres does not run on this machine (${lastLine(problem)}); it needs glibc, so not Alpine; ` +
          'set DATABASE_URL to a Postgres server instead.',
  );
}
