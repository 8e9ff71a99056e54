import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Deps } from '../../../deps.ts';
import { createSecret, digestOf } from '../../../protocol/secrets.ts';
import type { DeveloperApplication } from '../../../store/developer-applications.ts';
import { readCookie } from '../cookies.ts';

const cookieName = 'new-secret';

/**
 * A secret is shown on a page that a reload must not make again, and is kept nowhere. So it is made of a random number
 * that waits in the developer's own browser, for minutes, and of a key that only this server has: neither says anything
 * without the other.
 */
export function createNewSecret({ config, sessionSecrets }: Deps, res: Response, client_id: string): string {
  const seed = randomBytes(32).toString('base64url');
  res.cookie(cookieName, seed, { ...attributes(config), maxAge: 300_000, encode: String });
  return secretOf(sessionSecrets[0] ?? '', client_id, seed);
}

/** The secret that was just made for this application in this browser, once; undefined when it is not a live one. */
export function takeNewSecret(
  { config, sessionSecrets }: Deps,
  req: Request,
  res: Response,
  { client_id, secrets_sha256 }: DeveloperApplication,
): string | undefined {
  const seed = readCookie(req, cookieName);
  if (seed === undefined || !/^[\w-]{43}$/.test(seed)) return undefined;
  const proposals = sessionSecrets.map((key) => secretOf(key, client_id, seed));
  const secret = proposals.find((proposal) => secrets_sha256.some((digest) => digest.equals(digestOf(proposal))));
  if (secret !== undefined) res.clearCookie(cookieName, attributes(config));
  return secret;
}

function secretOf(key: string, client_id: string, seed: string): string {
  const bits = createHmac('sha256', key).update(`client_secret\n${client_id}\n${seed}`).digest();
  return createSecret('client_secret', bits);
}

function attributes({ base, secure }: Deps['config']) {
  return { httpOnly: true, sameSite: 'lax', secure, path: `${base}/developer` } as const;
}
