import type { Readable, Writable } from 'node:stream';
import { type Config, loadConfig } from '../config/config.ts';

/** The part of `process` that commands use; a test that runs many commands in one process gives each its own. */
export interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly fd?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  off(signal: NodeJS.Signals, listener: () => void): unknown;
}

export interface Shell {
  readonly process: CommandProcess;
  /** throws a ConfigError where the environment is wrong; help does not need it */
  config(): Config;
}

/** The configuration is read once, since a file with a secret may be a pipe. */
export function shellOf(caller: CommandProcess): Shell {
  let config: Config | undefined;
  return {
    process: caller,
    config() {
      config ??= loadConfig(caller.env);
      return config;
    },
  };
}
