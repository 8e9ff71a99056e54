import { randomBytes } from 'node:crypto';
import type { Trace } from '../../audit/audit.sql.ts';
import { noticeOf } from '../../audit/notices.ts';
import type { Deps } from '../../deps.ts';
import { digestsOf } from '../../identity/second-factor.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { type ChallengeUse, challengeExpiry, createChallenge } from '../../lib/passkey-challenge.ts';
import type { JWK } from '../../lib/public-key.ts';
import { newRecoveryCodes } from '../../lib/recovery-codes.ts';
import { digestOf } from '../../lib/secrets.ts';
import {
  isSignedBy,
  maxCredentialIdBytes,
  offeredAlgorithms,
  PasskeyFault,
  type RelyingParty,
  readAttestation,
  readAuthenticatorData,
  readClientData,
} from '../../lib/webauthn.ts';
import {
  type AnsweredChallenge,
  addPasskey,
  findPasskey,
  findPasskeyHandle,
  givePasskeyHandle,
  listPasskeysOfUser,
  recordPasskey,
  type StoredPasskey,
} from './passkeys.sql.ts';

/**
 * A passkey signs in alone; a security key is only a second factor, for hardware with little room and no PIN. An offered passkey is one
 * that a password manager makes by itself, without a touch of the person and without verifying them [WebAuthn §5.1.3]: that it does at
 * each sign-in.
 */
export type PasskeyKind = 'passkey' | 'security_key' | 'offered_passkey';

/** Milliseconds that the browser waits for the person. */
const timeout = 240_000;

/** What the page hands to the browser, bytes as base64url: the script decodes them [WebAuthn §5.4, §5.5]. */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

/**
 * Returns what the sign-in page asks of a passkey; undefined where there are no passkeys. Any passkey of this host will do: nothing
 * depends on who is expected.
 */
export function signInOptions({ config, sessionSecrets }: Deps, form_key: string): PasskeyOptions | undefined {
  if (!config.passkeys) return undefined;
  const challenge = createChallenge(sessionSecrets, { purpose: 'sign-in', form_key });
  return { challenge, rpId: config.passkeys.rp_id, userVerification: 'required', timeout };
}

/** Returns what the page asks of a passkey in the second step of this person; undefined if none of their passkeys works here. */
export async function secondStepOptions(
  { config, database, sessionSecrets }: Deps,
  user_id: number,
  form_key: string,
): Promise<PasskeyOptions | undefined> {
  const rpId = config.passkeys?.rp_id;
  const usable = (await listPasskeysOfUser(database, user_id)).filter(({ rp_id }) => rp_id === rpId);
  if (usable.length === 0) return undefined;
  const challenge = createChallenge(sessionSecrets, secondStep(user_id, form_key));
  return { challenge, rpId, allowCredentials: usable.map(descriptorOf), userVerification: 'discouraged', timeout };
}

/** Whether the person can sign in here with a passkey. */
export async function hasPasskeyHere({ config, database }: Deps, user_id: number): Promise<boolean> {
  const passkeys = config.passkeys ? await listPasskeysOfUser(database, user_id) : [];
  return passkeys.some(({ rp_id, user_verified }) => user_verified && rp_id === config.passkeys?.rp_id);
}

const secondStep = (user_id: number, form_key: string): ChallengeUse => ({
  purpose: `second step of ${user_id}`,
  form_key,
});

interface Registrant {
  readonly user_id: number;
  readonly username: string;
  readonly name: string | null;
}

/** Returns what the page asks of a new passkey; undefined if this person can have none. The caller has checked who the person is. */
export async function registrationOptions(
  { config, database, sessionSecrets }: Deps,
  { user_id, username, name }: Registrant,
  { kind, form_key }: { kind: PasskeyKind; form_key: string },
): Promise<PasskeyOptions | undefined> {
  if (!config.passkeys) return undefined;
  const known = await findPasskeyHandle(database, user_id);
  const handle = known ?? (await givePasskeyHandle(database, user_id, randomBytes(32)));
  if (!handle) return undefined;
  const isKey = kind === 'security_key';
  return {
    challenge: createChallenge(sessionSecrets, registration(user_id, kind, form_key)),
    rp: { id: config.passkeys.rp_id, name: config.brand.name ?? 'Latchkey' },
    user: { id: handle.toString('base64url'), name: username, displayName: name ?? username },
    pubKeyCredParams: offeredAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: (await listPasskeysOfUser(database, user_id)).map(descriptorOf),
    authenticatorSelection: {
      residentKey: isKey ? 'discouraged' : 'required',
      requireResidentKey: !isKey,
      userVerification: { passkey: 'required', security_key: 'discouraged', offered_passkey: 'preferred' }[kind],
    },
    attestation: 'none',
    timeout,
  };
}

