import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { findUser } from '../../identity/users.sql.ts';
import { OAuthError, tooManyRequests } from '../../lib/errors.ts';
import { readMailAddress } from '../../lib/mail-address.ts';
import { profileFieldNames, profileFields, profileScopes } from '../../lib/profile.ts';
import { sendsMail } from '../../mail/mail-queue.ts';
import { answerProfile, readAccessToken, requireScope, requireSignIn } from '../../oauth/resource/access-token.ts';
import type { ActiveAccessToken } from '../../oauth/resource/access-tokens.sql.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, readParameters } from '../../web/request-parameters.ts';
import { profileChange } from '../../web/request-schemas.ts';
import { limitProofs, orderProof } from './address-proof.ts';
import { changeProfileOf, limitProfileChanges } from './change-profile.ts';

/**
 * Changes the fields of the profile that are sent. The answer is reduced like that of GET, so it does not repeat a new address; it says
 * that an address is pending, which no application receives.
 */
export const changeUser =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readAccessToken(deps, req, 'rfc');
    requireScope(token, ['user:write'], 'user:write');
    await requireSignIn(deps, token, ['user:write', ...profileScopes]);
    const change = readParameters(profileChange, bodyParameters(req));
    if (Object.keys(change).length === 0) {
      throw new OAuthError('invalid_request', `${profileFieldNames.join(' and ')} are missing`);
    }
    const { user_id, client_id } = token;
    const wait = await limitProfileChanges(deps, user_id);
    if (wait > 0) throw tooManyRequests(wait);
    const email = await readAddress(deps, user_id, change['email']);
    const values = { ...change, ...(email !== undefined && { email }) };
    const areProved = sendsMail(deps.config);
    const trace = { ...traceOf(req, res), client_id };
    const changed = await changeProfileOf(deps, user_id, { profile: values, areProved }, trace);
    if (!changed) throw await refusedChange(deps, token, change);
    if (email !== undefined) await orderProof(deps, changed, '');
    // an answer without this check would reveal guesses: the confirmed address is not pending
    const maySee = token.scopes.includes(profileFields.email.scope);
    const isUnproved = changed.pending_email !== null || !changed.email_verified;
    const isPending = maySee && change['email'] !== undefined && isUnproved;
    answerProfile(res, changed, token.scopes, isPending && { email_pending: true });
  };

/** Says why nothing was changed: the source of the account keeps a field, or the account is disabled by now. */
async function refusedChange({ database }: Deps, token: ActiveAccessToken, change: object): Promise<OAuthError> {
  const { user_id, client_id } = token;
  const kept = (await findUser(database, user_id))?.kept_elsewhere.filter((field) => field in change);
  if (!kept?.length) return new OAuthError('invalid_token', 'the access token is unknown, expired or revoked');
  const description = `this person signs in elsewhere, and can change there only: ${kept.join(', ')}`;
  return new OAuthError('access_denied', description, { client_id, reason: 'field of the profile kept elsewhere' });
}

/** Reads the address as mail is sent to it, within the limits of mails; undefined if none was sent. */
async function readAddress(deps: Deps, user_id: number, sent: string | undefined): Promise<string | undefined> {
  if (sent === undefined) return undefined;
  const address = readMailAddress(sent);
  if (address === undefined) throw new OAuthError('invalid_request', 'email is malformed');
  const wait = await limitProofs(deps, user_id, address);
  if (wait > 0) throw tooManyRequests(wait);
  return address;
}
