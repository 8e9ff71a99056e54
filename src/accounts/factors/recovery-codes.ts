import type { SignedInPage } from '../../identity/person.ts';
import { type Proof, sessionsVersionOf, signIn } from '../../identity/session.ts';
import { isSecondFactor, type SecondFactor } from '../../lib/second-factors.ts';
import { issueFormKey } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';

/** Returns the proof of the present session: a new session for the same person is no newer proof of who they are. */
export function presentProof({ req, user }: SignedInPage): Proof {
  const { methods = ['password'], auth_time, acr, amr, source } = req.session;
  const sessions_version = sessionsVersionOf(req);
  return { user_id: user.user_id, methods, auth_time, acr, amr, source, sessions_version };
}

interface FirstCodes {
  codes: readonly string[];
  /** the version of the sessions after the change, see NewSession */
  sessions_version: string;
}

/** Shows the codes of a first factor, which has ended all sessions, in a new session. */
export async function showFirstCodes(
  page: SignedInPage,
  factor: SecondFactor,
  { codes, sessions_version }: FirstCodes,
): Promise<void> {
  const proof = presentProof(page);
  const methods = [...proof.methods.filter((method) => !isSecondFactor(method)), factor];
  await signIn(page.req, { ...proof, methods, sessions_version });
  return renderCodes(page, codes);
}

/** Shows the codes, which nobody sees again. */
export function renderCodes(page: SignedInPage, codes: readonly string[]): void {
  const { deps, viewer, user } = page;
  const next = { href: `${deps.config.base}/account/security` };
  // the session may be new
  const csrf = issueFormKey(page);
  renderView(page, 'recovery-codes', { viewer, csrf, username: user.username, codes, next });
}
