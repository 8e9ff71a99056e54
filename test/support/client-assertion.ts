import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { assertionType } from '../../src/lib/client-assertion.ts';
import type { Database } from '../../src/postgres/database.ts';
import { printer } from './latchkey.ts';

export interface ClientKey {
  privateKey: KeyObject;
  jwk: { kid: string; [member: string]: unknown };
  alg: string;
}

const generators = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  Ed25519: () => generateKeyPairSync('ed25519'),
};

export function createClientKey(kid: string, alg: keyof typeof generators = 'ES256'): ClientKey {
  const { publicKey, privateKey } = generators[alg]();
  return { privateKey, alg, jwk: { ...publicKey.export({ format: 'jwk' }), kid } };
}

/** A client that proves a key, with the redirection URI of the photo printer. */
export async function registerKeyClient(
  database: Database,
  changes: {
    client_id?: string;
    keys?: ClientKey[];
    jwks_uri?: string;
    profile?: string;
    audience?: string;
    alg?: string;
  } = {},
): Promise<void> {
  const { client_id = 'bank', keys, jwks_uri = null, profile = null, audience = null, alg = null } = changes;
  const jwks = keys && JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
  await database.query(
    `select register_client(client_id => $1, name => 'Bank', site_domain => $2, redirect_uris => array[$3],
       scopes => array['user', 'repo'], token_endpoint_auth_method => 'private_key_jwt', jwks => $4, jwks_uri => $5, profile => $6,
       assertion_audience => $7, token_endpoint_auth_signing_alg => $8)`,
    [client_id, printer.site_domain, printer.redirect_uri, jwks, jwks_uri, profile, audience, alg],
  );
}

/** Registers a new key of a client, which it can give to Web Cryptography. */
export async function registerKey(database: Database, client_id: string): Promise<{ kid: string; key: CryptoKey }> {
  const key = createClientKey('registered');
  const jwks = JSON.stringify({ keys: [key.jwk] });
  await database.query('update clients set jwks = $1 where client_id = $2', [jwks, client_id]);
  return webKey(key);
}

/** A key for ES256, as libraries take it. */
export async function webKey({ jwk, privateKey }: ClientKey): Promise<{ kid: string; key: CryptoKey }> {
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  return { kid: jwk.kid, key: await crypto.subtle.importKey('pkcs8', pkcs8, curve, false, ['sign']) };
}

interface AssertionChanges {
  client_id?: string;
  header?: Partial<JWTHeaderParameters>;
  /** undefined leaves a claim out */
  claims?: Record<string, unknown>;
}

export const now = () => Math.floor(Date.now() / 1000);

/** An assertion that is accepted, with changes. */
export function sign(
  { privateKey, jwk, alg }: ClientKey,
  audience: string,
  { client_id = 'bank', header, claims }: AssertionChanges = {},
): Promise<string> {
  const payload = { iss: client_id, sub: client_id, aud: audience, jti: randomUUID(), iat: now(), exp: now() + 60 };
  return new SignJWT({ ...payload, ...claims } as JWTPayload)
    .setProtectedHeader({ alg, kid: jwk.kid, ...header })
    .sign(privateKey);
}

/** The parameters by which a client authenticates; without those of a secret. */
export const withAssertion = (client_assertion: string) => ({
  client_assertion_type: assertionType,
  client_assertion,
});
