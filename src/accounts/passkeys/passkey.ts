import type { RequestHandler } from 'express';
import { recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { proofUnlessFresh, refuseUnproven } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { isDemandedOf } from '../../identity/second-factor.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import type { FormRefusal } from '../profile/account.view.ts';
import type { PasskeyProblem } from './account-passkeys.view.ts';
import { passkeyName } from './passkey-name.ts';
import { listPasskeysOfUser, type PasskeyOfUser, removePasskey, renamePasskey } from './passkeys.sql.ts';
import { canHavePasskeys, handleOf, rowOf } from './passkeys-section.ts';

/** The page of a passkey, to rename or remove it. Somebody else's passkey is treated as if it did not exist. */
export const showPasskey = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => renderPasskey(page, await ownPasskey(page)));

export const changePasskey = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const passkey = await ownPasskey(page);
    const form = bodyParameters(page.req);
    const isRemoval = 'remove' in form;
    const refusal = isRemoval ? await remove(page, form, passkey) : await rename(page, form, passkey);
    if (refusal) return renderPasskey(page, passkey, refusal);
    return redirectWithin(
      page.res,
      deps.config,
      `/account/security?notice=passkey_${isRemoval ? 'removed' : 'renamed'}`,
    );
  });

async function ownPasskey(page: SignedInPage): Promise<PasskeyOfUser> {
  const { deps, req, user } = page;
  const own = canHavePasskeys(page) ? await listPasskeysOfUser(deps.database, user.user_id) : [];
  const passkey = own.find((one) => handleOf(one) === req.params['passkey']);
  if (!passkey) throw new OAuthError('not_found', 'there is no such passkey');
  return passkey;
}

async function rename(
  page: SignedInPage,
  form: Parameters,
  { credential_id }: PasskeyOfUser,
): Promise<FormRefusal | undefined> {
  const problem = formProblem(page, form);
  if (problem) return { status: 403, name: problem };
  const name = passkeyName(form);
  if (name === undefined) return { status: 400, name: 'passkey_name_missing' };
  await renamePasskey(page.deps.database, { user_id: page.user.user_id, credential_id, name });
  return undefined;
}

async function remove(
  page: SignedInPage,
  form: Parameters,
  { credential_id, name }: PasskeyOfUser,
): Promise<FormRefusal | undefined> {
  const { deps, req, res, user } = page;
  const { user_id } = user;
  const refusal = await refuseUnproven(page, form, 'removal of a passkey');
  if (refusal) return refusal;
  const trace = traceOf(req, res);
  const rp_id = deps.config.passkeys?.rp_id ?? '';
  const event = { event: 'passkey_removed', user_id, detail: name } as const;
  const isRemoved = await recordChange(deps, trace, event, (told) =>
    removePasskey(deps.database, { user_id, credential_id, rp_id, sessions_version: sessionsVersionOf(req) }, told),
  );
  return isRemoved ? undefined : { status: 409, name: await reasonToStay(page, credential_id) };
}

/** Says why the only passkey that is left cannot be removed: as a second factor, or else as the way to sign in. */
async function reasonToStay({ deps, user }: SignedInPage, credential_id: Buffer): Promise<PasskeyProblem> {
  const rp_id = deps.config.passkeys?.rp_id;
  const own = await listPasskeysOfUser(deps.database, user.user_id);
  const hasOther = own.some((one) => one.rp_id === rp_id && !one.credential_id.equals(credential_id));
  if (!user.has_second_factor || user.has_app || hasOther) return 'last_passkey';
  return isDemandedOf(deps, user) ? 'only_factor_demanded' : 'only_factor';
}

function renderPasskey(page: SignedInPage, passkey: PasskeyOfUser, refusal?: FormRefusal): void {
  const { deps, viewer, csrf } = page;
  const path = `/account/passkeys/${handleOf(passkey)}` as const;
  const data = {
    viewer,
    csrf,
    ...rowOf(page, passkey),
    action: deps.config.base + path,
    proof: proofUnlessFresh(page, path),
    problem: refusal,
  };
  renderView(page, 'passkey', data, refusal?.status);
}
