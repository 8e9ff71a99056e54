// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentUrl, startInternet } from '../support/client-documents.ts';
import { getUser } from '../support/flow.ts';
import {
  type Latchkey,
  registerPeople,
  registerPrinter,
  registerResource,
  startLatchkey,
} from '../support/latchkey.ts';
import { enterNetwork } from '../support/network.ts';
import { load } from './library.ts';
import { askWhoAmI, createProvider, createTransport, skip, startMcpServer, UnauthorizedError } from './mcp.ts';
import { signInAndAllow } from './person.ts';

const withoutNetwork = await enterNetwork(import.meta.url);
const redirectUrl = 'http://127.0.0.1:4711/callback';

/** The settings of the operator: a scope, and the MCP server as a resource; it asks about tokens as the photo printer. */
async function protect({ origin, database }: Latchkey, toCall = ['mcp:tools']): Promise<string> {
  for (const scope of toCall) await database.query('select register_scope($1, $2)', [scope, `Use ${scope}`]);
  await registerPrinter(database);
  return startMcpServer(origin, (resource) => registerResource(database, resource, toCall, 'photo-printer'), toCall);
}

/** From the first request, which is refused, to the tool; later with the refresh token. */
async function logIn(latchkey: Latchkey, provider: ReturnType<typeof createProvider>): Promise<void> {
  const resource = await protect(latchkey);
  const { rows } = await latchkey.database.query("select user_id::text from users where username = 'alice'");
  const alice = rows[0].user_id;
  await assert.rejects(askWhoAmI(resource, provider), UnauthorizedError);
  const link = provider.kept.link ?? assert.fail('no link to sign in');
  assert.equal(link.searchParams.get('resource'), resource);
  const code = (await signInAndAllow(link)).searchParams.get('code');
  await createTransport(resource, provider).finishAuth(code);
  assert.equal(await askWhoAmI(resource, provider), alice);

  const first = provider.kept.tokens?.access_token;
  assert.equal((await getUser(latchkey.origin, first)).status, 401, 'the token is for the MCP server only');
  await latchkey.database.query('update access_tokens set expires_at = now()');
  assert.equal(await askWhoAmI(resource, provider), alice);
  assert.notEqual(provider.kept.tokens?.access_token, first);
}

test('@modelcontextprotocol/sdk registers itself, and a person signs in to a server that it knows only by its address', {
  skip,
}, async () => {
  const latchkey = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
  await registerPeople(latchkey.database);
  const provider = createProvider(redirectUrl);
  await logIn(latchkey, provider);
  assert.match(provider.kept.client?.client_id ?? '', /^app-/);
});

test('@modelcontextprotocol/sdk is known by its metadata document, and registers nowhere', {
  skip: skip || withoutNetwork,
}, async () => {
  const { latchkey, published } = await startInternet();
  published.set(documentUrl, { changes: { redirect_uris: [redirectUrl] } });
  const provider = createProvider(redirectUrl, documentUrl);
  await logIn(latchkey, provider);
  assert.equal(provider.kept.client?.client_id, documentUrl);
});

const client = await load('@modelcontextprotocol/client');

test('@modelcontextprotocol/client, which registers with the scope of the first challenge, steps up for a tool and refreshes', {
  skip: skip || client.skip,
}, async () => {
  const latchkey = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
  await registerPeople(latchkey.database);
  const resource = await protect(latchkey, ['mcp:tools', 'mcp:write']);
  const provider = createProvider(redirectUrl);
  const connect = async (use: (agent: Caller) => Promise<unknown>) => {
    const transport = new client.library.StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    const agent = new client.library.Client({ name: 'agent', version: '1.0.0' });
    try {
      await agent.connect(transport);
      return await use(agent);
    } finally {
      await agent.close();
    }
  };
  /** The person allows what the request of the link names, which is returned. */
  const allow = async () => {
    const link = provider.kept.link ?? assert.fail('no link to sign in');
    const { searchParams } = await signInAndAllow(link);
    const transport = new client.library.StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    await transport.finishAuth(searchParams);
    return link.searchParams.get('scope');
  };
  const list = () => connect((agent) => agent.listTools());
  const call = () => connect((agent) => agent.callTool({ name: 'whoami', arguments: {} }));
  await assert.rejects(list());
  assert.equal(await allow(), 'mcp:tools offline_access');
  await list();
  await assert.rejects(call());
  assert.equal(await allow(), 'mcp:tools offline_access mcp:write');
  await call();
  const first = provider.kept.tokens?.access_token;
  await latchkey.database.query('update access_tokens set expires_at = now()');
  await call();
  assert.notEqual(provider.kept.tokens?.access_token, first);
});

interface Caller {
  listTools(): Promise<unknown>;
  callTool(call: object): Promise<unknown>;
}
