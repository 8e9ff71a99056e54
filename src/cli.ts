#!/usr/bin/env node
import { audit } from './commands/audit.ts';
import { backup, restore, revokeEverything } from './commands/backup.ts';
import {
  disableClient,
  enableClient,
  listClients,
  showClient,
  unvouchForClient,
  vouchForClient,
} from './commands/client.ts';
import { createClient, rotateSecret } from './commands/client-secret.ts';
import { type Command, UsageError } from './commands/command.ts';
import { doctor } from './commands/doctor.ts';
import { invite, listAllInvitations, uninvite } from './commands/invitation.ts';
import { listKeys, rotateKeys } from './commands/keys.ts';
import { migrate, seed, start } from './commands/server.ts';
import { createUser, deleteUser, disableUser, enableUser, listUsers, setPassword } from './commands/user.ts';
import { ConfigError, loadConfig } from './config.ts';
import { readVersion } from './process/version.ts';

const commands: Command[] = [
  start,
  migrate,
  seed,
  createClient,
  listClients,
  showClient,
  rotateSecret,
  disableClient,
  enableClient,
  vouchForClient,
  unvouchForClient,
  invite,
  listAllInvitations,
  uninvite,
  createUser,
  listUsers,
  setPassword,
  disableUser,
  enableUser,
  deleteUser,
  listKeys,
  rotateKeys,
  audit,
  doctor,
  backup,
  restore,
  revokeEverything,
];

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

/** Runs the command line and returns what to print. */
async function run(args: string[]): Promise<string | undefined> {
  const [first, second] = args;
  if (isHelp(first)) return help(commands);
  if (first === '--version') return `latchkey ${readVersion()}`;
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (!command && group.length > 0 && isHelp(second)) return help(group);
  if (!command) throw new UsageError(first === undefined ? 'a command is missing' : unknownCommand(first, group));
  const rest = args.slice(command.name.split(' ').length);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? undefined : end).some(isHelp)) return command.help;
  const { output, isJson } = await command.run(rest, () => loadConfig(process.env));
  if (output?.isFailure) process.exitCode = 1;
  return isJson ? JSON.stringify(output?.json, null, 2) : output?.text;
}

function unknownCommand(first: string, group: Command[]): string {
  if (group.length === 0) return `there is no command "${first}"`;
  return `${first} is followed by one of ${group.map(({ name }) => name.slice(first.length + 1)).join(', ')}`;
}

/** An error of the database names the rule and the value; its hint says what to do. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `latchkey: ${error.message}. See latchkey --help.`;
  if (error instanceof ConfigError) return `The configuration is invalid:\n${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error && error.hint ? ` (${error.hint})` : '';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}${hint}`;
}

// ignore EPIPE: a reader such as `head` closes the pipe early
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  const text = await run(process.argv.slice(2));
  if (text !== undefined) process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
