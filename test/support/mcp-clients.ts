// What the most used MCP clients say about themselves, and where they are called back, in September 2026. A document is published at its
// client_id; a body is what the client sends to /register where documents are switched off.

interface McpClient {
  name: string;
  /** at run time, with a port of the moment where it has one */
  callbacks: readonly string[];
}

const codeAndRefresh = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };

export const mcpDocuments: readonly (McpClient & { document: { client_id: string } & Record<string, unknown> })[] = [
  {
    // https://claude.ai/oauth/mcp-oauth-client-metadata
    name: 'Claude',
    document: {
      client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['https://claude.ai/api/mcp/auth_callback'],
  },
  {
    // quoted in anthropics/claude-code#37747, #41011, #64705
    name: 'Claude Code',
    document: {
      client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      ...codeAndRefresh,
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['http://localhost:55611/callback', 'http://127.0.0.1:52163/callback'],
  },
  {
    // https://vscode.dev/oauth/client-metadata.json; src/vs/base/common/oauth.ts in microsoft/vscode
    name: 'Visual Studio Code',
    document: {
      client_name: 'Visual Studio Code',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      client_id: 'https://vscode.dev/oauth/client-metadata.json',
      client_uri: 'https://vscode.dev/product',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
    },
    callbacks: ['http://127.0.0.1:33418/', 'http://127.0.0.1:50001/', 'https://vscode.dev/redirect'],
  },
  {
    // crates/context_server/src/oauth.rs in zed-industries/zed
    name: 'Zed',
    document: {
      client_id: 'https://zed.dev/oauth/client-metadata.json',
      client_name: 'Zed',
      client_uri: 'https://zed.dev',
      redirect_uris: ['http://127.0.0.1/callback'],
      ...codeAndRefresh,
      token_endpoint_auth_method: 'none',
      logo_uri: 'https://cdn.zed.dev/images/logo-dark.png',
    },
    callbacks: ['http://127.0.0.1:50002/callback'],
  },
  {
    // documentation/static/oauth/client-metadata.json in aaif-goose/goose
    name: 'Goose',
    document: {
      client_id: 'https://goose-docs.ai/oauth/client-metadata.json',
      client_name: 'Goose',
      redirect_uris: ['http://localhost/oauth_callback'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'openid profile email',
      code_challenge_methods_supported: ['S256'],
    },
    callbacks: ['http://localhost:50003/oauth_callback'],
  },
  {
    // https://chatgpt.com/oauth/codex/client.json
    name: 'Codex',
    document: {
      client_id: 'https://chatgpt.com/oauth/codex/client.json',
      client_uri: 'https://chatgpt.com/codex',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      token_endpoint_auth_method: 'none',
      token_endpoint_auth_methods_supported: ['none'],
      ...codeAndRefresh,
      client_name: 'Codex',
    },
    callbacks: ['http://127.0.0.1:43123/callback', 'http://localhost:43123/callback'],
  },
  {
    // anomalyco/opencode#47737
    name: 'opencode',
    document: {
      client_id: 'https://opencode.ai/oauth/opencode/client.json',
      client_name: 'opencode',
      client_uri: 'https://opencode.ai',
      logo_uri: 'https://opencode.ai/web-app-manifest-512x512.png',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      ...codeAndRefresh,
      token_endpoint_auth_method: 'none',
      token_endpoint_auth_methods_supported: ['none'],
    },
    callbacks: ['http://127.0.0.1:19876/callback', 'http://localhost:19876/callback'],
  },
];

/**
 * ChatGPT signs an assertion for each request to a server that knows private_key_jwt. The first document is the one of all connectors,
 * the second that of one connector.
 */
export const chatgptKeys = 'https://chatgpt.com/oauth/jwks.json';
export const chatgptDocuments = [
  ['https://chatgpt.com/oauth/client.json', 'https://chatgpt.com/connector_platform_oauth_redirect'],
  ['https://chatgpt.com/oauth/m1x2/client.json', 'https://chatgpt.com/connector/oauth/m1x2'],
].map(([client_id = '', callback = '']) => ({
  callback,
  document: {
    client_id,
    client_name: 'ChatGPT',
    client_uri: 'https://chatgpt.com',
    redirect_uris: [callback],
    ...codeAndRefresh,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: chatgptKeys,
  },
}));

export const mcpBodies: readonly (McpClient & { body: Record<string, unknown> })[] = [
  {
    // fetchDynamicRegistration in src/vs/base/common/oauth.ts in microsoft/vscode
    name: 'Visual Studio Code',
    body: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      ...codeAndRefresh,
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    callbacks: ['http://127.0.0.1:50004/', 'https://insiders.vscode.dev/redirect'],
  },
  {
    // quoted in erp-mafia/accounted#2225 and soflyy/agent-connector-for-wp#111
    name: 'Cursor',
    body: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ...codeAndRefresh,
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['http://localhost:8787/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'],
  },
  {
    // client/src/lib/auth.ts in modelcontextprotocol/inspector, whose scope is empty if the server states none
    name: 'MCP Inspector',
    body: {
      redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
      token_endpoint_auth_method: 'none',
      ...codeAndRefresh,
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      scope: '',
    },
    callbacks: ['http://localhost:6274/oauth/callback', 'http://localhost:6280/oauth/callback/debug'],
  },
  {
    // elmohq/elmo#684, which captured the registrations of Claude, Claude Code and Codex
    name: 'Claude',
    body: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      ...codeAndRefresh,
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['https://claude.ai/api/mcp/auth_callback'],
  },
  {
    name: 'Claude Code',
    body: {
      client_name: 'Claude Code',
      application_type: 'native',
      redirect_uris: ['http://localhost:3118/callback'],
      ...codeAndRefresh,
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['http://localhost:3118/callback', 'http://localhost:60351/callback'],
  },
  {
    name: 'Codex',
    body: {
      client_name: 'Codex',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:37819/callback/abc123'],
      ...codeAndRefresh,
      token_endpoint_auth_method: 'none',
    },
    callbacks: ['http://127.0.0.1:37820/callback/abc123'],
  },
];
