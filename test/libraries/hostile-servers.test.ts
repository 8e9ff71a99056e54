// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { libraries } from '../../src/registration/programs/libraries.ts';
import type { Library } from '../../src/registration/programs/library.ts';
import { findFreePort } from '../support/free-port.ts';
import { openServer } from './application.ts';
import { startMcpServer } from './mcp.ts';
import { type Follow, saveProgram, snippets } from './snippets.ts';

// Every program of the developer console that signs a person in, against a server that answers something else than ours would.

interface Answers {
  /** the query of the redirect back to the application */
  redirect?: Record<string, string>;
  metadata?: Record<string, string>;
  /** status and body of the answer of /user; none where the connection ends */
  user?: [number, object] | undefined;
}

const person = { id: 1, sub: '1', username: 'alice', name: 'alice' };
const { sub: _, ...withoutSub } = person;
const attacker = 'https://attacker.example';
const invalid = { error: 'invalid_token', error_description: 'the token is not active' };

/** What a server answers that is not ours, or that refuses; then nobody has signed in. */
const hostile: Record<string, Answers & { never: RegExp }> = {
  'the answer of another issuer [9207 §2.4]': { redirect: { iss: attacker }, never: /^\/token/ },
  'a refusal by the person': { redirect: { code: '', error: 'access_denied' }, never: /^\/token/ },
  'metadata of another issuer [8414 §3.3]': { metadata: { issuer: attacker }, never: /^\/token/ },
  'a refusal in place of the profile': { user: [403, { ...invalid, ...person }], never: /^$/ },
  'an error in place of the profile': { user: [200, invalid], never: /^$/ },
  'a profile without sub': { user: [200, withoutSub], never: /^$/ },
  'a connection that ends': { user: undefined, never: /^$/ },
};

/** Spring Security compares no `iss`; each of its providers has a redirection URI of its own instead [9700 §4.4.2.2]. */
const comparesNoIssuer = new Set(['spring']);

