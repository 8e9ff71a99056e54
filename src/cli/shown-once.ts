import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Shell } from './shell.ts';

/** Refuses a command whose result has a secret, before it changes anything, if nobody would read it: the secret cannot be shown again. */
export function requireReader({ process: { stdout } }: Shell): void {
  if (stdout.fd === undefined) return;
  const output = fstatSync(stdout.fd);
  // Node puts the null device in the place of a closed standard output
  const isNull = output.isCharacterDevice() && output.rdev === statSync(devNull).rdev;
  if (!isNull) return;
  throw new Error('Standard output is closed or /dev/null, where nobody would see the secret: nothing was changed.');
}
