import { encodePathSegment } from '../../web/client-path.ts';
import {
  inApache,
  inGo,
  inJavascript,
  inNginx,
  inPython,
  inShell,
  inSpringProperties,
  inWebPage,
} from '../console/source-text.ts';
import { authorizationPath, type Connection, type Library, library } from './library.ts';

/** The port at which a program answers: the port of a local redirection URI, otherwise a port behind a proxy with TLS. */
function portOf(redirect_uri: string): number {
  const { protocol, port } = new URL(redirect_uri);
  return protocol === 'http:' ? Number(port || 80) : 8080;
}

/** What a program with pages says when it runs: a public address leads to it only through a proxy. */
function opening(redirect_uri: string): string {
  const isLocal = redirect_uri.startsWith('http:');
  return `Open ${new URL('/', redirect_uri)}${isLocal ? '' : `, which your proxy passes on to port ${portOf(redirect_uri)}`}`;
}

/** The Python libraries refuse addresses without TLS, also as the redirection URI of an app on a device. */
const usesTls = ({ issuer, redirect_uri }: Connection) =>
  [issuer, redirect_uri].every((uri) => uri.startsWith('https://'));

const isWebAddress = (redirect_uri: string) => redirect_uri.startsWith('http');

export const curl = library({
  id: 'curl',
  name: 'curl',
  file: 'client.sh',
  template: 'curl.sh',
  quoting: inShell,
  values: (connection) => ({ authorization_path: authorizationPath(connection), is_for_api: false }),
});

/** Only the documentation has it: gets a token for an API, which cannot read the profile. */
export const tokenForApi = library({
  id: 'token',
  name: 'curl',
  file: 'token.sh',
  template: 'curl.sh',
  quoting: inShell,
  values: (connection) => ({
    authorization_path: authorizationPath(connection, { resource: connection.audiences[0] ?? '' }),
    is_for_api: true,
  }),
});

export const openidClient = library({
  id: 'openid-client',
  name: 'openid-client',
  file: 'client.mjs',
  template: 'openid-client.mjs',
  quoting: inJavascript,
  // it sends the address that it was called at, without the query, as redirect_uri
  answers_at: {
    accepts: (redirect_uri) => !redirect_uri.includes('?') && new URL(redirect_uri).href === redirect_uri,
    path: '/callback',
  },
});

const withPassport = (id: string, asks_again: boolean) =>
  library({
    id,
    name: 'passport-oauth2',
    file: 'server.mjs',
    template: 'passport-oauth2.mjs',
    quoting: inJavascript,
    // in a path of Express, many other characters have a meaning
    answers_at: { accepts: (redirect_uri) => /^https?:\/\/[^/]+\/[\w./-]+$/.test(redirect_uri), path: '/callback' },
    values: ({ redirect_uri }) => ({
      path: new URL(redirect_uri).pathname,
      port: portOf(redirect_uri),
      opening: opening(redirect_uri),
      asks_again,
    }),
  });

export const passport = withPassport('passport-oauth2', false);

/** Only the documentation has it: before something important, it asks for a new sign-in. */
export const passportAsksAgain = withPassport('sign-in', true);

/** Where Auth.js answers: its base path, and the name of the provider. */
const authJsCallback = /^https?:\/\/[^/]+(\/[\w./-]+)\/callback\/([\w-]+)$/;

export const authJs = library({
  id: 'auth-js',
  name: 'Auth.js',
  file: 'server.mjs',
  template: 'auth-js.mjs',
  quoting: inJavascript,
  answers_at: { accepts: (redirect_uri) => authJsCallback.test(redirect_uri), path: '/auth/callback/latchkey' },
  values({ redirect_uri }) {
    const [, base_path = '', id = ''] = authJsCallback.exec(redirect_uri) ?? [];
    return { base_path, id, port: portOf(redirect_uri), opening: opening(redirect_uri) };
  },
});

const authlib = library({
  id: 'authlib',
  name: 'Authlib',
  file: 'client.py',
  template: 'authlib.py',
  quoting: inPython,
  values: (connection) => ({ uses_tls: usesTls(connection) }),
});

export const requestsOauthlib = library({
  id: 'requests-oauthlib',
  name: 'requests-oauthlib',
  file: 'client.py',
  template: 'requests-oauthlib.py',
  quoting: inPython,
  values: (connection) => ({ uses_tls: usesTls(connection), listener: listenerFor(connection.redirect_uri) }),
});

/** Where a program listens on this device: at 127.0.0.1 at any free port, because only the rest is compared there [8252 §7.3]. */
function listenerFor(redirect_uri: string): { host: string; port: number; path: string } | undefined {
  const [, host, path = ''] = /^http:\/\/(127\.0\.0\.1|localhost)(?::\d+)?(.*)$/.exec(redirect_uri) ?? [];
  return host === undefined ? undefined : { host, port: host === '127.0.0.1' ? 0 : portOf(redirect_uri), path };
}

