import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { launchBrowser, skip as withoutChromium } from '../browser/chromium.ts';
import { Browser } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { password } from '../support/latchkey.ts';
import { skip as skipApache, startApache } from './apache.ts';
import { skip as skipGo, startGo } from './go.ts';
import { skip as skipJava, startSpring } from './java.ts';
import { load } from './library.ts';
import {
  askWhoAmI,
  createProvider,
  createTransport,
  skip as skipMcp,
  startMcpServer,
  UnauthorizedError,
} from './mcp.ts';
import { skip as skipNginx, startNginx } from './nginx.ts';
import { signInAndAllow, signInAndDeny } from './person.ts';
import { type ClientProgram, directoryOfPrograms, startProgram } from './program.ts';
import { interpreter, skip as skipPython, skipWithout, startPython } from './python.ts';

/** A program of the developer console that a test has saved, and what else is needed to use it. */
interface Saved {
  file: string;
  env: Record<string, string>;
  /** where it answers, if it does */
  application: string;
  client_id: string;
  /** obtains an access token of its client */
  obtainToken: (request?: Record<string, string>) => Promise<unknown>;
  issuer: string;
  /** registers a resource with the scopes beside those of the photo printer, whose server asks about tokens as the photo printer */
  register: (resource: string, changes?: { scopes: string[]; client_id: string }) => Promise<void>;
}

interface Snippet {
  skip: string | boolean;
  file: string;
  /** the path of a redirection URI that the library can use, if that is not any path */
  callback?: string;
  needs_secret?: boolean;
  needs_public?: boolean;
  /** beside those of the photo printer */
  scope?: string;
  use: (saved: Saved) => Promise<void>;
  /** starts a program that guards an API, and returns an address of the API */
  guard?: (saved: Guarding) => Promise<string>;
  /** how the API is called, if not by GET */
  call?: (address: string, headers: Record<string, string>) => Promise<Response>;
  /** whether the API takes tokens for its resource only */
  is_resource?: boolean;
  /**
   * starts a client that signs in as often as it is called; `follow` opens the link. What the person is shown, and what was written
   */
  signIn?: (saved: SigningIn) => Promise<(follow: Follow) => Promise<string>>;
}

type Guarding = Pick<Saved, 'file' | 'env'>;
export interface SigningIn extends Guarding, Pick<Saved, 'application'> {
  /** the address of an MCP server */
  resource: string;
}
/** From the link of a program to the address at which the browser ends. */
export type Follow = (link: string) => Promise<string>;

/** In a directory of its own. */
const saving = directoryOfPrograms();
export function saveProgram(file: string, text: string): string {
  const path = join(mkdtempSync(join(saving, 'program-')), file);
  writeFileSync(path, text);
  return path;
}

const startNode = ({ file, env }: Guarding) => startProgram(process.execPath, [file], { env });

const startShell = ({ file, env }: Guarding) => startProgram('sh', [file], { env });
const startGoFile = ({ file, env }: Guarding) => startGo(file, env);
const startLogin = ({ file, env }: Guarding) => startSpring('Login.java', file, env);
const startMcpClient = ({ file, env, resource }: Guarding & { resource: string }) =>
  startProgram(process.execPath, [file, resource], { env });
// the programs set these themselves where there is no TLS
const startPythonAlone = ({ file, env }: Guarding) =>
  startPython(file, { ...env, AUTHLIB_INSECURE_TRANSPORT: '', OAUTHLIB_INSECURE_TRANSPORT: '' });

/** Opens the link that the program writes, and types the address where the browser ends. */
async function useInTerminal(program: ClientProgram): Promise<void> {
  const [, link = ''] = await program.said(/Open (http\S+)\n/);
  program.type((await signInAndAllow(link)).href);
  await program.said(/\busername\W+alice\b/);
}

/** What a program writes where it was found, which is not for whoever reads why they were refused. */
const trace = /^\s+at |goroutine|panic|Traceback|Error:|File "/m;

/** Types the address that is made of the program's link, and expects a refusal in a sentence, after which it ends. */
async function refuse(program: ClientProgram, answer: (link: string) => Promise<URL>, sentence: RegExp): Promise<void> {
  const [, link = ''] = await program.said(/Open (http\S+)\n/);
  program.type((await answer(link)).href);
  const written = await program.ended();
  assert.match(written, sentence);
  assert.doesNotMatch(written, trace);
  assert.doesNotMatch(written, /alice/);
}

