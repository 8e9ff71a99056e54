import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Configuration, Provider } from 'oidc-provider';
import { PostgresAdapter } from './oidc-adapter.ts';
import { port, row } from './pool.ts';
import { clientMetadata, lifetimes } from './terms.ts';

const lean = process.env['LEAN'] === 'true';
/** The registration of a client of the FAPI 2.0 Security Profile. */
const fapiClient = process.env['FAPI_CLIENT'];

const findUser = (accountId: string) =>
  row('user', 'select user_id, username, email, name from users where user_id = $1', [accountId]);

/** An account that is gone gets no tokens; the lean server finds that out when somebody asks for claims. */
const findAccount: NonNullable<Configuration['findAccount']> = async (_ctx, accountId) => {
  const found = lean ? undefined : await findUser(accountId);
  if (!lean && !found) return undefined;
  return { accountId, claims: async () => ({ sub: accountId, ...(found ?? (await findUser(accountId))) }) };
};

/**
 * The peer that is a whole provider. Clients are in the database, as the others have them; the lean server has them in its
 * configuration. In favour of both: tokens are not tied to a session, which would be one more query, and an ID token,
 * where the code asks for one, is signed with ES256.
 */
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: PostgresAdapter,
  clients: lean ? [fapiClient ? JSON.parse(fapiClient) : clientMetadata] : [],
  findAccount,
  claims: { openid: ['sub'], 'user:name': ['username', 'name'], 'user:email': ['email'] },
  scopes: ['openid', 'offline_access'],
  jwks: {
    keys: [{ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }), use: 'sig' }],
  } as NonNullable<Configuration['jwks']>,
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  routes: { token: '/token', userinfo: '/user', pushed_authorization_request: '/par' },
  features: {
    devInteractions: { enabled: false },
    ...(fapiClient && {
      fapi: { enabled: true, profile: '2.0' as const },
      dPoP: { enabled: true },
      pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
    }),
  },
  ttl: {
    AccessToken: lifetimes.access_token,
    RefreshToken: lifetimes.refresh_token,
    AuthorizationCode: lifetimes.code,
    Grant: lifetimes.refresh_token,
    IdToken: 3600,
    Interaction: 3600,
    Session: 86_400,
  },
  issueRefreshToken: async () => true,
  // the profile asks for none [FAPI 2.0 §5.3.2.1]
  rotateRefreshToken: !fapiClient,
  expiresWithSession: async () => false,
});

provider.listen(port, '127.0.0.1');
