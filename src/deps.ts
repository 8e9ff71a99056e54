import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Passwords } from './grants/passwords.ts';
import type { Database } from './postgres/database.ts';

/** What lives as long as the process. */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** the first signs cookies and forms, all of them verify */
  readonly sessionSecrets: readonly string[];
  /** aborted once the process was told to stop: it still answers, and says that others should be asked */
  readonly stopping: AbortSignal;
  readonly passwords: Passwords;
}
