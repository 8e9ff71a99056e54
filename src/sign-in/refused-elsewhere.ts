import { findVisitor } from '../identity/person.ts';
import { parseForm } from '../lib/parameters.ts';
import { type AuthorizationPage, queryOf, stepPath } from '../oauth/authorize/authorization-page.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { recordRefusal } from '../web/request-log.ts';
import { countRefusal } from '../web/request-metrics.ts';
import type { BackLabel, ElsewhereProblem } from '../web/views/views.ts';

interface Refusal {
  name: ElsewhereProblem;
  /** fixed words in the log */
  reason: string;
  status?: number;
  /** the path at which the person can try again, if that is not where the sign-in began */
  again?: string;
}

/**
 * Shows that a sign-in at another site has failed. The page leads back to where it began, but not to the other site by itself, which
 * could loop.
 */
export async function refuseElsewhere(
  page: PageContext & Partial<AuthorizationPage>,
  { name, reason, status = 400, again }: Refusal,
): Promise<void> {
  const error = status === 503 ? 'temporarily_unavailable' : 'access_denied';
  countRefusal(error, reason);
  recordRefusal(page.res, { error, reason, client_id: undefined });
  const back = backTo(page, again, name);
  renderView(page, 'message', { ...(await findVisitor(page)), message: name, back }, status);
}

function backTo(
  page: PageContext & Partial<AuthorizationPage>,
  again: string | undefined,
  name: ElsewhereProblem,
): { href: string; label: BackLabel } {
  const { base } = page.deps.config;
  if (again !== undefined) return { href: again, label: 'back.again' };
  const { dialect } = page;
  if (dialect === undefined) return { href: `${base}/`, label: 'back.home' };
  const step = parseForm(queryOf({ ...page, dialect }))['client_id'] === undefined ? 'login' : 'authorize';
  const href = base + stepPath({ ...page, dialect }, step);
  return { href, label: name === 'elsewhere_over' ? 'back.go_on' : 'back.again' };
}
