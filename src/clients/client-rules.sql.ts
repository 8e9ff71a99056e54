import { isEnabled } from '../identity/active.sql.ts';
import type { ErrorCode } from '../lib/errors.ts';

/** The event in the audit trail when a request that breaks a rule ends its family. */
export type FamilyEnd = 'code_reused' | 'refresh_token_reused' | 'code_verifier_wrong';

/**
 * A condition of a request, said once: the statement that decides has it in its `where`, and the statement that explains a refusal
 * reports the first one that does not hold.
 */
export interface Rule {
  /** SQL over `requests` and the tables of the statement */
  readonly holds: string;
  readonly error: ErrorCode;
  /** what the operator's log and the owner of the client are told */
  readonly reason: string;
  /** whether the client is told the reason, too */
  readonly is_told?: true;
  /** what the owner of the client learns, if less */
  readonly owner_reason?: string;
  /** what differs for a token for another server */
  readonly at_resource?: Pick<Rule, 'error' | 'reason'>;
  /** what differs if the request names a scope */
  readonly of_named_scope?: Pick<Rule, 'error' | 'reason'>;
  readonly ends?: FamilyEnd;
}

/** Rules by name, in the order in which refusals are explained. */
export type Rules = Readonly<Record<string, Rule>>;

/** Whether all rules hold, for a `where`. */
export const allHold = (rules: Rules) =>
  Object.values(rules)
    .map(({ holds }) => holds)
    .join('\n       and ');

/** The names of the rules that do not hold, in their order. A rule about a row that does not exist does not hold. */
export const brokenRules = (rules: Rules) => `array_remove(array[
       ${Object.entries(rules)
         .map(([name, { holds }]) => `case when (${holds}) is not true then '${name}' end`)
         .join(',\n       ')}], null)`;

/**
 * Basic without a secret counts as the method `none`, since it proves as little; some libraries send it with an empty password for
 * public clients.
 */
export const provenMethod = `case
         when requests.secret_sha256 is null and requests.method = 'client_secret_basic' then 'none'
         else requests.method end`;

/** The client proves nothing about itself: anybody can use its client_id [6749 §2.1]. */
export const isPublic = `clients.secrets_sha256 = '{}' and ${provenMethod} = 'none'`;

/**
 * Whether anybody may be behind a client: the client proves nothing, or no administrator vouches for it. True of an unknown client.
 */
export const mayBeAnybody = `(clients.vouched and not (${isPublic})) is not true`;

const refused = 'invalid_client';

/** What a request says about who sends it. */
export interface PresentedClient {
  client_id: string;
  /** how the client authenticates */
  method: string;
  secret_sha256: Buffer | null;
  /** the version of the row by which the client's key was verified, if that row was not read just now */
  client_version?: string | undefined;
}

export const presentedClientColumns = {
  client_id: 'text',
  method: 'text',
  secret_sha256: 'bytea',
  client_version: 'text',
} as const;

/**
 * Whether a client has authenticated as it is registered [6749 §2.3]: by a secret of its own; or by a proof of its key, which was
 * verified before; or not at all, if the client is public. Reads `requests` with presentedClientColumns.
 */
export const clientRules = {
  client_known: {
    holds: 'clients.client_id = requests.client_id and clients.deleted_at is null',
    error: refused,
    reason: 'client unknown',
  },
  client_enabled: { holds: isEnabled('clients'), error: refused, reason: 'client disabled' },
  // the client's key was verified by a row that was read before, see clients/kept-clients.ts
  client_unchanged: {
    holds: '(requests.client_version is null or requests.client_version = clients.version::text)',
    error: refused,
    reason: 'client changed meanwhile',
  },
  secret_sent: {
    holds: `(requests.secret_sha256 is not null or clients.secrets_sha256 = '{}')`,
    error: refused,
    reason: 'secret missing',
  },
  secret_expected: {
    holds: `(requests.secret_sha256 is null or clients.secrets_sha256 <> '{}')`,
    error: refused,
    reason: 'secret presented by a public client',
  },
  secret_right: {
    holds: '(requests.secret_sha256 is null or requests.secret_sha256 = any (clients.secrets_sha256))',
    error: refused,
    reason: 'secret wrong',
  },
  method_registered: {
    holds: `(clients.secrets_sha256 <> '{}' or coalesce(clients.token_endpoint_auth_method, 'none') = ${provenMethod})`,
    error: refused,
    reason: 'registered for another method',
  },
} as const satisfies Rules;
