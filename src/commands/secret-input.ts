import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import bcrypt from 'bcrypt';
import { bcryptCost, passwordMaxBytes, passwordMinCharacters, passwordProblem } from '../values/password-rules.ts';
import type { Shell } from './shell.ts';

/** From the terminal, without echo, or from standard input; not from an argument, which every user of the machine can read. */
export async function readSecret(shell: Shell, label: string, { twice = false } = {}): Promise<string> {
  // nobody should type a secret in vain
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

/** Without the line break at the end, which `echo` adds. */
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

/** Hashed here, so that the password is not sent to the database, whose log could contain it. */
export async function readPasswordHash(shell: Shell): Promise<string> {
  const password = await readSecret(shell, 'Password', { twice: true });
  const problem = passwordProblem(password);
  if (problem === 'password_too_short') {
    throw new Error(`The password has fewer than ${passwordMinCharacters} characters.`);
  }
  if (problem === 'password_too_long') {
    const bytes = Buffer.byteLength(password);
    throw new Error(
      `The password has ${bytes} bytes; bcrypt reads no more than ${passwordMaxBytes}, so it is refused.`,
    );
  }
  return bcrypt.hash(password, bcryptCost);
}
