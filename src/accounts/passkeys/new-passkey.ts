import type { RequestHandler } from 'express';
import { audit, logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { proofUnlessFresh, refuseUnproven } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { redirectWithin } from '../../web/answers.ts';
import { deviceOf } from '../../web/display.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { showFirstCodes } from '../factors/change-factors.ts';
import type { FormRefusal } from '../profile/account.view.ts';
import { checkPasskey } from './passkey-limit.ts';
import { passkeyName } from './passkey-name.ts';
import { type PasskeyKind, type PasskeyRefusal, registerPasskey, registrationOptions } from './passkeys.ts';
import { canHavePasskeys } from './passkeys-section.ts';

const paths = {
  passkey: '/account/passkeys/new',
  security_key: '/account/passkeys/new-key',
} as const;
/** A passkey that is made on a page of its own. */
type ShownKind = keyof typeof paths;

/** Asks who the person is; then their browser makes a passkey. */
export const showNewPasskey = (deps: Deps, kind: ShownKind): RequestHandler =>
  forPerson(deps, (page) => {
    const isProven = proofUnlessFresh(page, paths[kind]).by === 'session';
    return renderNew(page, kind, { isProven });
  });

/**
 * Adds a passkey in two steps: the proof, without which no browser makes a passkey that would then be refused; and what the browser has
 * made. The second step needs no proof of its own: whoever has its challenge gave a proof in this session, at most five minutes ago.
 */
export const addPasskey = (deps: Deps, kind: PasskeyKind): RequestHandler =>
  forPerson(deps, async (page) => {
    const form = bodyParameters(page.req);
    const shown = kind === 'offered_passkey' ? 'passkey' : kind;
    if (form['attestation'] === undefined) {
      const refusal = await refuseUnproven(page, form, 'a new passkey');
      return renderNew(page, shown, { isProven: refusal === undefined, refusal });
    }
    const registered = await register(page, kind, form);
    if ('status' in registered) return renderNew(page, shown, { isProven: false, refusal: registered });
    if (registered.first) return showFirstCodes(page, 'security_key', registered.first);
    const next = kind === 'offered_passkey' ? '/?notice=passkey_saved' : '/account/security?notice=passkey_added';
    return redirectWithin(page.res, deps.config, next);
  });

async function register(
  page: SignedInPage,
  kind: PasskeyKind,
  form: Parameters,
): Promise<FormRefusal | Exclude<Awaited<ReturnType<typeof registerPasskey>>, PasskeyRefusal>> {
  const { deps, req, res, user } = page;
  const { user_id } = user;
  const problem = formProblem(page, form);
  if (problem) return { status: 403, name: problem };
  const name = passkeyName(form) ?? deviceOf(req.headers['user-agent'] ?? '');
  const trace = traceOf(req, res);
  const answer = { form, form_key: fieldOf(form, 'csrf') };
  const asked = { user_id, kind, name, sessions_version: sessionsVersionOf(req) };
  const registered = await checkPasskey(page, () => registerPasskey(deps, asked, answer, trace));
  if ('status' in registered) return registered;
  if ('refused' in registered) {
    await audit(deps, trace, { event: 'passkey_refused', user_id, detail: registered.refused });
    return { status: 400, name: 'passkey_not_added' };
  }
  logEvent(deps, trace, { event: 'passkey_added', user_id, detail: name });
  if (registered.first) logEvent(deps, trace, { event: 'second_factor_added', user_id });
  return registered;
}

async function renderNew(
  page: SignedInPage,
  kind: ShownKind,
  { isProven, refusal }: { isProven: boolean; refusal?: FormRefusal | undefined },
): Promise<void> {
  const { deps, req, viewer, csrf, user } = page;
  if (!canHavePasskeys(page)) throw new OAuthError('not_found', 'there are no passkeys for this account');
  const data = {
    viewer,
    csrf,
    action: deps.config.base + paths[kind],
    is_key: kind === 'security_key',
    suggested_name: deviceOf(req.headers['user-agent'] ?? ''),
    options: isProven ? await registrationOptions(deps, user, { kind, form_key: csrf }) : undefined,
    proof: proofUnlessFresh(page, paths[kind]),
    problem: refusal,
  };
  renderView(page, 'passkey-new', data, refusal?.status);
}
