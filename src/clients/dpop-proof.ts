import type { Request, RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { clockTolerance } from '../lib/client-jwt.ts';
import { dpopNonce, dpopRefusal, isFreshNonce, proofLifetime, verifyDpopProof } from '../lib/dpop.ts';
import { digestOfParts } from '../lib/secrets.ts';
import { calledUrl } from '../web/aliases.ts';
import type { OneTimeProof } from './used-proofs.sql.ts';

/** The key that a request proves. */
export interface ShownKey {
  thumbprint: string;
  /** to be used up once it is certain who sends the request: what strangers send is not stored */
  dpop_proof: OneTimeProof;
}

/** What the header DPoP proves; undefined without it. Refuses a proof that is not valid for this request [9449 §4.3]. */
export async function readDpopProof(
  { config, sessionSecrets }: Deps,
  req: Request,
  access_token?: string,
): Promise<ShownKey | undefined> {
  const text = req.headers['dpop'];
  if (text === undefined) return undefined;
  const request = { method: req.method, url: calledUrl(config, req) + req.path, access_token };
  const { thumbprint, jti, nonce, made_at } = verifyDpopProof(String(text), request);
  if (config.dpop_nonce && !isFreshNonce(sessionSecrets, nonce)) {
    throw dpopRefusal(request, 'its nonce must be that of the header DPoP-Nonce', 'use_dpop_nonce');
  }
  const proof_sha256 = digestOfParts('DPoP proof', thumbprint, jti);
  // the database forgets the proof by its own clock, which may be ahead
  const expires_at = Math.ceil(made_at) + proofLifetime + 2 * clockTolerance;
  return { thumbprint, dpop_proof: { proof_sha256, expires_at } };
}

/** Every answer to a proof has the nonce for the next one [9449 §8.2, §9]. */
export function offerDpopNonce({ config, sessionSecrets }: Deps): RequestHandler[] {
  if (!config.dpop_nonce) return [];
  return [
    (req, res, next) => {
      if (req.headers['dpop'] !== undefined) res.setHeader('DPoP-Nonce', dpopNonce(sessionSecrets));
      next();
    },
  ];
}
