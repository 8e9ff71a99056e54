import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import bcrypt from 'bcrypt';
import { bcryptCost, passwordMaxBytes, passwordMinCharacters, passwordProblem } from '../protocol/password.ts';

/** From a person without echo, or from standard input; never from an argument, which every user of the machine can read. */
export async function askSecret(what: string, { twice = false } = {}): Promise<string> {
  const secret = process.stdin.isTTY ? await prompt(`${what}: `) : await readStandardInput();
  if (secret === '')
    throw new Error(`The ${what.toLowerCase()} is empty: type it on a terminal or pipe it to standard input.`);
  if (/[\p{Cc}\ufffd]/u.test(secret)) {
    throw new Error(`The ${what.toLowerCase()} contains a control character (NUL, tab, new line …) or is not UTF-8.`);
  }
  if (twice && process.stdin.isTTY && (await prompt(`${what} again: `)) !== secret) {
    throw new Error(`The ${what.toLowerCase()}s differ.`);
  }
  return secret;
}

/** A new line at the end comes from echo, not from the person. */
async function readStandardInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

function prompt(question: string): Promise<string> {
  process.stderr.write(question);
  // readline echoes into a void: editing keys work, nothing is seen
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  return new Promise<string>((resolve, reject) => {
    const giveUp = () => reject(new Error('Nothing was changed.'));
    lines.once('line', resolve).once('SIGINT', giveUp).once('close', giveUp);
  }).finally(() => {
    lines.close();
    process.stderr.write('\n');
  });
}

/** Hashed here, so that the password itself never travels to the database or into its log. */
export async function askPasswordHash(): Promise<string> {
  const password = await askSecret('Password', { twice: true });
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
