import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// Processes with clocks of their own, by libfaketime.

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const library = process.env['LIBFAKETIME'] ?? `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`;

/** The reason to skip a test that needs faketime, or false; always false in CI. */
export const skip =
  !process.env['CI'] &&
  !existsSync(library) &&
  'libfaketime is not installed (apt-get install libfaketime, or LIBFAKETIME)';

/** Sets the clock of a process by its environment, such as `-600` for a clock that is ten minutes behind; monotonic clocks stay. */
export const withClock = (offset: string): Record<string, string> => ({
  ...{ LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
});

/** A clock of several processes that can be set while they run: seconds beside the real one. */
export function movingClock(offset: number): { env: Record<string, string>; set(offset: number): void } {
  const file = join(mkdtempSync(join(tmpdir(), 'latchkey-clock-')), 'offset');
  // Postgres runs as another user of the system
  chmodSync(dirname(file), 0o755);
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  set(offset);
  const { FAKETIME: _, ...env } = withClock('');
  return { env: { ...env, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' }, set };
}
