#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { audit } from './commands/audit.ts';
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
import { migrate, seed, start } from './commands/server.ts';
import { createUser, disableUser, enableUser, listUsers, setPassword } from './commands/user.ts';
import { ConfigError, loadConfig } from './config.ts';

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
  createUser,
  listUsers,
  setPassword,
  disableUser,
  enableUser,
  audit,
];

function help(listed: Command[]): string {
  const width = Math.max(...listed.map(({ name }) => name.length));
  const lines = listed.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: latchkey COMMAND

${lines.join('\n')}

latchkey COMMAND --help tells more; --json prints JSON; --version. The environment is that of the server:
DATABASE_URL, or the embedded database in DATA_DIR, whose server a command shares while it runs.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return `latchkey ${version}`;
}

const isHelp = (word: string | undefined) => word === '--help' || word === '-h';

async function answer(args: string[]): Promise<string | undefined> {
  const [first, second] = args;
  if (isHelp(first)) return help(commands);
  if (first === '--version') return version();
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (!command && group.length > 0 && isHelp(second)) return help(group);
  if (!command) throw new UsageError(first === undefined ? 'a command is missing' : describeUnknown(first, group));
  const rest = args.slice(command.name.split(' ').length);
  const end = rest.indexOf('--');
  if (rest.slice(0, end < 0 ? undefined : end).some(isHelp)) return command.help;
  const { answer, json } = await command.run(rest, () => loadConfig(process.env));
  return json ? JSON.stringify(answer?.json, null, 2) : answer?.text;
}

function describeUnknown(first: string, group: Command[]): string {
  if (group.length === 0) return `there is no command "${first}"`;
  return `${first} is followed by one of ${group.map(({ name }) => name.slice(first.length + 1)).join(', ')}`;
}

/** One sentence: the database names the value and the rule, and its hint says what to do. */
function describe(error: unknown): string {
  if (error instanceof UsageError) return `latchkey: ${error.message}. See latchkey --help.`;
  if (error instanceof ConfigError) return `The environment is not right:\n${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error && error.hint ? ` (${error.hint})` : '';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}${hint}`;
}

// who reads no further, as head does, is no failure
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  const text = await answer(process.argv.slice(2));
  if (text !== undefined) process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
