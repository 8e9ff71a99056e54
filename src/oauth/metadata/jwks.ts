import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { algorithm } from '../../lib/jwt.ts';
import { answerCacheableJson, answerJson } from '../../web/answers.ts';
import { traceOf } from '../../web/request-log.ts';
import { publishedKeysMaxAge } from '../token/signing-keys.sql.ts';
import { listPublishedKeys } from '../token/signing-keys.ts';

/** The public keys that verify what this server signs [7517 §5]. An empty set is not cached: the first key signs at once. */
export const jwks =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const stored = await listPublishedKeys(deps, traceOf(req, res));
    const keys = stored.map(({ kid, public_jwk: { kty, crv, x, y } }) => {
      return { kty, crv, x, y, kid, alg: algorithm, use: 'sig' };
    });
    if (keys.length === 0) return answerJson(res, 200, { keys });
    answerCacheableJson(res, { keys }, publishedKeysMaxAge);
  };