const registration = (user_id: number, kind: PasskeyKind, form_key: string): ChallengeUse => ({
  purpose: `new ${kind} of ${user_id}`,
  form_key,
});

const descriptorOf = ({ credential_id, transports }: { credential_id: Buffer; transports: readonly string[] }) => ({
  type: 'public-key',
  id: credential_id.toString('base64url'),
  transports,
});

/** Says why an answer is refused, to continue a sentence about it; `user_id` if the answer named somebody's passkey. */
export interface PasskeyRefusal {
  refused: string;
  user_id?: number;
  /** whether nobody has the passkey that the browser has sent */
  is_unknown?: boolean;
}

/** The form with the answer, and where it comes from. */
export interface PasskeyAnswer {
  readonly form: Parameters;
  /** the form key that was verified with the form */
  readonly form_key: string;
  readonly address: string;
  readonly user_agent: string | null;
}

export interface UsedPasskey {
  user_id: number;
  credential_id: Buffer;
  /** whether the passkey verified the person, so that it is two factors at once; otherwise it was only touched */
  user_verified: boolean;
}

/** Checks a sign-in with a passkey alone, which signs in its owner, whatever name the form says. */
export function checkSignIn(deps: Deps, answer: PasskeyAnswer): Promise<UsedPasskey | PasskeyRefusal> {
  const use = { purpose: 'sign-in', form_key: answer.form_key };
  return checkAnswer(deps, answer, use, (stored, { handle, user_verified }) => {
    if (handle === undefined) return 'it does not say whose it is';
    if (!user_verified) return 'it did not verify the person';
    return stored.user_verified ? undefined : 'it is a second factor only';
  });
}

/** Checks that one of this person's passkeys has answered in the second step of their sign-in; `form_key` as for secondStepOptions. */
export function checkSecondStep(
  deps: Deps,
  user_id: number,
  answer: PasskeyAnswer,
): Promise<UsedPasskey | PasskeyRefusal> {
  return checkAnswer(deps, answer, secondStep(user_id, answer.form_key), (stored) =>
    stored.user_id === user_id ? undefined : 'it is of somebody else',
  );
}

interface Shown {
  /** whose passkey it is, as the authenticator says; it may leave that out if the page has named the passkey */
  handle: Buffer | undefined;
  user_verified: boolean;
}

type Rule = (stored: StoredPasskey, shown: Shown) => string | undefined;

/** Checks an answer and uses the challenge up last, when the key is proven: so strangers store nothing. */
async function checkAnswer(
  deps: Deps,
  answer: PasskeyAnswer,
  use: ChallengeUse,
  rule: Rule,
): Promise<UsedPasskey | PasskeyRefusal> {
  try {
    const { credential_id, shown, signed, challenge, sign_count, backup_eligible } = readAnswer(deps, answer, use);
    const stored = await findPasskey(deps.database, credential_id);
    if (!stored) return { refused: 'nobody has it', is_unknown: true };
    const { user_id } = stored;
    const refuse = (refused: string) => ({ refused, user_id });
    if (!isSignedBy(stored.public_key as JWK, signed)) return refuse('its signature is wrong');
    if (!stored.is_open) return refuse('its owner is disabled, or signs in elsewhere');
    if (shown.handle && !shown.handle.equals(stored.passkey_handle)) return refuse('it is of somebody else');
    if (backup_eligible !== stored.backup_eligible) return refuse('its flags are not those of its registration');
    const problem = rule(stored, shown);
    if (problem !== undefined) return refuse(problem);
    const { address, user_agent } = answer;
    const late = await recordPasskey(deps.database, { credential_id, sign_count, address, user_agent }, challenge);
    return late === undefined ? { user_id, credential_id, user_verified: shown.user_verified } : refuse(late);
  } catch (error) {
    if (error instanceof PasskeyFault) return { refused: error.message };
    throw error;
  }
}

