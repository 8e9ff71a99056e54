import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';

/** For a command whose result has a secret that nobody can show again; before it changes anything. */
export function requireReader(): void {
  const output = fstatSync(process.stdout.fd);
  // Node puts the null device in the place of a closed standard output
  const isNull = output.isCharacterDevice() && output.rdev === statSync(devNull).rdev;
  if (!isNull) return;
  throw new Error('Standard output is closed or /dev/null, where nobody would see the secret: nothing was changed.');
}
