import { existsSync } from 'node:fs';

// Processes with clocks of their own, by libfaketime.

const library = process.env['LIBFAKETIME'] ?? '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Why a test that needs it is skipped; never where CI runs. */
export const skip =
  !process.env['CI'] &&
  !existsSync(library) &&
  'libfaketime is not installed (apt-get install libfaketime, or LIBFAKETIME)';

/** For the environment of a process: its clock, such as `-600` for one that is ten minutes behind; monotonic ones stay. */
export const withClock = (offset: string): Record<string, string> => ({
  ...{ LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
});
