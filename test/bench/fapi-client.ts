import { randomBytes } from 'node:crypto';
import { assertionType } from '../../src/lib/client-assertion.ts';
import { createClientKey, sign } from '../support/client-assertion.ts';
import { createDpopKey, type DpopKey, proofOf } from '../support/dpop.ts';
import { authorizationRequest, type Template } from './requests.ts';
import type { FapiKind } from './seeds/seed.ts';
import { client, clientMetadata, verifier } from './servers/terms.ts';

// The client of the FAPI 2.0 Security Profile: it authenticates by assertions and proves the key of its tokens. It signs
// before the measurement, in the process of the benchmark, so that this costs the server nothing.

const { client_id } = client;
export type Algorithm = 'ES256' | 'PS256' | 'EdDSA';
const keys = {
  ES256: createClientKey('ES256'),
  PS256: createClientKey('PS256', 'PS256'),
  EdDSA: createClientKey('EdDSA', 'EdDSA'),
};
const dpopKeys: Record<Algorithm, DpopKey> = {
  ES256: await createDpopKey(),
  PS256: await createDpopKey('PS256'),
  EdDSA: await createDpopKey('EdDSA'),
};

/** The thumbprint of the key that access tokens in the database are bound to. */
export const { thumbprint } = dpopKeys.ES256;
/** The largest key that a client can register. Nobody has its private half: an odd number of 4096 bits is enough. */
const modulus = randomBytes(512);
modulus[0] = 0xff;
modulus[511] = 0xff;
export const bigKey = { kty: 'RSA', kid: 'large', e: 'AQAB', n: modulus.toString('base64url') };
export const jwks = { keys: [...Object.values(keys).map(({ jwk }) => jwk), bigKey] };

const { client_secret: _, ...withoutSecret } = clientMetadata;
/** As OpenID Connect has it. */
export const registration = {
  ...withoutSecret,
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'ES256',
  jwks: { keys: [keys.ES256.jwk] },
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
};

/** Credential, assertion and proof: the three words of a value. */
export async function signed(
  kind: FapiKind,
  credential: string,
  origin: string,
  alg: Algorithm = 'ES256',
): Promise<string> {
  const request =
    kind === 'resource'
      ? { method: 'GET', url: `${origin}/user`, access_token: credential }
      : { method: 'POST', url: `${origin}/token` };
  const assertion = kind === 'resource' ? '' : sign(keys[alg], origin, { client_id });
  const proof = kind === 'par' ? '' : proofOf(dpopKeys[alg], request, { header: { alg } });
  return [credential, ...(await Promise.all([assertion, proof]))].join(' ');
}

const form = (path: '/par' | '/token', parameters: Record<string, string>, credential = ''): Template => {
  const authentication = { client_id, client_assertion_type: assertionType };
  return {
    method: 'POST',
    path,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(path === '/token' && { DPoP: '{3}' }),
    },
    body: `${new URLSearchParams({ ...authentication, ...parameters })}&client_assertion={2}${credential}`,
  };
};

const { redirect_uri } = client;

export const fapiRequests: Readonly<Record<FapiKind, Template>> = {
  par: form('/par', authorizationRequest),
  exchange: form('/token', { grant_type: 'authorization_code', redirect_uri, code_verifier: verifier }, '&code={1}'),
  refresh: form('/token', { grant_type: 'refresh_token' }, '&refresh_token={1}'),
  resource: { method: 'GET', path: '/user', headers: { Authorization: 'DPoP {1}', DPoP: '{3}' } },
};
