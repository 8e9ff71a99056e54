import { z } from 'zod';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import { hasRepeatedMember, isStorable, type Parameters } from '../../lib/parameters.ts';
import type { Choices } from './choices.ts';

/** What a request asks of a choice: these values only, or all of them. */
export interface AskedDetail {
  /** none: whatever the person chooses, or has chosen */
  identifiers?: string[];
  all?: true;
}

/** By the type, which is the name of a choice. */
export type AskedDetails = ReadonlyMap<string, AskedDetail>;

const mostObjects = 20;
const mostBytes = 4096;

const detail = z.union([
  z.strictObject({ type: z.string(), identifier: z.string().min(1).max(255).refine(isStorable).optional() }),
  z.strictObject({ type: z.string(), all: z.literal(true) }),
]);
const details = z.array(detail).min(1).max(mostObjects);

const syntax =
  'of objects with type and at most one of identifier, a text of 1 to 255 characters, and all, which is true';

export function invalidDetails(problem: string, target?: RefusalTarget): OAuthError {
  return new OAuthError('invalid_authorization_details', `authorization_details ${problem}`, target && { target });
}

export const foreignType = (target?: RefusalTarget): OAuthError =>
  invalidDetails('has a type that this client cannot ask for', target);

/** Reads the parameter authorization_details [9396 §2]; undefined if it is missing. Whether its types exist, the caller knows. */
export function readAuthorizationDetails(
  sent: Parameters[string] | undefined,
  target?: RefusalTarget,
): AskedDetails | undefined {
  if (sent === undefined) return undefined;
  if (typeof sent !== 'string') throw invalidDetails('is sent more than once', target);
  if (Buffer.byteLength(sent) > mostBytes) throw invalidDetails(`has more than ${mostBytes} bytes`, target);
  const read = details.safeParse(parsed(sent));
  if (!read.success) throw invalidDetails(`is no JSON array of 1 to ${mostObjects} objects, ${syntax}`, target);
  const asked = new Map<string, AskedDetail>();
  for (const one of read.data) {
    const { type } = one;
    const before = asked.get(type) ?? {};
    const named = 'identifier' in one && one.identifier !== undefined ? [one.identifier] : [];
    const identifiers = [...new Set([...(before.identifiers ?? []), ...named])];
    const all = before.all || 'all' in one;
    if (all && identifiers.length > 0) throw invalidDetails('has an identifier and all for the same type', target);
    asked.set(type, { ...(identifiers.length > 0 && { identifiers }), ...(all && { all }) });
  }
  return asked;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasRepeatedMember(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** One object of an answer [9396 §7]. */
export type AuthorizationDetail = { type: string; identifier: string } | { type: string; all: true };

/** What a token may show of what its person has chosen, as answers say it; undefined if none of its scopes has a choice. */
export function authorizationDetails(choices: Choices | null): AuthorizationDetail[] | undefined {
  if (!choices || Object.keys(choices).length === 0) return undefined;
  return Object.entries(choices).flatMap(([type, values]): AuthorizationDetail[] =>
    values === true ? [{ type, all: true }] : values.map((identifier) => ({ type, identifier })),
  );
}
