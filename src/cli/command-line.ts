import type { Writable } from 'node:stream';
import { ConfigError } from '../config/config.ts';
import { readVersion } from '../operations/version.ts';
import { audit } from './audit.ts';
import { backup, restore, revokeEverything } from './backup.ts';
import { disableClient, enableClient, listClients, showClient, unvouchForClient, vouchForClient } from './client.ts';
import { findClients } from './client-find.ts';
import { createClient, deleteSecret, rotateSecret } from './client-secret.ts';
import { deleteClient, revokeTokens, transferClient, updateClient } from './client-update.ts';
import { type Command, type Output, UsageError } from './command.ts';
import { completionFor, didYouMean } from './completion.ts';
import { doctor } from './doctor.ts';
import { exportUsers } from './export.ts';
import { exportSeed } from './export-seed.ts';
import { endGrant, listGrants } from './grant.ts';
import { importUsers } from './import.ts';
import { invite, listAllInvitations, uninvite } from './invitation.ts';
import { listKeys, rotateKeys, showSessionSecret } from './keys.ts';
import { disableOneProvider, enableOneProvider, listAllProviders } from './provider.ts';
import { resetLink } from './reset-link.ts';
import { createResource, deleteResource, listAllResources, updateResource } from './resource.ts';
import { createScope, deleteScope, describeScope, listScopes } from './scope.ts';
import { seed } from './seed.ts';
import { migrate, start } from './server.ts';
import { type CommandProcess, type Shell, shellOf } from './shell.ts';
import { banSite, listSites, unbanSite } from './site.ts';
import { counts, status } from './status.ts';
import { endToken, showToken } from './token.ts';
import { createUser, deleteUser, listUsers, setPassword } from './user.ts';
import { accountCommands } from './user-actions.ts';
import { findUsers, showUser } from './user-find.ts';
import { inviteUser } from './user-invite.ts';
import { updateUser } from './user-update.ts';
import { Interrupted } from './with-database.ts';

const commands: Command[] = [
  start,
  migrate,
  seed,
  exportSeed,
  createClient,
  findClients,
  listClients,
  showClient,
  updateClient,
  rotateSecret,
  deleteSecret,
  disableClient,
  enableClient,
  transferClient,
  revokeTokens,
  deleteClient,
  vouchForClient,
  unvouchForClient,
  invite,
  listAllInvitations,
  uninvite,
  listSites,
  banSite,
  unbanSite,
  createUser,
  findUsers,
  listUsers,
  showUser,
  updateUser,
  setPassword,
  resetLink,
  inviteUser,
  ...accountCommands,
  deleteUser,
  importUsers,
  exportUsers,
  listGrants,
  endGrant,
  showToken,
  endToken,
  listAllProviders,
  disableOneProvider,
  enableOneProvider,
  listScopes,
  createScope,
  describeScope,
  deleteScope,
  listAllResources,
  createResource,
  updateResource,
  deleteResource,
  listKeys,
  rotateKeys,
  showSessionSecret,
  audit,
  status,
  counts,
  doctor,
  backup,
  restore,
  revokeEverything,
];
commands.push(completionFor(commands));

function help(listed: Command[]): string {
  const width = Math.max(...listed.map(({ name }) => name.length));
  const lines = listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: latchkey COMMAND

${lines.join('\n')}

Every command: --help shows its options, --json prints JSON. latchkey --version prints the version.
Commands read the same environment variables as the server: DATABASE_URL, or DATA_DIR for the embedded
database, which they share with a running server. Exit codes: 0 done, 1 failed, 2 wrong usage.`;
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h';

type Printed = Partial<Pick<Output, 'text' | 'isFailure' | 'ifUnread'>>;

/** Runs the command and returns what to print. */
async function answer(args: string[], shell: Shell): Promise<Printed> {
  const [first, second] = args;
  if (isHelp(first)) return { text: help(commands) };
  if (first === '--version') return { text: `latchkey ${readVersion()}` };
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (!command && group.length > 0 && isHelp(second)) return { text: help(group) };
  if (!command)
    throw new UsageError(first === undefined ? 'a command is missing' : unknownCommand(first, second, group));
  const rest = args.slice(command.name.split(' ').length);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? undefined : end).some(isHelp)) return { text: command.help };
  const { output, isJson } = await command.run(rest, shell);
  return isJson ? { ...output, text: JSON.stringify(output?.json, null, 2) } : { ...output };
}

function unknownCommand(first: string, second: string | undefined, group: Command[]): string {
  if (group.length === 0) {
    const meant = didYouMean(
      [first, `${first} ${second}`],
      commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? '']),
    );
    return `there is no command "${first}"${meant}`;
  }
  const verbs = group.map(({ name }) => name.slice(first.length + 1));
  return `${first} is followed by one of ${verbs.join(', ')}${didYouMean([second ?? ''], verbs)}`;
}

/** An error of the database names the rule and the value; its hint says what to do. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `latchkey: ${error.message.replace(/(?<!\?)$/, '.')} See latchkey --help.`;
  if (error instanceof ConfigError) return `The configuration is invalid:\n${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error && error.hint ? ` (${error.hint})` : '';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}${hint}`;
}

/** Fails if nobody could read a secret. For other results a closed pipe is no failure: `head` closes it when it has enough. */
async function print(stdout: Writable, { text, ifUnread }: Printed): Promise<void> {
  if (text === undefined) return;
  const problem = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
    stdout.write(`${text}\n`, resolve);
  });
  const code = problem?.code ?? problem?.message;
  if (code === undefined || (code === 'EPIPE' && ifUnread === undefined)) return;
  throw new Error(
    ifUnread === undefined
      ? `Standard output takes nothing (${code}).`
      : `The secret could not be shown (${code}). ${ifUnread}`,
  );
}

/** The exit code by which shells report the end by Ctrl-C. */
export const interrupted = 130;

/** Runs one command and returns the exit status. */
export async function runCommandLine(args: string[], caller: CommandProcess): Promise<number> {
  const { stdout, stderr } = caller;
  // print() has the errors of standard output; of those of standard error nobody could be told
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  try {
    const printed = await answer(args, shellOf(caller));
    await print(stdout, printed);
    return printed.isFailure ? 1 : 0;
  } catch (error) {
    if (error instanceof Interrupted) return interrupted;
    stderr.write(`${messageOf(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
