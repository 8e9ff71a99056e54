import type { Config } from '../config/config.ts';
import { comparePassword } from '../identity/password-hashing.ts';
import type { Database } from '../postgres/database.ts';
import { demoAccount, endDemo as end, findDemoAccount, keepDemoAccount } from './demo.sql.ts';

const { username, password } = demoAccount;

/** Returns a warning; undefined when the demo is off or only this machine can reach it. */
export function demoWarning({ demo, exposed_by }: Config): string | undefined {
  if (!demo || exposed_by === undefined) return undefined;
  return `The demo can be reached from other machines (${exposed_by}): anybody there can sign in as ${username}, an administrator.`;
}

/** How to create the first account, and how to enable the demo where its default is off because of ISSUER or HOST. */
export function adviceWithoutAccounts({ database_url, production, exposed_by }: Config, command: string): string {
  const advice = `There is no account yet: create one with ${command} user create NAME --admin.`;
  if (database_url !== undefined || production || exposed_by === undefined) return advice;
  return `${advice} The demo is on by default only when ISSUER and HOST are loopback (here: ${exposed_by}); DEMO=true enables it.`;
}

/**
 * Runs at a start without the demo: disables the demo client and refuses to start while the demo account has its well-known
 * password. With another password, the demo account becomes an ordinary account.
 */
export async function endDemo(database: Database): Promise<void> {
  const account = await end(database);
  if (!account || account.disabled_at) return;
  await refuseKnownPassword(account);
  await keepDemoAccount(database, account.password_hash);
}

/** Refuses the demo account where the demo is off: it can be enabled only after its password was changed. */
export async function checkDemoAccount(database: Database, name: string): Promise<void> {
  const account = await findDemoAccount(database, name);
  if (account) await refuseKnownPassword(account);
}

async function refuseKnownPassword({ password_hash }: { password_hash: string | null }): Promise<void> {
  if (password_hash === null || !(await comparePassword(password, password_hash))) return;
  throw new Error(
    `The demo account ${username} still has its well-known password: set another one ` +
      `(latchkey user set-password ${username}) or disable it (latchkey user disable ${username}), and try again.`,
  );
}
