import type { Request } from 'express';
import type { OneTimeProof } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import { clockTolerance } from '../../lib/client-jwt.ts';
import { OAuthError } from '../../lib/errors.ts';
import {
  deriveMacKey,
  endOfWindow,
  isMacOf,
  isWithinWindow,
  type MacCredentials,
  type MacRequest,
  readMacHeader,
} from '../../lib/mac.ts';
import { digestOfParts } from '../../lib/secrets.ts';
import { calledUrl } from '../../web/aliases.ts';
import { type Presentation, quoted } from './presentation.ts';

const tooFarOff = 'ts is too far from the clocks of this server and its database';

/** A token with a MAC of the request [draft-ietf-oauth-v2-http-mac-02], for clients that are registered for it. */
export const mac: Presentation = {
  headers: ['Authorization'],
  metadata: {},
  own: {
    scheme: 'MAC',
    isNeededBy: (bound) => bound === 'mac',
    challenge: (error, attributes) => `MAC ${quoted({ error, ...attributes })}`,
  },
  tokensIn(req) {
    const credentials = credentialsIn(req);
    return credentials ? [credentials.id] : [];
  },
  async prove(deps, req, _token, key) {
    const credentials = credentialsIn(req);
    if (!credentials) return { opens: () => false };
    // a stranger on the way could exchange the body
    if (req.method !== 'GET')
      throw new OAuthError('invalid_request', 'a MAC does not cover a body: it is for GET only');
    if (!isWithinWindow(credentials.ts)) throw refusal(tooFarOff);
    const request = macRequest(deps, req);
    const isRight = deps.sessionSecrets.some((secret) => isMacOf(credentials, request, deriveMacKey(secret, key)));
    if (!isRight) throw refusal('mac is not that of this request');
    return {
      opens: (bound) => bound === 'mac',
      proof: {
        ...proofOf(key, credentials),
        binding: 'mac',
        refusal: (fault) => refusal(fault === 'too old' ? tooFarOff : 'nonce was used before'),
      },
    };
  },
};

function credentialsIn({ headers: { authorization = '' } }: Request): MacCredentials | undefined {
  const [, attributes] = /^MAC +(.+)$/i.exec(authorization) ?? [];
  if (attributes === undefined) return undefined;
  const credentials = readMacHeader(attributes);
  if (credentials) return credentials;
  throw new OAuthError('invalid_request', 'the Authorization header is malformed');
}

/** The address is the public one, and not what a header of the request says. */
function macRequest({ config }: Deps, req: Request): MacRequest {
  const { method, originalUrl: target } = req;
  const { hostname: host, protocol, port } = new URL(calledUrl(config, req));
  return { method, target, host, port: port || (protocol === 'https:' ? '443' : '80') };
}

/** A nonce counts once for a token and a second. */
function proofOf(key: Buffer, { ts, nonce }: MacCredentials): OneTimeProof {
  const proof_sha256 = digestOfParts('MAC', key.toString('base64url'), String(ts), nonce);
  // the clock of the database, which forgets it, may be ahead
  return { proof_sha256, expires_at: endOfWindow(ts) + clockTolerance };
}

const refusal = (description: string) => new OAuthError('invalid_token', description);