/** An answer to the request of a link, with a code that nobody issued. */
function invent(link: string, iss: string): URL {
  const request = new URL(link).searchParams;
  const answer = new URL(request.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries({ code: 'invented', state: request.get('state') ?? '', iss })) {
    answer.searchParams.append(name, value);
  }
  return answer;
}

const denied = /The request was refused: access_denied \(the person refused\)\n/;
const denyInTerminal = (program: ClientProgram) => refuse(program, signInAndDeny, denied);

/** So do a wrong secret or code, and the answer of another server. */
async function refuseInTerminal(start: (saved: Saved) => ClientProgram, saved: Saved): Promise<void> {
  await denyInTerminal(start(saved));
  const { CLIENT_SECRET } = saved.env;
  const withWrongSecret = { ...saved, env: { ...saved.env, ...(CLIENT_SECRET && { CLIENT_SECRET: 'wrong' }) } };
  const code = CLIENT_SECRET ? /invalid_client/ : /invalid_grant/;
  await refuse(start(withWrongSecret), async (link) => invent(link, saved.issuer), code);
  const notTheAnswer = /this response does not belong to the request|unexpected "iss"/;
  await refuse(start(saved), async (link) => invent(link, 'https://attacker.example'), notTheAnswer);
}

async function refuseAndUse(start: (saved: Saved) => ClientProgram, saved: Saved): Promise<void> {
  await refuseInTerminal(start, saved);
  await useInTerminal(start(saved));
}

/** Uses a program that listens for the browser by itself. */
async function useListening(saved: Saved): Promise<void> {
  const listening = startPythonAlone(saved);
  const [, denyingLink = ''] = await listening.said(/Open (http\S+)\n/);
  assert.match(await (await fetch(await signInAndDeny(denyingLink))).text(), /^Go back to the program\.$/);
  const written = await listening.ended();
  assert.match(written, denied);
  assert.doesNotMatch(written, trace);
  const program = startPythonAlone(saved);
  const [, link = ''] = await program.said(/Open (http\S+)\n/);
  assert.match(await (await fetch(await signInAndAllow(link))).text(), /^Go back to the program\.$/);
  await program.said(/\busername\W+alice\b/);
}

/** Opens the program's own address, and follows it to the page for a person who has signed in. */
async function useInBrowser({ application }: Saved): Promise<void> {
  const browser = new Browser(application);
  const start = await browser.visit('/');
  const { location = '' } = start.location ? start : await browser.submit(start, 'type="submit"');
  const callback = await signInAndAllow(location);
  assert.match((await browser.visit(callback.href)).text, /alice/);
}

/** Auth.js tells a person in its own words, and the log without a stack trace; its session has sub, which it forgets by itself. */
async function useAuthJs(saved: Saved): Promise<void> {
  const program = startNode(saved);
  await program.said(/Open http/);
  const browser = new Browser(saved.application);
  const signIn = async () => {
    const page = await browser.visit('/auth/signin');
    assert.match(page.text, /Sign in with Latchkey/);
    return (await browser.submit(page, 'type="submit"')).location ?? '';
  };
  await browser.visit(`${await signInAndDeny(await signIn())}`);
  await program.said(/^OAuth Provider returned an error\./m);
  await browser.visit(`${invent(await signIn(), saved.issuer)}`);
  await program.said(/^The request was refused: invalid_grant \(.+\)$/m);
  const { text } = await browser.visit(`${await signInAndAllow(await signIn())}`);
  assert.match(text, /^\{"name":"alice Liddell","email":"alice@example\.com","id":"\d+"\}$/);
  assert.doesNotMatch(program.written(), trace);
}

