import express from 'express';
import { post } from '../support/flow.ts';
import { openServer } from './application.ts';
import { load } from './library.ts';

const name = '@modelcontextprotocol/sdk';
const loaded = await Promise.all(
  [
    'client/index.js',
    'client/streamableHttp.js',
    'client/auth.js',
    'server/mcp.js',
    'server/streamableHttp.js',
    'server/auth/middleware/bearerAuth.js',
    'server/auth/router.js',
    'server/auth/errors.js',
  ].map((path) => load(`${name}/${path}`)),
);

export const skip = loaded.find((one) => one.skip)?.skip ?? false;
const sdk = Object.assign({}, ...loaded.map(({ library }) => library));

export const UnauthorizedError = sdk.UnauthorizedError;

/**
 * An MCP server with one tool, which needs the scopes `toCall`. It publishes its own metadata, which name the authorization server, and
 * asks that server about tokens, as the client that its resource is registered with.
 */
export async function startMcpServer(
  issuer: string,
  register: (resource: string) => Promise<void>,
  toCall = ['mcp:tools'],
): Promise<string> {
  const server = await openServer();
  const resource = `${server.origin}/mcp`;
  await register(resource);
  const oauthMetadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
  const resourceServerUrl = new URL(resource);
  const verifier = {
    async verifyAccessToken(token: string) {
      const { body } = await post(`${issuer}/introspect`, { token });
      if (!body['active']) throw new sdk.InvalidTokenError('the token is not active');
      const { client_id: clientId, exp: expiresAt, scope, aud, sub } = body;
      return { token, clientId, expiresAt, scopes: String(scope).split(' '), resource: aud, extra: { sub } };
    },
  };
  const resourceMetadataUrl = sdk.getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
  const bearer = { verifier, requiredScopes: ['mcp:tools'], resourceMetadataUrl, expectedResource: resource };
  const app = express();
  app.use(sdk.mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl, scopesSupported: ['mcp:tools'] }));
  const mayCall = sdk.requireBearerAuth({ ...bearer, requiredScopes: toCall });
  app.use('/mcp', express.json(), sdk.requireBearerAuth(bearer), (req, res, next) =>
    req.body?.method === 'tools/call' ? mayCall(req, res, next) : next(),
  );
  app.post('/mcp', async (req, res) => {
    const mcp = new sdk.McpServer({ name: 'sample', version: '1.0.0' });
    mcp.registerTool('whoami', { description: 'The person' }, ({ authInfo }: { authInfo: { extra: Person } }) => ({
      content: [{ type: 'text', text: authInfo.extra.sub }],
    }));
    const transport = new sdk.StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await mcp.connect(transport);
    await transport.handleRequest(req, res, req.body);
  });
  app.all('/mcp', (_req, res) => void res.sendStatus(405));
  server.answer(app);
  return resource;
}

interface Person {
  sub: string;
}

/** What the SDK asks an application to keep, kept in memory. */
export function createProvider(redirectUrl: string, clientMetadataUrl?: string) {
  const kept: {
    client?: { client_id: string; client_secret?: string | undefined };
    tokens?: { access_token: string };
    verifier?: string;
    found?: object;
    link?: URL;
  } = {};
  return {
    kept,
    redirectUrl,
    clientMetadataUrl,
    clientMetadata: {
      client_name: 'Agent',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation(client: { client_id: string; client_secret?: string | undefined }) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: { access_token: string }) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(link: URL) {
      kept.link = link;
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    saveDiscoveryState(found: object) {
      kept.found = found;
    },
    discoveryState: () => kept.found,
  };
}

type Provider = ReturnType<typeof createProvider>;

export const createTransport = (resource: string, authProvider: Provider) =>
  new sdk.StreamableHTTPClientTransport(new URL(resource), { authProvider });

/** Connects with the tokens that the provider has, and calls the tool. */
export async function askWhoAmI(resource: string, provider: Provider): Promise<string> {
  const client = new sdk.Client({ name: 'agent', version: '1.0.0' });
  await client.connect(createTransport(resource, provider));
  const { content } = await client.callTool({ name: 'whoami' });
  await client.close();
  return content[0].text;
}
