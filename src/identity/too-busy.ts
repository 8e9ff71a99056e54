import { withoutSecrets } from '../lib/secrets.ts';
import { claimedClientId } from '../web/claimed-client.ts';
import type { PageContext } from '../web/page-context.ts';
import { recordRefusal } from '../web/request-log.ts';
import { countRefusal } from '../web/request-metrics.ts';
import { TooBusyError } from './hashing-queue.ts';

/** Handles the error that too many passwords wait to be hashed: the page shows its form again, so that nobody has to start over. */
export const refuseTooBusy =
  ({ req, res }: PageContext) =>
  (error: unknown): { status: 503; name: 'too_busy' } => {
    if (!(error instanceof TooBusyError)) throw error;
    const client_id = claimedClientId(req);
    countRefusal(error.code, error.reason);
    recordRefusal(res, { error: error.code, reason: error.reason, client_id: client_id && withoutSecrets(client_id) });
    res.set(error.headers);
    return { status: 503, name: 'too_busy' };
  };
