import type { Trace } from '../audit/audit.sql.ts';
import { recordChange, refusedSignIns } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../lib/network.ts';
import { newRecoveryCodes, recoveryCodeDigest } from '../lib/recovery-codes.ts';
import { seal, unseal } from '../lib/sealing.ts';
import { hasSecondFactor } from '../lib/second-factors.ts';
import { digestOfParts } from '../lib/secrets.ts';
import { stepOf } from '../lib/totp.ts';
import { orderMail } from '../mail/mail-queue.ts';
import type { CodeProblem } from '../web/views/parts.ts';
import { countAttempt, forgetAttempts, type Limit, returnAttempt, underLimits } from './attempt-limits.sql.ts';
import {
  addSecondFactor,
  demandSecondFactor,
  type Factors,
  renewRecoveryCodes,
  useRecoveryCode,
  useTotpCode,
} from './second-factors.sql.ts';

/** Seals the secret of an app together with the number of its person. */
const purpose = 'second factor';

function sealSecret({ sessionSecrets }: Deps, user_id: number, secret: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(`${user_id} `), secret]);
  return seal(sessionSecrets[0] ?? '', purpose, content);
}

/** Opens a sealed secret; undefined for the secret of another person, or one sealed with a SESSION_SECRET that is not known any more. */
export function openSecret(
  { sessionSecrets }: Pick<Deps, 'sessionSecrets'>,
  user_id: number,
  sealed: Buffer,
): Buffer | undefined {
  const content = unseal(sessionSecrets, purpose, sealed);
  const owner = Buffer.from(`${user_id} `);
  return content?.subarray(0, owner.length).equals(owner) ? content.subarray(owner.length) : undefined;
}

/** Where a code is entered. */
export interface CodeBrowser {
  address: string;
  /** the id of this browser, if the person has signed in with it before */
  knownBrowser: string | undefined;
}

/**
 * The limits for codes. All codes of a person are counted together, on whatever page. Only somebody who knows the password can enter
 * codes; a stranger cannot keep the person out of a browser in which the person has signed in before. Such browsers share a limit, too:
 * whoever knew the password before there was a second factor may have signed in with many browsers.
 */
function limitsOf(user_id: number, { address, knownBrowser }: CodeBrowser): Limit[] {
  const waits = { pause: 5, longest: 900, user_id };
  if (knownBrowser !== undefined) {
    return [
      { key: `code browser ${knownBrowser} ${user_id}`, free: 5, ...waits },
      { key: `code browsers ${user_id}`, free: 10, ...waits },
    ];
  }
  return [
    { key: `code pair ${user_id} ${networkOf(address)}`, free: 5, ...waits },
    { key: `code account ${user_id}`, free: 10, ...waits },
  ];
}

export type CodeCheck =
  | { method: 'totp' | 'recovery_code' }
  | { problem: CodeProblem }
  /** seconds until the next code is compared */
  | { wait: number };

/** Compares a code of the app, or one of the recovery codes, and uses it up. */
export async function checkCode(deps: Deps, factors: Factors, browser: CodeBrowser, typed: string): Promise<CodeCheck> {
  const limits = limitsOf(factors.user_id, browser);
  const wait = await countAttempt(deps.database, ...limits);
  if (wait > 0) {
    refusedSignIns.add('too many attempts');
    return { wait };
  }
  const check = await underLimits(deps.database, limits, () => compareCode(deps, factors, typed));
  if ('method' in check) await forgetAttempts(deps.database, ...limits, wrongCodesOf(factors));
  else await tellOfWrongCodes(deps, factors, browser);
  if ('problem' in check && check.problem === 'unreadable_factor') await returnAttempt(deps.database, ...limits);
  return check;
}

const wrongCodesOf = ({ user_id }: Factors): Limit => ({
  key: `wrong codes ${user_id}`,
  free: 4,
  pause: 900,
  longest: 900,
});

/** Tells the person, once a day, of the fifth wrong code in a quarter of an hour: whoever enters codes knows the password. */
async function tellOfWrongCodes(deps: Deps, factors: Factors, { address }: CodeBrowser): Promise<void> {
  const { user_id } = factors;
  const told = { key: `told of wrong codes ${user_id}`, free: 1, pause: 86_400, longest: 86_400 };
  const isMany = (await countAttempt(deps.database, wrongCodesOf(factors))) > 0;
  if (!isMany || (await countAttempt(deps.database, told)) > 0) return;
  const facts = { notice: 'wrong_codes', client_id: '', from: address };
  await orderMail(deps, { kind: 'notice', user_id, language: '', facts });
}

