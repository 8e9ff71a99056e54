import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { newBcryptHash } from '../lib/password-hashes/bcrypt.ts';
import {
  bcryptCost,
  type PasswordOwner,
  type PasswordProblem,
  passwordMaxBytes,
  passwordMinCharacters,
  passwordProblem,
} from '../lib/password-rules.ts';
import type { Shell } from './shell.ts';

/**
 * Reads a secret from the terminal, without echo, or from standard input; not from an argument, which every user of the machine can
 * read.
 */
export async function readSecret(shell: Shell, label: string, { twice = false } = {}): Promise<string> {
  // a broken configuration fails here, so that nobody types a secret in vain
  shell.config();
  const { stdin } = shell.process;
  const secret = stdin.isTTY ? await prompt(shell, `${label}: `) : await readToEnd(stdin);
  if (secret === '')
    throw new Error(`The ${label.toLowerCase()} is empty: type it on a terminal or pipe it to standard input.`);
  if (/[\p{Cc}\ufffd]/u.test(secret)) {
    throw new Error(`The ${label.toLowerCase()} contains a control character (NUL, tab, new line …) or is not UTF-8.`);
  }
  if (twice && stdin.isTTY && (await prompt(shell, `${label} again: `)) !== secret) {
    throw new Error(`The ${label.toLowerCase()}s differ.`);
  }
  return secret;
}

/** Reads everything but the line break at the end, which `echo` adds. */
async function readToEnd(input: Readable): Promise<string> {
  return (await text(input)).replace(/\r?\n$/, '');
}

function prompt({ process: { stdin, stderr } }: Shell, question: string): Promise<string> {
  stderr.write(question);
  // readline handles editing keys; its echo is discarded
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true });
  return new Promise<string>((resolve, reject) => {
    const cancel = () => reject(new Error('Nothing was changed.'));
    lines.once('line', resolve).once('SIGINT', cancel).once('close', cancel);
  }).finally(() => {
    lines.close();
    stderr.write('\n');
  });
}

export const readNewPassword = (shell: Shell): Promise<string> => readSecret(shell, 'Password', { twice: true });

const refusals: Record<PasswordProblem, (password: string) => string> = {
  password_too_short: () => `The password has fewer than ${passwordMinCharacters} characters.`,
  password_too_long: (password) =>
    `The password has ${Buffer.byteLength(password)} bytes; bcrypt reads no more than ${passwordMaxBytes}, so it is refused.`,
  password_common: () => 'The password is one of the 10,000 most common ones, which are tried first.',
  password_is_name: () => 'The password is the name or address of the user, or the name of this server.',
};

/** Reads and hashes a password here, so that it is not sent to the database, whose log could contain it. */
export async function hashNewPassword(
  shell: Shell,
  password: string,
  user: Omit<PasswordOwner, 'config'>,
): Promise<string> {
  const problem = passwordProblem(password, { ...user, config: shell.config() });
  if (problem) throw new Error(refusals[problem](password));
  return newBcryptHash(password, bcryptCost);
}
