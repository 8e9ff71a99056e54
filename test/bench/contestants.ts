import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fapiRequests, registration, signed } from './fapi-client.ts';
import { requests, type Template } from './requests.ts';
import { floorSeed } from './seeds/floor.ts';
import { latchkeyFapiSeed, latchkeySeed } from './seeds/latchkey.ts';
import { oauth2ServerSeed } from './seeds/oauth2-server.ts';
import { openidConnect, openidFapi, plainFapi, plainOAuth } from './seeds/oidc-provider.ts';
import type { FapiKind, Seed } from './seeds/seed.ts';

export interface Contestant {
  readonly name: string;
  readonly title: string;
  /** the file that node runs */
  readonly entry: string;
  readonly seed: Seed;
  readonly requests: Readonly<Record<FapiKind, Template>>;
  /** what is sent for a credential, if the client signs something for each request */
  readonly sign?: (kind: FapiKind, credential: string, origin: string) => Promise<string>;
  readonly isProduct: boolean;
  readonly env?: Record<string, string>;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));
/** Another tree of the product, to compare two states of it. */
export const productDirectory = process.env['BENCH_PRODUCT_DIR'] ?? root;
/** The servers here, compiled: a loader would count as their memory. */
export const compiled = join(root, 'node_modules/.cache/latchkey-bench');

export const latchkey: Contestant = {
  name: 'latchkey',
  title: 'Latchkey',
  entry: join(productDirectory, 'dist/main.js'),
  seed: latchkeySeed,
  requests,
  isProduct: true,
};

const other = (name: string, title: string, seed: Seed, file = name): Contestant => ({
  name,
  title,
  entry: join(compiled, `${file}.js`),
  seed,
  requests,
  isProduct: false,
});

export const framework = 'floor-express';
export const provider = 'oidc-provider';
/** oidc-provider without what it can be talked out of: no ID tokens, clients and accounts never looked up. */
export const leanProvider = 'oidc-provider-lean';

export const contestants: readonly Contestant[] = [
  other('floor-http', 'node:http + one statement (floor)', floorSeed),
  other(framework, 'Express 5 + one statement (framework floor)', floorSeed),
  latchkey,
  other('oauth2-server', '@node-oauth/oauth2-server on Express', oauth2ServerSeed),
  other(provider, 'node-oidc-provider, Postgres adapter', openidConnect),
  { ...other(leanProvider, 'node-oidc-provider, as lean as it gets', plainOAuth, provider), env: { LEAN: 'true' } },
];

/** A client of the profile fapi2: a key in place of its secret, and tokens that are bound to another key. */
const fapi = { requests: fapiRequests, sign: signed };
const fapiEnv = { FAPI_CLIENT: JSON.stringify(registration) };

export const latchkeyFapi: Contestant = {
  ...latchkey,
  ...fapi,
  name: 'latchkey-fapi',
  title: 'Latchkey, profile fapi2',
  seed: latchkeyFapiSeed,
};

export const fapiContestants: readonly Contestant[] = [
  { ...latchkey, title: 'Latchkey, client with a secret' },
  latchkeyFapi,
  {
    ...other('oidc-provider-fapi-lean', 'node-oidc-provider, FAPI 2.0, stripped down', plainFapi, provider),
    ...fapi,
    env: { ...fapiEnv, LEAN: 'true' },
  },
  {
    ...other('oidc-provider-fapi', 'node-oidc-provider, FAPI 2.0, Postgres adapter', openidFapi, provider),
    ...fapi,
    env: fapiEnv,
  },
];
