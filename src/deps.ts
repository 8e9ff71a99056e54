import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Passwords } from './identity/password-hashing.ts';
import type { Finding } from './lib/finding.ts';
import type { Database } from './postgres/database.ts';

/** Created once at the start of the process. */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** the first signs cookies and forms; signatures of all are accepted */
  readonly sessionSecrets: readonly string[];
  /** aborted when the shutdown starts: requests are still answered, but /readyz says that the instance is not ready */
  readonly stopping: AbortSignal;
  readonly passwords: Passwords;
  /** the text of /metrics, for all processes of this instance */
  metrics(): Promise<string>;
  /** what `latchkey doctor` would say, as far as that changes nothing and takes no time */
  examine(): Promise<Finding[]>;
}
