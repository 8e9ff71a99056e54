import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

type Json = Record<string, unknown>;
type Respond = (res: ServerResponse, usual: () => void) => void;

/** An OpenID provider whose every answer a test can change, and that keeps every request. */
export interface FakeProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** the claims of the next ID tokens, over the usual ones; undefined leaves one out */
  claims: Json;
  /** the answer of /userinfo; undefined: the endpoint is not in the metadata */
  userinfo: Json | undefined;
  /** over the usual metadata */
  metadata: Json;
  header: Json;
  /** over the usual answer of the token endpoint */
  tokens: Json;
  /** over the parameters of the redirect back; an array repeats one */
  redirect: Record<string, string | string[] | undefined>;
  keys: SigningKey[];
  /** what /keys shows instead of the public halves of `keys` */
  shownKeys: Json[] | undefined;
  /** answers in place of an endpoint: `/token` and so on */
  readonly answers: Map<string, Respond>;
  readonly requests: {
    path: string;
    method: string;
    query: URLSearchParams;
    body: URLSearchParams;
    authorization: string;
  }[];
  /** the requests to one path */
  seen(path: string): FakeProvider['requests'];
  /** seconds by which its clock is ahead */
  ahead: number;
  addKey(alg?: string): SigningKey;
  /** everything as it was at the beginning */
  reset(): void;
  close(): Promise<void>;
}

export interface SigningKey {
  kid: string;
  alg: string;
  private_key: KeyObject;
  jwk: Json;
}

export async function startProvider({ path = '', port = 0 } = {}): Promise<FakeProvider> {
  const codes = new Map<string, URLSearchParams>();
  const server = createServer((req, res) => {
    answer(req, res).catch((error) => res.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: FakeProvider = {
    issuer: `${origin}${path}`,
    client_id: 'latchkey',
    client_secret: 'the secret of latchkey at the provider',
    ...fresh(),
    answers: new Map(),
    requests: [],
    seen: (one) => provider.requests.filter((request) => request.path === path + one),
    addKey(alg = 'RS256') {
      const key = createKey(alg);
      provider.keys.push(key);
      return key;
    },
    reset() {
      Object.assign(provider, fresh());
      provider.answers.clear();
      provider.requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  after(() => provider.close());

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '', origin);
    const body = new URLSearchParams(await read(req));
    const { authorization = '' } = req.headers;
    provider.requests.push({
      path: url.pathname,
      method: req.method ?? '',
      query: url.searchParams,
      body,
      authorization,
    });
    const endpoint = url.pathname.slice(path.length);
    const usual = () => usualAnswer(endpoint, res, { query: url.searchParams, body });
    const changed = provider.answers.get(endpoint);
    return changed ? changed(res, usual) : usual();
  }

  function usualAnswer(endpoint: string, res: ServerResponse, sent: Record<'query' | 'body', URLSearchParams>): void {
    if (endpoint === '/.well-known/openid-configuration')
      return json(res, without({ ...usualMetadata(), ...provider.metadata }));
    if (endpoint === '/keys') return json(res, { keys: provider.shownKeys ?? provider.keys.map(({ jwk }) => jwk) });
    if (endpoint === '/authorize') return redirect(res, sent.query);
    if (endpoint === '/token') return json(res, without({ ...tokensFor(sent.body), ...provider.tokens }));
    if (endpoint === '/userinfo') return json(res, without(provider.userinfo ?? {}));
    res.writeHead(404).end();
  }

  function usualMetadata(): Json {
    const at = (endpoint: string) => provider.issuer + endpoint;
    return {
      issuer: provider.issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      jwks_uri: at('/keys'),
      userinfo_endpoint: provider.userinfo && at('/userinfo'),
      authorization_response_iss_parameter_supported: true,
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  function redirect(res: ServerResponse, query: URLSearchParams): void {
    const code = randomBytes(12).toString('hex');
    codes.set(code, query);
    const target = new URL(query.get('redirect_uri') ?? '');
    const usual = { code, state: query.get('state') ?? '', iss: provider.issuer };
    for (const [name, value] of Object.entries({ ...usual, ...provider.redirect })) {
      for (const one of [value ?? []].flat()) target.searchParams.append(name, one);
    }
    res.writeHead(302, { location: target.href }).end();
  }

  function tokensFor(body: URLSearchParams): Json {
    const request = codes.get(body.get('code') ?? '');
    const isRight =
      request?.get('redirect_uri') === body.get('redirect_uri') &&
      request?.get('code_challenge') === digest(body.get('code_verifier') ?? '').toString('base64url');
    codes.delete(body.get('code') ?? '');
    if (!request || !isRight) return { error: 'invalid_grant' };
    const access_token = randomBytes(12).toString('hex');
    return { access_token, token_type: 'Bearer', expires_in: 60, id_token: idToken(request, access_token) };
  }

  function idToken(request: URLSearchParams, access_token: string): string {
    const now = Math.floor(Date.now() / 1000) + provider.ahead;
    const [key] = provider.keys.slice(-1);
    if (!key) throw new Error('the provider has no key');
    const hash = createHash(key.alg.startsWith('Ed') ? 'sha512' : 'sha256')
      .update(access_token)
      .digest();
    const usual = {
      iss: provider.issuer,
      sub: 'ada-at-acme',
      aud: provider.client_id,
      exp: now + 300,
      iat: now,
      auth_time: now,
      nonce: request.get('nonce'),
      at_hash: hash.subarray(0, hash.length / 2).toString('base64url'),
    };
    const header = { alg: key.alg, kid: key.kid, ...provider.header };
    return signIdToken(key, without(header), without({ ...usual, ...provider.claims }));
  }
  return provider;
}

const fresh = () => ({
  claims: {} as Json,
  userinfo: undefined as Json | undefined,
  metadata: {} as Json,
  header: {} as Json,
  tokens: {} as Json,
  redirect: {},
  keys: [createKey('RS256')],
  shownKeys: undefined as Json[] | undefined,
  ahead: 0,
});

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Leaves out members that are undefined. */
const without = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

export function json(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Made once: a key of RSA takes a while. */
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

export function createKey(alg: string, kid = randomBytes(6).toString('hex')): SigningKey {
  const pairs: Record<string, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
    ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: () => generateKeyPairSync('ed25519'),
    Ed25519: () => generateKeyPairSync('ed25519'),
    RS256: () => rsa,
  };
  const pair = (pairs[alg] ?? (() => rsa))();
  return {
    kid,
    alg,
    private_key: pair.privateKey,
    jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' },
  };
}

/** Another pair than the usual one of RSA. */
export function createOtherRsaKey(modulusLength = 2048): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  const kid = randomBytes(6).toString('hex');
  return {
    kid,
    alg: 'RS256',
    private_key: privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' },
  };
}

export function signIdToken({ alg, private_key }: SigningKey, header: Json, claims: Json): string {
  const encode = (part: Json) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode(header)}.${encode(claims)}`;
  const key = { key: private_key, dsaEncoding: 'ieee-p1363' as const };
  return `${signed}.${sign(alg.startsWith('Ed') ? null : 'sha256', Buffer.from(signed), key).toString('base64url')}`;
}

async function read(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += chunk;
  return text;
}