async function compareCode(deps: Deps, factors: Factors, typed: string): Promise<CodeCheck> {
  const { user_id, totp_secret, now } = factors;
  const digits = readDigits(typed);
  if (digits === undefined || totp_secret === null) return compareRecoveryCode(deps, factors, typed);
  const secret = openSecret(deps, user_id, totp_secret);
  if (!secret) {
    deps.log.warn({ user_id }, 'the second factor of a person cannot be read: was SESSION_SECRET replaced?');
    return { problem: 'unreadable_factor' };
  }
  const step = stepOf(secret, digits, now);
  if (step === undefined) return { problem: 'wrong_code' };
  const isUnused = await useTotpCode(deps.database, user_id, step, sealSecret(deps, user_id, secret));
  return isUnused ? { method: 'totp' } : { problem: 'used_code' };
}

async function compareRecoveryCode({ database }: Deps, { user_id }: Factors, typed: string): Promise<CodeCheck> {
  const digest = recoveryCodeDigest(typed);
  const isRight = digest !== undefined && (await useRecoveryCode(database, user_id, digest));
  return isRight ? { method: 'recovery_code' } : { problem: 'wrong_code' };
}

/** Reads six digits, also full-width digits and with spaces; undefined for anything else. */
function readDigits(typed: string): string | undefined {
  const digits = typed.slice(0, 100).normalize('NFKC').replace(/[\s-]/g, '');
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}

/** Returns a text that changes with the password and with every factor. */
export function versionOf({ password_hash, version }: Factors): string {
  return digestOfParts('factors', password_hash ?? '', version).toString('base64url');
}

/** Returns what a half-done sign-in is bound to, and the time. */
export function stateOf(factors: Factors): { version: string; sessions_version: string; now: number } {
  return { version: versionOf(factors), sessions_version: factors.sessions_version, now: factors.now };
}

/** Whether the person must have a second factor. */
export function isDemandedOf({ config }: Pick<Deps, 'config'>, { is_admin }: Pick<Factors, 'is_admin'>): boolean {
  return config.second_factor === 'everybody' || (config.second_factor === 'admins' && is_admin);
}

/**
 * Whether a sign-in by these methods, or a session that began by them, must stop until the person has set up what the operator
 * demands. People who sign in elsewhere have their second factor there.
 */
export function isSetupDue(
  deps: Pick<Deps, 'config'>,
  person: Pick<Factors, 'is_admin' | 'demanded_for'>,
  methods: readonly string[],
): boolean {
  if (!methods.includes('password') || hasSecondFactor(methods) || !isDemandedOf(deps, person)) return false;
  // a negative number is from a clock that was ahead
  return Math.max(person.demanded_for ?? 0, 0) >= deps.config.second_factor_grace;
}

/** Returns what a sign-in needs after these methods: a second factor, or its setup; undefined: nothing. */
export async function missingFactor(
  deps: Deps,
  factors: Factors,
  methods: readonly string[],
): Promise<'code' | 'setup' | undefined> {
  if (hasSecondFactor(methods)) return undefined;
  if (factors.is_needed) return 'code';
  if (methods.includes('password') && isDemandedOf(deps, factors) && (factors.demanded_for ?? -1) < 0) {
    await demandSecondFactor(deps.database, factors.user_id);
  }
  return isSetupDue(deps, factors, methods) ? 'setup' : undefined;
}

/** The result of a setup. */
export interface Setup {
  factors: Factors;
  secret: Buffer;
  code: string;
}

/** The recovery codes, which nobody sees again, and the sessions_version after the change; or why no app was added. */
export async function addApp(
  deps: Deps,
  trace: Trace,
  { factors, secret, code }: Setup,
): Promise<{ codes: string[]; sessions_version: string } | 'wrong_code' | 'changed_meanwhile'> {
  const { user_id, version, sessions_version, now } = factors;
  const digits = readDigits(code);
  const step = digits === undefined ? undefined : stepOf(secret, digits, now);
  if (step === undefined) return 'wrong_code';
  const codes = newRecoveryCodes();
  const state = { user_id, version, sessions_version };
  const factor = { ...state, step, codes: digestsOf(codes), secret: sealSecret(deps, user_id, secret) };
  const added = await recordChange(deps, trace, { event: 'second_factor_added', user_id }, (told) =>
    addSecondFactor(deps.database, factor, told),
  );
  return added === undefined ? 'changed_meanwhile' : { codes, sessions_version: added };
}

/** Makes new recovery codes; undefined for a person without a second factor, and if a factor or the codes were changed in the meantime. */
export async function renewCodes(
  deps: Deps,
  trace: Trace,
  { user_id, version, sessions_version }: Factors,
): Promise<string[] | undefined> {
  const codes = newRecoveryCodes();
  const isRenewed = await recordChange(deps, trace, { event: 'recovery_codes_renewed', user_id }, (told) =>
    renewRecoveryCodes(deps.database, { user_id, version, sessions_version, codes: digestsOf(codes) }, told),
  );
  return isRenewed ? codes : undefined;
}

export const digestsOf = (codes: readonly string[]) => codes.flatMap((code) => recoveryCodeDigest(code) ?? []);