async function startFake() {
  const { origin, answer } = await openServer();
  const state: { answers: Answers; asked: string[] } = { answers: {}, asked: [] };
  let aud: string | null = null;
  const metadata = {
    ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
    ...{ userinfo_endpoint: `${origin}/user`, registration_endpoint: `${origin}/register`, jwks_uri: `${origin}/jwks` },
    ...{ response_types_supported: ['code'], grant_types_supported: ['authorization_code', 'refresh_token'] },
    ...{ token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'] },
    ...{ code_challenge_methods_supported: ['S256'], authorization_response_iss_parameter_supported: true },
  };
  const tokens = { access_token: 'lk_at_x', token_type: 'Bearer', expires_in: 3600, scope: 'user' };
  const json = (res: ServerResponse, [status, body]: [number, object]) => {
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const routes: Record<string, (res: ServerResponse, query: URLSearchParams) => void> = {
    '/.well-known/oauth-authorization-server': (res) => json(res, [200, { ...metadata, ...state.answers.metadata }]),
    '/authorize': (res, query) => {
      aud = query.get('resource');
      const back = new URL(query.get('redirect_uri') ?? '');
      const all = { code: 'lk_ac_x', state: query.get('state') ?? '', iss: origin, ...state.answers.redirect };
      for (const [name, value] of Object.entries(all)) if (value) back.searchParams.set(name, value);
      res.writeHead(302, { Location: back.href }).end();
    },
    '/token': (res) => json(res, [200, tokens]),
    '/introspect': (res) => json(res, [200, { active: true, ...tokens, scope: 'mcp:tools', aud, sub: '1', exp: 2e9 }]),
    '/user': (res) => {
      const { user } = { user: [200, person] as [number, object], ...state.answers };
      if (user) json(res, user);
      else res.destroy();
    },
  };
  answer((req: IncomingMessage, res: ServerResponse) => {
    const { pathname, searchParams } = new URL(req.url ?? '', origin);
    state.asked.push(pathname);
    for (const name of ['Origin', 'Headers']) res.setHeader(`Access-Control-Allow-${name}`, '*');
    res.setHeader('Access-Control-Allow-Headers', 'authorization, content-type');
    if (req.method === 'OPTIONS') return void res.end();
    const respond = routes[pathname] ?? ((one: ServerResponse) => json(one, [404, {}]));
    respond(res, searchParams);
  });
  return { origin, metadata, state };
}

const follow: Follow = async (link) => (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? '';

/** The program for a client of that server; each call of what it returns signs in. */
async function startClient(
  { id, file, program, answers_at, is_in_browser = false }: Library,
  issuer: string,
  resource = '',
) {
  const { signIn, callback } = snippets[id] ?? assert.fail(`no test starts the program for ${id}`);
  const application = `http://127.0.0.1:${await findFreePort()}`;
  const text = program({
    ...{ issuer, client_id: 'my-application', scope: 'user', needed: ['user'], brand: 'Latchkey', audiences: [] },
    // where a program would listen for itself, it is pasted
    redirect_uri: answers_at ? application + (callback ?? answers_at.path) : 'https://app.example/callback',
    is_public: is_in_browser,
  });
  const env = { PATH: process.env['PATH'] ?? '', CLIENT_SECRET: 'the-secret' };
  const saved = { file: saveProgram(file, text), env, application, resource };
  return (signIn ?? assert.fail(id))(saved);
}

const signedIn = /alice|whoami/;
const startMcp = (issuer: string) => startMcpServer(issuer, async () => {});

for (const library of libraries) {
  if (library.needs_secret) continue;
  const { id } = library;
  const skip = snippets[id]?.skip ?? false;

  test(`${id}: nobody signs in by what another server, or a refusal, answers`, { skip }, async (t) => {
    const { origin, state } = await startFake();
    const resource = id === 'mcp-sdk' ? await startMcp(origin) : '';
    // a program at a site runs on, so the next person must be able to sign in
    const signIn = await startClient(library, origin, resource);
    const attempt = async (answers: Answers = {}) => {
      Object.assign(state, { answers, asked: [] });
      return signIn(follow);
    };
    assert.match(await attempt(), signedIn);
    for (const [name, { never, ...answers }] of Object.entries(hostile)) {
      await t.test(name, async () => {
        const text = await attempt(answers);
        const isSpoilt =
          ('redirect' in answers && !(answers.redirect?.['iss'] && comparesNoIssuer.has(id))) ||
          ('user' in answers && state.asked.includes('/user')) ||
          ('metadata' in answers && state.asked.some((path) => path.startsWith('/.well-known/')));
        if (isSpoilt) {
          assert.doesNotMatch(text, signedIn);
          if ('redirect' in answers) assert.doesNotMatch(text, /^\s+at |goroutine|panic|Traceback/m);
          assert.deepEqual(
            state.asked.filter((path) => never.test(path)),
            [],
          );
        }
        assert.match(await attempt(), signedIn);
      });
    }
  });
}

test('mcp-sdk: what belongs to one authorization server is never sent to the one that an MCP server names [9700 §4.4]', {
  skip: snippets['mcp-sdk']?.skip ?? false,
}, async () => {
  const [rightful, foreign] = [await startFake(), await startFake()];
  const library = libraries.find(({ id }) => id === 'mcp-sdk') ?? assert.fail();
  const { authorization_endpoint } = rightful.metadata;
  for (const metadata of [{}, { authorization_endpoint }]) {
    foreign.state.answers = { metadata };
    const signIn = await startClient(library, rightful.origin, await startMcp(foreign.origin));
    assert.doesNotMatch(await signIn(follow), signedIn);
  }
  assert.deepEqual(new Set(foreign.state.asked), new Set(['/.well-known/oauth-authorization-server']));
  assert.deepEqual(rightful.state.asked, []);
});
