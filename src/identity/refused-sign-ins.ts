import type { Trace } from '../audit/audit.sql.ts';
import { logEvent } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import type { Account } from './password-check.ts';
import { registerRefusedPassword } from './passwords.sql.ts';

/** Records why nobody is signed in by this name and password. The page says the same for every reason. */
export async function auditRefusedPassword(
  deps: Deps,
  trace: Trace,
  username: string,
  account: Account,
): Promise<void> {
  const { user_id, password_hash } = account;
  const refused = { username, user_id, has_password: password_hash !== null, ...trace };
  const written = await registerRefusedPassword(deps.database, refused);
  logEvent(deps, trace, { event: 'sign_in_refused', user_id: written.user_id ?? undefined, detail: written.detail });
}
