import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { type Configuration, Provider } from 'oidc-provider';

export interface RealProvider {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** who signs in next; whoever presses the button of its sign-in page is this person */
  account: Record<string, unknown> & { sub: string };
}

/** node-oidc-provider, an independent implementation, with a sign-in page of one button. */
export async function startRealProvider(redirect_uri: string): Promise<RealProvider> {
  let listener: RequestListener = () => {};
  const server = createServer((req, res) => listener(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client_secret = randomBytes(24).toString('base64url');
  const real: RealProvider = { issuer, client_id: 'latchkey', client_secret, account: { sub: 'ada-there' } };
  const provider = new Provider(issuer, configurationOf(real, redirect_uri));
  listener = (req, res) => {
    const isInteraction = req.url?.startsWith('/interaction/');
    if (!isInteraction) return void provider.callback()(req, res);
    if (req.method === 'GET') {
      const action = req.url;
      const form = `<form method="post" action="${action}"><button id="there" name="go" value="on">Sign in there</button></form>
        <form method="post" action="${action}?cancel"><button id="cancel" name="go" value="back">Cancel</button></form>`;
      return void res.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Acme</title>${form}`);
    }
    const result = req.url?.endsWith('?cancel')
      ? { error: 'access_denied', error_description: 'the person has cancelled' }
      : { login: { accountId: real.account.sub } };
    req.resume();
    provider.interactionFinished(req, res, result).catch((error) => res.destroy(error));
  };
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return real;
}

function configurationOf(real: RealProvider, redirect_uri: string): Configuration {
  const { client_id, client_secret } = real;
  return {
    clients: [{ client_id, client_secret, redirect_uris: [redirect_uri], grant_types: ['authorization_code'] }],
    findAccount: (_ctx, accountId) => ({ accountId, claims: async () => real.account }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    // its own question whether the person agrees is none of ours
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: client_id,
        accountId: String(ctx.oidc.session?.accountId),
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    ttl: { Session: 3600, Interaction: 600, Grant: 600, AccessToken: 60, AuthorizationCode: 60, IdToken: 600 },
  };
}
