import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { createLocalJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { Browser, type Page } from './browser.ts';
import { authorizationQuery, encode } from './flow.ts';
import { forge } from './jwt.ts';

/** A secret that a machine has made. */
export const sharedSecret = 'c37bd2f6a8915e04b6f3d1c87a29e5f0';

/** A key of the fake website, named, with its public part. */
export interface WebsiteKey {
  kid: string;
  alg: 'ES256' | 'EdDSA';
  private_key: KeyObject;
  public_key: KeyObject;
  public_jwk: object;
}

export function websiteKey(kid: string, alg: WebsiteKey['alg'] = 'ES256'): WebsiteKey {
  const pair = alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const public_jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' };
  return { kid, alg, private_key: pair.privateKey, public_key: pair.publicKey, public_jwk };
}

export const signedWith =
  ({ alg, private_key }: WebsiteKey) =>
  (input: string): Buffer =>
    alg === 'ES256'
      ? sign('sha256', Buffer.from(input), { key: private_key, dsaEncoding: 'ieee-p1363' })
      : sign(null, Buffer.from(input), private_key);

export const macWith =
  (secret: string | Buffer) =>
  (input: string): Buffer =>
    createHmac('sha256', secret).update(input).digest();

/** What the website was asked, after its signature was verified by the keys that the server publishes. */
export interface Asked extends JWTPayload {
  nonce: string;
  return_to: string;
}

export async function readRequest(issuer: string, location: string | undefined): Promise<Asked> {
  const { origin: audience, searchParams } = new URL(location ?? assert.fail('no redirect to the website'));
  const keys = createLocalJWKSet(await (await fetch(`${issuer}/jwks`)).json());
  const { payload } = await jwtVerify(searchParams.get('request') ?? '', keys, {
    ...{ typ: 'sign-in-request+jwt', algorithms: ['ES256'] },
    ...{ issuer, audience },
  });
  return payload as Asked;
}

export const now = () => Math.floor(Date.now() / 1000);

type Changes = Record<string, unknown>;

/** An answer that would be accepted, with one change; undefined leaves a member out. */
export function answerTo(
  asked: Pick<Asked, 'iss' | 'nonce'>,
  changes: Changes = {},
  {
    header = {},
    signer = macWith(sharedSecret),
  }: { header?: object; signer?: (input: string) => Buffer | string } = {},
): string {
  const iat = now();
  const claims = {
    sub: '8f1c',
    nonce: asked.nonce,
    aud: asked.iss,
    iat,
    exp: iat + 120,
    auth_time: iat,
    jti: randomUUID(),
  };
  return forge({ alg: 'HS256', ...header }, { ...claims, ...changes }, signer);
}

/** By ES256 or EdDSA. */
export const answerBy = (key: WebsiteKey, asked: Pick<Asked, 'iss' | 'nonce'>, changes: Changes = {}) =>
  answerTo(asked, changes, { header: { alg: key.alg, kid: key.kid }, signer: signedWith(key) });

/** A browser that an authorization request has led to the website, by the button or at once. */
export async function sentToWebsite(
  origin: string,
  changes: Record<string, string | undefined> = {},
  browser = new Browser(origin),
): Promise<{ browser: Browser; asked: Asked; location: string }> {
  const page = await browser.visit(`/authorize?${authorizationQuery(changes)}`);
  const sent = page.location === undefined ? await browser.submit(page, 'id="website"') : page;
  const issuer = new URL(
    decodeJwt(new URL(sent.location ?? assert.fail(sent.text)).searchParams.get('request') ?? '').iss ?? '',
  );
  assert.equal(issuer.origin, origin);
  return { browser, asked: await readRequest(origin, sent.location), location: sent.location ?? '' };
}

/** The way back with a redirect. */
export const returnWith = (browser: Browser, response: string): Promise<Page> =>
  browser.visit(`/login/return?${encode({ response })}`);

/** Something that answers at an address of this machine. */
export async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