/** Whoever presses Deny reads that, and other errors are no stack trace, either. */
async function refuseAtServer({ application, issuer }: Saved): Promise<void> {
  const browser = new Browser(application);
  const read = async (make: (link: string) => URL | Promise<URL>) =>
    (await browser.visit(`${await make((await browser.visit('/')).location ?? '')}`)).text;
  assert.match(await read(signInAndDeny), /^The request was refused: access_denied \(the person refused\)$/);
  const answer = (query: Record<string, string>) => () =>
    new URL(`${application}/callback?${new URLSearchParams({ iss: issuer, ...query })}`);
  const markup = '<b>no</b>';
  const page = await fetch(answer({ error: 'invalid_scope', error_description: markup })());
  assert.match(page.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(await page.text(), `The request was refused: invalid_scope (${markup})`);
  assert.equal(await read(answer({ iss: 'https://attacker.example' })), 'this response does not belong to the request');
  assert.match(await read((link) => invent(link, issuer)), /^The request was refused: invalid_grant \(.+\)$/);
}

/** Whoever has signed in is known by a session that did not exist before, until they sign out. */
async function useWithSession({ application }: Saved): Promise<void> {
  const browser = new Browser(application);
  const session = () => browser.cookies().get('connect.sid');
  const { location = '' } = await browser.visit('/');
  const before = session();
  await browser.visit(`${await signInAndAllow(location)}`);
  assert.ok(before !== undefined && session() !== before);
  const page = await browser.visit('/');
  assert.match(page.text, /^Signed in as alice </);
  assert.equal((await browser.submit(page, 'Sign out')).text, 'Signed out');
  assert.notEqual((await browser.visit('/')).location, undefined, 'nobody is signed in');
}

/** The API behind a proxy: its answer, and where it answers. */
async function startApi(): Promise<{ port: number }> {
  const api = createServer((_req, res) => res.end('the answer of the API')).listen(0, '127.0.0.1');
  await once(api, 'listening');
  after(() => api.close());
  return api.address() as AddressInfo;
}

/** Whoever has a token of the application gets an answer that matches; nobody else does. */
async function callApi(address: string, { obtainToken }: Saved, expected: RegExp): Promise<void> {
  const call = (authorization?: string) => fetch(address, { headers: authorization ? { authorization } : {} });
  assert.match(await (await call(`Bearer ${await obtainToken()}`)).text(), expected);
  for (const other of [undefined, 'Bearer invented', 'Bearer lk_at_x&client_id=y', 'Basic YTpi']) {
    const { status, headers } = await call(other);
    assert.equal(status, 401, other);
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer/i);
  }
}

/** Apache stands in front of an API, which is at another port here. */
async function guardByApache({ file, env }: Guarding): Promise<string> {
  const { port } = await startApi();
  const apache = await startApache(readFileSync(file, 'utf8').replace(':8000/', `:${port}/`), env);
  return `${apache}/api/x`;
}

async function guardByNginx({ file, env }: Guarding): Promise<string> {
  const { port } = await startApi();
  const template = readFileSync(file, 'utf8');
  const [, command = ''] = /^# (\w+=[^\n]*\n# sed .*)\/etc\/nginx\/conf\.d\/api\.conf$/m.exec(template) ?? [];
  await promisify(execFile)('sh', ['-c', `${command.replace('\n# ', '\n')}api.conf`], { cwd: dirname(file), env });
  const conf = readFileSync(join(dirname(file), 'api.conf'), 'utf8');
  return `${await startNginx(conf.replace(':8000;', `:${port};`))}/api/x`;
}

/** FastAPI is the API itself; the address of its example. */
export async function guardByFastApi({ file, env }: Guarding): Promise<string> {
  const port = await findFreePort();
  const options = ['-m', 'uvicorn', 'api:app', '--port', String(port)];
  const api = startProgram(interpreter, options, { cwd: dirname(file), env });
  await api.said(/Uvicorn running/);
  return `http://127.0.0.1:${port}/api/me`;
}

/** So is a server of Node, at a free port. */
export async function guardByNode({ file, env }: Guarding): Promise<string> {
  const port = String(await findFreePort());
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('8000', port));
  await startNode({ file, env }).said(/Listening at/);
  return `http://127.0.0.1:${port}/api/me`;
}

const guarding = (guard: (saved: Guarding) => Promise<string>, expected: RegExp) => ({
  needs_secret: true,
  guard,
  use: async (saved: Saved) => callApi(await guard(saved), saved, expected),
});

