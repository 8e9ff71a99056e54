import type { SignedInPage } from '../../identity/person.ts';
import { type Proof, sessionsVersionOf, signIn } from '../../identity/session.ts';
import { isSecondFactor, type SecondFactor } from '../../lib/second-factors.ts';
import { issueFormKey } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';

/** A new session for the same person is no newer proof of who they are. */
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

/** The first factor has ended all sessions; the person goes on in a new one. */
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

/** Once: nobody sees them again. */
export function renderCodes(page: SignedInPage, codes: readonly string[]): void {
  const { deps, viewer, user } = page;
  const next = { href: `${deps.config.base}/account/security` };
  // the key of the present session, which may be a new session
  const csrf = issueFormKey(page);
  renderView(page, 'recovery-codes', { viewer, csrf, username: user.username, codes, next });
}
