import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { proofUnlessFresh, provesByPassword, shownProof } from '../../identity/fresh-proof.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import { isDemandedOf } from '../../identity/second-factor.ts';
import { findFactors } from '../../identity/second-factors.sql.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import { OAuthError } from '../../lib/errors.ts';
import {
  type Identity,
  type IdentityOfUser,
  listIdentitiesOfUser,
  unlinkIdentity,
} from '../../people/providers/identities.sql.ts';
import { listOfferedProviders } from '../../people/providers/providers.sql.ts';
import { websiteOf } from '../../people/website/website.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import type { Views } from '../../web/views/views.ts';
import { passkeysSection } from '../passkeys/passkeys-section.ts';
import type { AccountNotice, IdentityRow } from '../profile/account.view.ts';

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
    has_app: user.has_app,
    is_demanded: factors !== undefined && isDemandedOf(deps, factors),
    recovery_codes: factors?.recovery_codes ?? 0,
    proof: proofUnlessFresh(page, securityPath),
  };
}

/** Names an identity in a form. */
function handleOf({ issuer, subject }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 32);
}

function identityRow(identity: IdentityOfUser): IdentityRow {
  const { title, works, issuer, label, linked_at, last_used_at } = identity;
  return {
    identity: handleOf(identity),
    title: title ?? undefined,
    works,
    site: title === null ? issuer.replace(/^https?:\/\//, '') : undefined,
    label: label ?? undefined,
    linked_at,
    last_used_at: last_used_at ?? undefined,
  };
}

/** Removes an identity, unless it is the last way to sign in. An identity of another person is treated as if it did not exist. */
export const unlink = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) return renderSecurity(page, 403, { problem: { form: 'identities', name: problem } });
    const own = await listIdentitiesOfUser(deps.database, user_id);
    const identity = own.find((one) => handleOf(one) === fieldOf(form, 'identity'));
    if (!identity) throw new OAuthError('not_found', 'there is no such identity');
    const { issuer, subject } = identity;
    const trace = traceOf(req, res);
    const { passwords, passkeys } = deps.config;
    const ways = { passwords, website: websiteOf(page) !== undefined, rp_id: passkeys?.rp_id };
    const isRemoved = await unlinkIdentity(
      deps.database,
      { user_id, issuer, subject, ...ways, sessions_version: sessionsVersionOf(req) },
      trace,
    );
    if (!isRemoved) return renderSecurity(page, 409, { problem: { form: 'identities', name: 'last_way_in' } });
    logEvent(deps, trace, { event: 'identity_unlinked', user_id, detail: issuer });
    return redirectWithin(res, deps.config, '/account/security?notice=identity_unlinked');
  });
