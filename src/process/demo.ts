import type { Config } from '../config.ts';
import { comparePassword } from '../grants/passwords.ts';
import type { Database } from '../postgres/database.ts';
import { demoAccount, endDemo as end, findDemoAccount, keepDemoAccount } from '../store/demo.ts';

const { username, password } = demoAccount;

/** Undefined where only this machine reaches the demo. */
export function demoWarning({ demo, exposed_by }: Config): string | undefined {
  if (!demo || exposed_by === undefined) return undefined;
  return `The demo is open to other machines (${exposed_by}): whoever reaches it may sign in as ${username}, an administrator.`;
}

/** A person who expected the demo is told how to have it. */
export function adviceWithoutAccounts({ database_url, production, exposed_by }: Config): string {
  const advice = 'There is no account yet: latchkey user create NAME makes one.';
  if (database_url !== undefined || production || exposed_by === undefined) return advice;
  return `${advice} The demo is on by itself only where ISSUER and HOST are loopback (here: ${exposed_by}); DEMO=true asks for it.`;
}

/** At a start without the demo. Its account may stay, disabled or with another password; then it is the demo's no longer. */
export async function endDemo(database: Database): Promise<void> {
  const account = await end(database);
  if (!account || account.disabled_at) return;
  await refuseKnownPassword(account);
  await keepDemoAccount(database, account.password_bcrypt);
}

/** Nobody enables the demo's account on a server that is no demo before its password is another. */
export async function checkDemoAccount(database: Database, name: string): Promise<void> {
  const account = await findDemoAccount(database, name);
  if (account) await refuseKnownPassword(account);
}

async function refuseKnownPassword({ password_bcrypt }: { password_bcrypt: string }): Promise<void> {
  if (!(await comparePassword(password, password_bcrypt))) return;
  throw new Error(
    `The demo's account ${username} still has the password that everybody knows: set another one ` +
      `(latchkey user set-password ${username}) or disable it (latchkey user disable ${username}), and try again.`,
  );
}