function readAnswer({ config, sessionSecrets }: Deps, { form }: PasskeyAnswer, use: ChallengeUse) {
  const rp = partyOf(config.passkeys);
  const credential_id = bytesOf(form, 'credential_id', maxCredentialIdBytes);
  const client_data = bytesOf(form, 'client_data');
  const challenge = answered(sessionSecrets, use, readClientData(client_data, 'webauthn.get', rp));
  const data = bytesOf(form, 'authenticator_data');
  const { user_verified, sign_count, backup_eligible } = readAuthenticatorData(data, rp);
  const handle = form['user_handle'] === undefined ? undefined : bytesOf(form, 'user_handle', 64);
  const signed = { data, client_data, signature: bytesOf(form, 'signature') };
  return { credential_id, challenge, sign_count, backup_eligible, signed, shown: { handle, user_verified } };
}

function partyOf(passkeys: RelyingParty | undefined): RelyingParty {
  if (!passkeys) throw new PasskeyFault('there are no passkeys here');
  return passkeys;
}

const maxBytes = 4096;

/** Decodes base64url strictly, so that each value has one spelling only. */
function bytesOf(form: Parameters, name: string, longest = maxBytes): Buffer {
  const value = form[name];
  if (typeof value !== 'string' || value.length > 2 * longest) throw new PasskeyFault(`its ${name} is missing or long`);
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.length > longest || bytes.toString('base64url') !== value)
    throw new PasskeyFault(`its ${name} is not base64url, or too long`);
  return bytes;
}

function answered(secrets: readonly string[], use: ChallengeUse, challenge: string): AnsweredChallenge {
  const expires_at = challengeExpiry(secrets, use, challenge);
  if (expires_at === undefined) throw new PasskeyFault('its challenge is not of this form, or too old');
  return { proof_sha256: digestOf(`passkey ${challenge}`), expires_at };
}

interface AskedPasskey {
  user_id: number;
  kind: PasskeyKind;
  name: string;
  /** the version of the session that asks for the passkey, see NewSession */
  sessions_version: string;
}

/** The result when a person adds their first second factor. */
interface FirstCodes {
  codes: readonly string[];
  /** the version of the sessions after the change */
  sessions_version: string;
}

/** Stores a new passkey of this person; or says why it was refused. */
export async function registerPasskey(
  deps: Deps,
  { user_id, kind, name, sessions_version }: AskedPasskey,
  { form, form_key }: Pick<PasskeyAnswer, 'form' | 'form_key'>,
  trace: Trace,
): Promise<PasskeyRefusal | { first: FirstCodes | undefined }> {
  try {
    const rp = partyOf(deps.config.passkeys);
    const client_data = bytesOf(form, 'client_data');
    const sent = readClientData(client_data, 'webauthn.create', rp);
    const challenge = answered(deps.sessionSecrets, registration(user_id, kind, form_key), sent);
    const { user_verified, ...facts } = readAttestation(bytesOf(form, 'attestation'), client_data, {
      ...rp,
      needsTouch: kind !== 'offered_passkey',
    });
    if (kind === 'passkey' && !user_verified) return { refused: 'it did not verify the person' };
    const signsInAlone = kind !== 'security_key';
    const passkey = { ...facts, user_id, name, user_verified: signsInAlone, transports: transportsIn(form) };
    const codes = signsInAlone ? [] : newRecoveryCodes();
    const asked = { ...passkey, rp_id: rp.rp_id, codes: digestsOf(codes), sessions_version };
    const told = (event: 'passkey_added' | 'second_factor_added') => {
      return { ...trace, notice: noticeOf(deps, trace, { event, user_id }) };
    };
    const traces = { passkey: told('passkey_added'), factor: told('second_factor_added') };
    const added = await addPasskey(deps.database, asked, challenge, traces);
    if (!added)
      return { refused: 'its challenge was answered, its id is taken, there are too many, or sessions ended' };
    return { first: added.has_first ? { codes, sessions_version: added.sessions_version } : undefined };
  } catch (error) {
    if (error instanceof PasskeyFault) return { refused: error.message };
    throw error;
  }
}

/** Hints for the next request; hints that no browser knows today are left out [WebAuthn §5.8.4]. */
function transportsIn(form: Parameters): string[] {
  const known = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']);
  const named = typeof form['transports'] === 'string' ? form['transports'].slice(0, 200).split(' ') : [];
  return [...new Set(named)].filter((one) => known.has(one));
}