/** An MCP server is the API itself; the address at which its clients find it. */
async function guardByMcpServer(start: (saved: Guarding) => ClientProgram, { file, env }: Guarding): Promise<string> {
  const port = String(await findFreePort());
  const program = readFileSync(file, 'utf8').replaceAll(/(?<=localhost:|listen\(|port=)\d+/g, port);
  writeFileSync(file, program);
  await start({ file, env }).said(/Listening for|Uvicorn running/);
  const [, resource = ''] = /^(?:const )?resource = "(.+)";?$/m.exec(program) ?? [];
  return `http://localhost:${port}${new URL(resource).pathname}`;
}

function initialize(address: string, headers: Record<string, string>): Promise<Response> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

/** A client that knows only the address of the MCP server signs a person in; a token with too few scopes is told what it lacks. */
async function useMcpServer(address: string, saved: Saved): Promise<void> {
  const { application, client_id, env, issuer, obtainToken, register } = saved;
  await register(address, { scopes: ['user'], client_id });
  const metadata = address.replace('/mcp', '/.well-known/oauth-protected-resource/mcp');
  const { resource, authorization_servers, scopes_supported } = await (await fetch(metadata)).json();
  const servers = authorization_servers.map((one: string) => one.replace(/\/$/, ''));
  assert.deepEqual([resource, servers, scopes_supported], [address, [issuer], ['user:name']]);

  const provider = createProvider(`${application}/callback`);
  const client_secret = env['CLIENT_SECRET'];
  const client = { client_id, client_secret, token_endpoint_auth_method: 'client_secret_post' };
  provider.saveClientInformation(client);
  await assert.rejects(askWhoAmI(address, provider), UnauthorizedError);
  const link = provider.kept.link ?? assert.fail('no link to sign in');
  assert.deepEqual([link.searchParams.get('resource'), link.searchParams.get('scope')], [address, 'user:name']);
  const code = (await signInAndAllow(link)).searchParams.get('code');
  await createTransport(address, provider).finishAuth(code);
  assert.match(await askWhoAmI(address, provider), /^\d+$/);

  const challenged = async (authorization?: string) => {
    const { status, headers } = await initialize(address, authorization === undefined ? {} : { authorization });
    return { status, challenge: headers.get('www-authenticate') ?? '' };
  };
  const nobody = await challenged();
  assert.equal(nobody.status, 401);
  const lacking = await challenged(`Bearer ${await obtainToken({ resource: address, scope: 'user:email' })}`);
  assert.equal(lacking.status, 403);
  assert.match(lacking.challenge, /^Bearer error="insufficient_scope"/);
  for (const { challenge } of [nobody, lacking]) {
    assert.ok(challenge.includes(`resource_metadata="${metadata}"`), challenge);
    assert.match(challenge, /scope="user:name"/);
  }
  const group = await obtainToken({ resource: address, scope: 'user' });
  assert.equal((await challenged(`Bearer ${group}`)).status, 200, 'the group contains it');
}

const servingMcp = (start: (saved: Guarding) => ClientProgram) => ({
  needs_secret: true,
  is_resource: true,
  call: initialize,
  guard: (saved: Guarding) => guardByMcpServer(start, saved),
  use: async (saved: Saved) => useMcpServer(await guardByMcpServer(start, saved), saved),
});

const modules = new URL('node_modules/', import.meta.url);

/** Serves the page at its redirection URI, for a browser that it returns. */
async function servePage({ file, application }: Pick<Saved, 'file' | 'application'>) {
  const server = createServer((req, res) => {
    const [, script] = /^\/node_modules\/(.*)$/.exec(req.url ?? '') ?? [];
    res.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    res.end(readFileSync(script ? new URL(script, modules) : file));
  });
  await once(server.listen(Number(new URL(application).port), '127.0.0.1'), 'listening');
  const chromium = await launchBrowser();
  after(() => Promise.all([chromium.close(), server.close().closeAllConnections()]));
  return () => chromium.newPage();
}

async function useInPage(saved: Saved): Promise<void> {
  const page = await (await servePage(saved))();
  await page.goto(saved.application);
  await page.click('#sign-in');
  await page.fill('#username', 'alice');
  await page.fill('#password', password);
  await page.click('#login');
  await page.click('#deny');
  await page.waitForSelector('#output:text("The request was refused: access_denied (the person refused)")');
  await page.waitForFunction('location.search === ""');
  await page.click('#sign-in');
  await page.click('#allow');
  await page.waitForSelector('#output:text("alice")');
  assert.equal(new URL(page.url()).search, '', 'no code stays in the address');
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  assert.doesNotMatch(String(stored), /lk_[ar]t_/);
}

const inTerminal =
  (start: (saved: SigningIn) => ClientProgram) => async (saved: SigningIn) => async (follow: Follow) => {
    const program = start(saved);
    const opening = program.said(/Open (http\S+)\n/).then(([, link = '']) => follow(link));
    // it may refuse before there is a link
    await opening.then(program.type, () => {});
    return program.ended();
  };

const atSite = (start: (saved: SigningIn) => ClientProgram | Promise<ClientProgram>) => async (saved: SigningIn) => {
  const program = await start(saved);
  await program.said(/Open http|Started \w+ in/);
  return async (follow: Follow) => {
    const browser = new Browser(saved.application);
    const start = await browser.visit('/');
    const { location = '' } = start.location ? start : await browser.submit(start, 'type="submit"');
    const before = program.written().length;
    const { text } = await browser.visit(await follow(location));
    return text + program.written().slice(before);
  };
};

async function inPage({ file, application }: SigningIn) {
  const open = await servePage({ file, application });
  return async () => {
    const page = await open();
    await page.goto(application);
    await page.click('#sign-in');
    await page.waitForSelector('#output:not(:empty)');
    const shown = await page.textContent('#output');
    await page.close();
    return String(shown);
  };
}

async function useMcp({ file, env, issuer, register }: Saved): Promise<void> {
  const server = await startMcpServer(issuer, register);
  const saved = { file, env, resource: server };
  await denyInTerminal(startMcpClient(saved));
  const program = startMcpClient(saved);
  const [, link = ''] = await program.said(/Open (http\S+)\n/);
  program.type((await signInAndAllow(link)).href);
  await program.said(/name: 'whoami'/);
}

const hasCurl = ['/usr/bin/curl', '/usr/bin/openssl'].every((path) => existsSync(path));

/** By the name of the library in the address of its page. */
export const snippets: Record<string, Snippet> = {
  curl: {
    skip: !process.env['CI'] && !hasCurl && 'needs curl and openssl',
    file: 'client.sh',
    use: (saved) => refuseAndUse(startShell, saved),
    signIn: inTerminal(startShell),
  },
  'openid-client': {
    skip: (await load('openid-client')).skip,
    file: 'client.mjs',
    use: (saved) => refuseAndUse(startNode, saved),
    signIn: inTerminal(startNode),
  },
  'passport-oauth2': {
    skip: (await load('passport-oauth2')).skip,
    file: 'server.mjs',
    callback: '/callback',
    async use(saved) {
      await startNode(saved).said(/Open http/);
      await refuseAtServer(saved);
      await useWithSession(saved);
    },
    signIn: atSite(startNode),
  },
  'auth-js': {
    skip: (await load('@auth/express')).skip,
    file: 'server.mjs',
    callback: '/auth/callback/latchkey',
    use: useAuthJs,
    signIn: atSite(startNode),
  },
  authlib: {
    skip: skipPython,
    file: 'client.py',
    use: (saved) => refuseAndUse(startPythonAlone, saved),
    signIn: inTerminal(startPythonAlone),
  },
  'requests-oauthlib': {
    skip: skipPython,
    file: 'client.py',
    use: useListening,
    signIn: inTerminal(startPythonAlone),
  },
  'x-oauth2': {
    skip: skipGo,
    file: 'main.go',
    use: (saved) => refuseAndUse(startGoFile, saved),
    signIn: inTerminal(startGoFile),
  },
  spring: {
    skip: skipJava,
    file: 'application.properties',
    callback: '/login/oauth2/code/latchkey',
    async use(saved) {
      await startLogin(saved);
      await useInBrowser(saved);
    },
    signIn: atSite(startLogin),
  },
  fetch: {
    skip: withoutChromium,
    file: 'index.html',
    callback: '/',
    needs_public: true,
    use: useInPage,
    signIn: inPage,
  },
  'oidc-client-ts': {
    skip: withoutChromium || (await load('oidc-client-ts')).skip,
    file: 'index.html',
    callback: '/',
    needs_public: true,
    use: useInPage,
    signIn: inPage,
  },
  'mcp-sdk': { skip: skipMcp, file: 'mcp.mjs', scope: 'mcp:tools', use: useMcp, signIn: inTerminal(startMcpClient) },
  node: { skip: false, file: 'api.mjs', ...guarding(guardByNode, /^\{"sub":"\d+","scope":".*user/) },
  fastapi: {
    skip: skipWithout('fastapi, httpx, uvicorn'),
    file: 'api.py',
    ...guarding(guardByFastApi, /^\{"sub":"\d+","scope":".*user/),
  },
  'mcp-server': { skip: skipMcp, file: 'mcp-server.mjs', ...servingMcp(startNode) },
  'mcp-server-python': {
    skip: skipMcp || skipWithout('mcp, httpx, uvicorn'),
    file: 'mcp_server.py',
    ...servingMcp(startPythonAlone),
  },
  apache: { skip: skipApache, file: 'api.conf', ...guarding(guardByApache, /^the answer of the API$/) },
  nginx: { skip: skipNginx, file: 'api.conf.template', ...guarding(guardByNginx, /^the answer of the API$/) },
};
