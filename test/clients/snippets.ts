import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Browser } from '../support/browser.ts';
import { scratch } from '../support/process.ts';
import { skip as skipApache, startApache } from './apache.ts';
import { skip as skipGo, startGo } from './go.ts';
import { skip as skipJava, startSpring } from './java.ts';
import { load } from './library.ts';
import { signInAndAllow } from './person.ts';
import { type ClientProgram, startProgram } from './program.ts';
import { skip as skipPython, startPython } from './python.ts';

/** A program of the developer console that a test has saved, and what else is needed to use it. */
interface Saved {
  file: string;
  env: Record<string, string>;
  /** where it answers, if it does */
  application: string;
  /** obtains an access token of its client */
  obtainToken: () => Promise<unknown>;
}

interface Snippet {
  skip: string | boolean;
  file: string;
  /** the path of a redirection URI that the library can use, if that is not any path */
  callback?: string;
  needs_secret?: boolean;
  use: (saved: Saved) => Promise<void>;
}

// where programs in JavaScript find their libraries
symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(scratch, 'node_modules'));
const startNode = ({ file, env }: Saved) => startProgram(process.execPath, [file], { env });

// the programs set these themselves where there is no TLS
const startPythonAlone = ({ file, env }: Saved) =>
  startPython(file, { ...env, AUTHLIB_INSECURE_TRANSPORT: '', OAUTHLIB_INSECURE_TRANSPORT: '' });

/** Opens the link that the program writes, and types the address where the browser ends. */
async function useInTerminal(program: ClientProgram): Promise<void> {
  const [, link = ''] = await program.said(/Open (http\S+)\n/);
  program.type((await signInAndAllow(link)).href);
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

async function useServer(saved: Saved): Promise<void> {
  await startNode(saved).said(/Open http/);
  await useInBrowser(saved);
}

/** Apache stands in front of an API, which is at another port here. */
async function useApache({ file, env, obtainToken }: Saved): Promise<void> {
  const api = createServer((_req, res) => res.end('the answer of the API')).listen(0, '127.0.0.1');
  await once(api, 'listening');
  after(() => api.close());
  const { port } = api.address() as AddressInfo;
  const apache = await startApache(readFileSync(file, 'utf8').replace(':8000/', `:${port}/`), env);
  const call = (token: unknown) => fetch(`${apache}/api/x`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(await (await call(await obtainToken())).text(), 'the answer of the API');
  assert.equal((await call('invented')).status, 401);
}

const hasCurl = ['/usr/bin/curl', '/usr/bin/openssl'].every((path) => existsSync(path));

/** By the name of the library in the address of its page. */
export const snippets: Record<string, Snippet> = {
  curl: {
    skip: !process.env['CI'] && !hasCurl && 'needs curl and openssl',
    file: 'client.sh',
    use: ({ file, env }) => useInTerminal(startProgram('sh', [file], { env })),
  },
  'openid-client': {
    skip: (await load('openid-client')).skip,
    file: 'client.mjs',
    use: (saved) => useInTerminal(startNode(saved)),
  },
  'passport-oauth2': {
    skip: (await load('passport-oauth2')).skip,
    file: 'server.mjs',
    callback: '/callback',
    use: useServer,
  },
  'auth-js': {
    skip: (await load('@auth/express')).skip,
    file: 'server.mjs',
    callback: '/auth/callback/latchkey',
    use: useServer,
  },
  authlib: { skip: skipPython, file: 'client.py', use: (saved) => useInTerminal(startPythonAlone(saved)) },
  'requests-oauthlib': { skip: skipPython, file: 'client.py', use: (saved) => useInTerminal(startPythonAlone(saved)) },
  'x-oauth2': { skip: skipGo, file: 'main.go', use: ({ file, env }) => useInTerminal(startGo(file, env)) },
  spring: {
    skip: skipJava,
    file: 'application.properties',
    callback: '/login/oauth2/code/latchkey',
    async use(saved) {
      await startSpring('Login.java', saved.file, saved.env);
      await useInBrowser(saved);
    },
  },
  apache: { skip: skipApache, file: 'api.conf', needs_secret: true, use: useApache },
};
