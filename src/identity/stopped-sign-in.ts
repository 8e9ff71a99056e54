import type { ErrorCode } from '../lib/errors.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { recordRefusal, requestIdOf } from '../web/request-log.ts';
import { countRefusal } from '../web/request-metrics.ts';
import type { Views } from '../web/views/views.ts';
import type { StoppedSignIn } from './identity.view.ts';

/** The status of each page, and what the log calls the problem. */
const kinds: Record<StoppedSignIn, { status: number; error: ErrorCode }> = {
  sign_in_lost: { status: 400, error: 'invalid_request' },
  connect_lost: { status: 400, error: 'invalid_request' },
  cancelled: { status: 403, error: 'access_denied' },
  provider_away: { status: 503, error: 'temporarily_unavailable' },
  provider_wrong: { status: 400, error: 'invalid_request' },
  provider_gone: { status: 403, error: 'access_denied' },
  not_confirmed: { status: 403, error: 'login_required' },
  ended_there: { status: 403, error: 'login_required' },
  no_account: { status: 403, error: 'access_denied' },
  address_taken: { status: 403, error: 'access_denied' },
  foreign_domain: { status: 403, error: 'access_denied' },
  account_disabled: { status: 403, error: 'access_denied' },
  identity_taken: { status: 409, error: 'access_denied' },
};

interface Stop {
  problem: StoppedSignIn;
  /** fixed words in the log */
  reason: string;
  provider: string;
  retry: Views['sign-in-stopped']['retry'];
}

/** The page on which a sign-in at another server ends that has not led to one here. Its button begins again; nothing does so by itself. */
export function showStopped(page: PageContext, { problem, reason, provider, retry }: Stop): void {
  const { status, error } = kinds[problem];
  recordRefusal(page.res, { error, reason, client_id: undefined });
  countRefusal(error);
  if (status === 503) page.res.setHeader('Retry-After', '30');
  renderView(page, 'sign-in-stopped', { problem, provider, retry, request_id: requestIdOf(page.res) }, status);
}
