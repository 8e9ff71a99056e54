import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { proofUnlessFresh, provesByPassword, shownProof } from '../../identity/fresh-proof.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import { isDemandedOf } from '../../identity/second-factor.ts';
import { findFactors } from '../../identity/second-factors.sql.ts';
import { listIdentitiesOfUser } from '../../people/providers/identities.sql.ts';
import { listOfferedProviders } from '../../people/providers/providers.sql.ts';
import { renderView } from '../../web/render.ts';
import type { Views } from '../../web/views/views.ts';
import { passkeysSection } from '../passkeys/passkeys-section.ts';
import type { AccountNotice } from '../profile/account.view.ts';
import { identityRow } from '../profile/identity-row.ts';

export const securityPath = '/account/security';

const notices: readonly AccountNotice[] = [
  'password_changed',
  'password_changed_access_ended',
  'password_removed',
  'password_set',
  'identity_linked',
  'identity_unlinked',
  'factor_removed',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
];

/** How the person signs in: password, second factor, passkeys, accounts at other servers. */
export const showAccountSecurity = (deps: Deps): RequestHandler =>
  forPerson(deps, (page) => renderSecurity(page, 200, { notice: noticeOf(page.req, notices) }));

type Data = Views['account-security'];

export async function renderSecurity(
  page: SignedInPage,
  status: number,
  outcome: Pick<Data, 'notice' | 'problem'>,
): Promise<void> {
  const { deps, user, viewer, csrf } = page;
  const { database } = deps;
  const { base } = deps.config;
  const [passkeys, identities, providers, factor] = await Promise.all([
    passkeysSection(page),
    listIdentitiesOfUser(database, user.user_id),
    listOfferedProviders(database),
    factorSection(page),
  ]);
  const data: Data = {
    ...{ viewer, csrf, proof: shownProof(page, securityPath) },
    password: provesByPassword(page) ? { action: `${base}/account/password` } : undefined,
    ...{ factor, passkeys, identities: identities.map(identityRow) },
    unlink_action: `${base}/account/identities`,
    // administrators are connected by operators only
    connect: user.is_admin
      ? []
      : providers.map(({ name, title }) => ({ title, href: `${base}/account/connect/${name}` })),
    ...outcome,
  };
  renderView(page, 'account-security', data, status);
}

async function factorSection(page: SignedInPage): Promise<Data['factor']> {
  const { deps, user } = page;
  const factors = await findFactors(deps.database, user.user_id);
  return {
    action: deps.config.base + securityPath,
    is_offered: provesByPassword(page) || factors?.is_needed === true,
    is_on: factors?.is_needed ?? false,
    is_demanded: factors !== undefined && isDemandedOf(deps, factors),
    recovery_codes: factors?.recovery_codes ?? 0,
    proof: proofUnlessFresh(page, securityPath),
  };
}