export const xOauth2 = library({
  id: 'x-oauth2',
  name: 'golang.org/x/oauth2',
  file: 'main.go',
  template: 'x-oauth2.go',
  quoting: inGo,
});

/** Where Spring answers: the last segment is the name of the registration, which is part of the keys. */
const springCallback = /^https?:\/\/[^/]+\/login\/oauth2\/code\/([a-z][a-z0-9-]*)$/;

export const spring = library({
  id: 'spring',
  name: 'Spring Security',
  file: 'application.properties',
  template: 'spring.properties',
  quoting: inSpringProperties,
  answers_at: { accepts: (redirect_uri) => springCallback.test(redirect_uri), path: '/login/oauth2/code/latchkey' },
  values: ({ redirect_uri }) => ({ id: springCallback.exec(redirect_uri)?.[1] ?? '', port: portOf(redirect_uri) }),
});

export const fetchInPage = library({
  id: 'fetch',
  name: 'fetch',
  file: 'index.html',
  template: 'fetch.html',
  quoting: inWebPage,
  is_in_browser: true,
  answers_at: { accepts: isWebAddress, path: '/' },
  values: ({ redirect_uri }) => ({ port: portOf(redirect_uri) }),
});

export const oidcClientTs = library({
  id: 'oidc-client-ts',
  name: 'oidc-client-ts',
  file: 'index.html',
  template: 'oidc-client-ts.html',
  quoting: inWebPage,
  is_in_browser: true,
  answers_at: { accepts: isWebAddress, path: '/' },
  values: ({ redirect_uri }) => ({ port: portOf(redirect_uri) }),
});

export const mcpClient = library({
  id: 'mcp-sdk',
  name: 'MCP SDK, client',
  file: 'mcp.mjs',
  template: 'mcp-sdk.mjs',
  quoting: inJavascript,
});

/** An API that needs no package. */
export const nodeApi = library({
  id: 'node',
  name: 'Node',
  file: 'api.mjs',
  template: 'node.mjs',
  quoting: inJavascript,
  needs_secret: true,
});

export const fastapi = library({
  id: 'fastapi',
  name: 'FastAPI',
  file: 'api.py',
  template: 'fastapi.py',
  quoting: inPython,
  needs_secret: true,
});

export const exampleMcpResource = 'http://localhost:8000/mcp';

/** The address of an MCP server: the first resource of the client whose path Express takes literally, or an example. */
function mcpResource({ audiences }: Connection): { resource: string; port: number } {
  const resource = audiences.find((one) => /^https?:\/\/[^/]+\/[\w./-]*$/.test(one)) ?? exampleMcpResource;
  return { resource, port: portOf(resource) };
}

export const mcpServer = library({
  id: 'mcp-server',
  name: 'MCP SDK, server',
  file: 'mcp-server.mjs',
  template: 'mcp-server.mjs',
  quoting: inJavascript,
  needs_secret: true,
  values: mcpResource,
});

export const mcpServerInPython = library({
  id: 'mcp-server-python',
  name: 'MCP SDK, server',
  file: 'mcp_server.py',
  template: 'mcp_server.py',
  quoting: inPython,
  needs_secret: true,
  values: mcpResource,
});

/** Only the documentation has it: the console does not know which choice an application is for. */
export const choicesApi = library({
  id: 'choices-api',
  name: 'Node',
  file: 'api.mjs',
  template: 'choices-api.mjs',
  quoting: inJavascript,
  needs_secret: true,
});

export const modOauth2 = library({
  id: 'apache',
  name: 'mod_oauth2',
  file: 'api.conf',
  template: 'apache.conf',
  quoting: inApache,
  needs_secret: true,
  // the options are one argument that is written like a query
  values: ({ client_id }) => ({ encoded_id: encodePathSegment(client_id) }),
});

export const nginx = library({
  id: 'nginx',
  name: 'nginx',
  file: 'api.conf.template',
  template: 'nginx.conf',
  quoting: inNginx,
  needs_secret: true,
  // this path has no character with a meaning for a shell
  values: ({ client_id, issuer }) => ({ encoded_id: encodePathSegment(client_id), host: new URL(issuer).host }),
});

/** The first is shown when none was chosen and none fits better. */
export const libraries: readonly [Library, ...Library[]] = [
  curl,
  openidClient,
  passport,
  authJs,
  authlib,
  requestsOauthlib,
  xOauth2,
  spring,
  fetchInPage,
  oidcClientTs,
  mcpClient,
  nodeApi,
  fastapi,
  mcpServer,
  mcpServerInPython,
  modOauth2,
  nginx,
];
