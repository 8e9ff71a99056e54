import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api } from '../../src/portal/api.ts';
import { messages } from '../../src/portal/messages.ts';
import { errors } from '../../src/portal/reference.ts';
import { end } from '../../src/portal/tasks.ts';
import { basic, challenge, codeIn, getUser, signedInBrowser, verifier } from '../support/flow.ts';
import {
  printer,
  registerJwtResource,
  registerPeople,
  registerPrinter,
  registerResource,
  startLatchkey,
} from '../support/latchkey.ts';
import { shownProgram } from '../support/shown-program.ts';

const { origin, database, url } = await startLatchkey({ ACCESS_TOKEN_TTL: '1234', ACR_VALUES: 'bronze,gold' });
await registerPeople(database);
const application = {
  client_id: 'my-application',
  site_domain: 'localhost',
  redirect_uris: ['http://localhost:8080/callback'],
};
await registerPrinter(database, { ...application, client_secret: null, scopes: ['user'] });
const alice = await signedInBrowser(origin);

const read = async (path: string) => ({ text: await (await fetch(origin + path)).text(), url: path });
/** The page about messages, and those that have the messages of a refusal, of a revocation and of an introspection. */
const page = {
  text: (await Promise.all([messages, errors, end, api].map(({ path }) => read(path))))
    .map(({ text }) => text)
    .join('\n'),
  url: messages.path,
};
const plain = await read('/developer/docs.txt');
const shown = (id: string) => shownProgram(page, `code-${id}`);
const answerShown = (id: string) => JSON.parse(shown(id));

/** Sends a form of the page, with the secrets put in where it has their places. */
async function send(id: string, values: Record<string, string>) {
  const [headers = '', fields = ''] = shown(id).split('\n\n');
  const [, address = ''] = new RegExp(`data-copy="code-${id}"`).test(page.text)
    ? (new RegExp(`<code>POST ([^<]*)</code></h3>(?:(?!<h3>)[\\s\\S])*id="code-${id}"`).exec(page.text) ?? [])
    : [];
  let body = fields.replaceAll('\n', '');
  for (const [place, value] of Object.entries(values)) {
    assert.ok(body.includes(place), `${place} in ${body}`);
    body = body.replace(place, value);
  }
  const [name = '', value = ''] = headers.split(': ');
  const response = await fetch(address, { method: 'POST', headers: { [name]: value }, body });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** Follows the link of the page, and redeems the code as the page shows it. */
async function obtainTokens(form: Record<string, string> = {}) {
  const link = shown('authorization-request').replace('CHALLENGE', challenge);
  const consent = await alice.visit(`${link}&prompt=consent`);
  const back = await alice.submit(consent, 'id="allow"', form);
  const answered = new URL(back.location ?? '').searchParams;
  assert.deepEqual(
    [...answered.keys()],
    [...new URL(shown('authorization-answer').replace(/^Location: /, '')).searchParams.keys()],
  );
  return send('token-request', { 'lk_ac_…': codeIn(back), VERIFIER: verifier });
}

const keys = (answer: object) => Object.keys(answer).sort();

test('the requests of the page are answered as it shows: code, tokens, refresh, profile, revocation', async () => {
  const { status, body } = await obtainTokens();
  assert.equal(status, 200);
  assert.deepEqual(keys(answerShown('token-answer')), keys(body));
  const { expires_in, refresh_token_expires_in, scope, token_type } = answerShown('token-answer');
  assert.deepEqual(
    { expires_in, refresh_token_expires_in, scope, token_type },
    {
      ...{ expires_in: body.expires_in, refresh_token_expires_in: body.refresh_token_expires_in },
      ...{ scope: body.scope, token_type: body.token_type },
    },
  );
  const user = await getUser(origin, body.access_token);
  assert.deepEqual(keys(answerShown('user-answer')), keys(user.body));
  const refreshed = await send('refresh-request', { 'lk_rt_…': body.refresh_token });
  assert.deepEqual(keys(answerShown('refresh-answer')), keys(refreshed.body));
  const revoked = await send('revocation-request', { 'lk_rt_…': refreshed.body.refresh_token });
  assert.deepEqual([revoked.status, revoked.body], [200, answerShown('revocation-answer')]);
  const refused = await send('refresh-request', { 'lk_rt_…': refreshed.body.refresh_token });
  assert.equal(refused.status, 400);
  assert.deepEqual(keys(answerShown('refusal-answer')), keys(refused.body));
  const { error_description, error_uri } = answerShown('refusal-answer');
  assert.deepEqual(
    { error_description, error_uri },
    { error_description: refused.body.error_description, error_uri: refused.body.error_uri },
  );
});

test('introspection and a signed token have the members that are shown, with the names that this server gives to levels', async () => {
  await registerPrinter(database, { ...application, scopes: ['user', 'repo'] });
  const asked = answerShown('introspection-answer').aud;
  await registerPrinter(database, { client_id: 'my-api' });
  await registerResource(database, asked, ['repo'], 'my-api');
  const { body } = await obtainConfidential({ scope: 'repo', resource: asked });
  const introspected = await send('introspection-request', {
    'lk_at_…': body.access_token,
    'lk_cs_…': printer.client_secret,
  });
  assert.deepEqual(keys(answerShown('introspection-answer')), keys(introspected.body));
  assert.equal(introspected.body.aud, asked);
  assert.equal(introspected.body.acr, 'bronze');
  assert.equal(answerShown('introspection-answer').acr, 'bronze');

  const resource = 'https://api.example/';
  await registerJwtResource(database, resource, ['repo']);
  const signed = await obtainConfidential({ scope: 'repo', resource });
  const [header = '', payload = ''] = String(signed.body.access_token).split('.');
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const example = shownProgram(await read('/developer/api'), 'code-signed-token');
  const [head, claims] = example.split('\n.\n').map((part) => JSON.parse(part));
  assert.deepEqual({ ...head, kid: '' }, { ...decode(header), kid: '' });
  assert.deepEqual(keys(claims), keys(decode(payload)));
  await registerPrinter(database, { ...application, client_secret: null, scopes: ['user'] });
});

/** The same with a secret, and with these parameters. */
async function obtainConfidential(changes: Record<string, string> = {}) {
  const link = new URL(shown('authorization-request').replace('CHALLENGE', challenge));
  for (const [name, value] of Object.entries(changes)) link.searchParams.set(name, value);
  const first = await alice.visit(`${link}`);
  const code = codeIn(first.location === undefined ? await alice.submit(first, 'id="allow"') : first);
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: 'http://localhost:8080/callback',
  };
  const headers = { authorization: basic('my-application', printer.client_secret) };
  const response = await fetch(`${origin}/token`, { method: 'POST', headers, body: new URLSearchParams(fields) });
  return { body: JSON.parse(await response.text()) };
}

test('an MCP server that is registered as its page shows asks as the page shows', async () => {
  const shownThere = (id: string, text: string) => shownProgram({ text, url: '' }, `code-${id}`);
  const { text } = await read('/developer/mcp-server');
  await registerPrinter(database, { client_id: 'my-mcp-server' });
  await database.query(shownThere('mcp-registration', text));
  const example = JSON.parse(shownThere('introspection-answer', text));
  await registerPrinter(database, { ...application, scopes: ['user', example.scope] });
  const { body } = await obtainConfidential({ scope: example.scope, resource: example.aud });
  const [, fields = ''] = shownThere('introspection-request', text).replaceAll('\n&', '&').split('\n\n');
  const form = fields.replace('lk_at_…', body.access_token).replace('lk_cs_…', printer.client_secret);
  const answer = await fetch(`${origin}/introspect`, { method: 'POST', body: new URLSearchParams(form) });
  const learnt = JSON.parse(await answer.text());
  assert.deepEqual(keys(example), keys(learnt));
  assert.deepEqual([learnt.aud, learnt.scope], [example.aud, example.scope]);
  await registerPrinter(database, { ...application, client_secret: null, scopes: ['user'] });
});

test('the page about signing in says with which scope the profile has each of its fields', async () => {
  const { text } = await read('/developer/sign-in');
  const [, table = ''] = /<dl class="facts">([\s\S]*?)<\/dl>/.exec(text) ?? [];
  const rows = [...table.replaceAll(/<\/?code>/g, '').matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)];
  const fieldsOf = (names = '') => names.split(', ');
  const isAlways = ([, , said = '']: string[]) => said.startsWith('Always included.');
  const always = rows.filter(isAlways).flatMap(([, names]) => fieldsOf(names));
  const others = rows.filter((row) => !isAlways(row));
  assert.ok(always.length > 0 && others.length > 1);
  assert.deepEqual(
    rows.flatMap(([, names]) => fieldsOf(names)).sort(),
    Object.keys(JSON.parse(shownProgram({ text, url: '' }, 'code-user-answer'))).sort(),
  );
  for (const [, names, said = ''] of others) {
    const scope = /With the scope (\S+)\./.exec(said)?.[1] ?? assert.fail(said);
    const link = shown('authorization-request').replace('CHALLENGE', challenge).replace('scope=user', `scope=${scope}`);
    const back = await alice.submit(await alice.visit(`${link}&prompt=consent`), 'id="allow"');
    const { body } = await send('token-request', { 'lk_ac_…': codeIn(back), VERIFIER: verifier });
    const user = await getUser(origin, body.access_token);
    assert.deepEqual(keys(user.body), [...always, ...fieldsOf(names)].sort());
  }
});

test('what the page says of refresh tokens is what happens', async () => {
  const once = await obtainTokens({ duration: 'once' });
  assert.equal(once.body.refresh_token, undefined);
  assert.equal(typeof once.body.authorization_expires_in, 'number');
  const month = await obtainTokens({ duration: '30d' });
  assert.ok(month.body.refresh_token && month.body.authorization_expires_in > 86_400);

  const { body } = await obtainTokens({ duration: 'always' });
  await send('revocation-request', { 'lk_rt_…': body.access_token });
  assert.equal((await getUser(origin, body.access_token)).status, 401);
  const narrowed = await send('refresh-request', { 'lk_rt_…': `${body.refresh_token}&scope=user:name` });
  assert.equal(narrowed.body.scope, 'user:name', 'a revoked access token leaves the refresh token');
  const whole = await send('refresh-request', { 'lk_rt_…': `${narrowed.body.refresh_token}&scope=user` });
  assert.equal(whole.body.scope, 'user');
  const reused = await send('refresh-request', { 'lk_rt_…': body.refresh_token });
  assert.equal(reused.body.error, 'invalid_grant');
  assert.equal((await getUser(origin, whole.body.access_token)).status, 401, 'all tokens of the code are revoked');
  for (const { text } of [page, plain]) {
    assert.match(text, /authorization_expires_in/);
    assert.match(text, /all tokens that came from the same code are revoked/);
    assert.match(text, /only that token: the refresh token stays valid/);
    assert.match(text, /never more than was granted/);
  }
});

test('both have every parameter of the requests and whether a request needs it, and the fields of /user by scope', async () => {
  for (const name of ['response_type', 'grant_type', 'client_id', 'code', 'refresh_token']) {
    assert.match(page.text, new RegExp(`<dt><code>${name}</code> <small><b>required</b></small></dt>`), name);
    assert.match(plain.text, new RegExp(`^- ${name} \\(required\\): `, 'm'), name);
  }
  for (const [name, demand] of [
    ['redirect_uri', 'required if several are registered'],
    ['code_challenge', 'required for public applications'],
    ['code_challenge_method', 'required for public applications'],
    ['redirect_uri', 'required if you sent it'],
    ['code_verifier', 'required for public applications'],
    ['client_secret', 'required for confidential applications'],
  ]) {
    assert.match(page.text, new RegExp(`<dt><code>${name}</code> <small><b>${demand}</b></small></dt>`), name);
    assert.match(plain.text, new RegExp(`^- ${name} \\(${demand}\\): `, 'm'), name);
    assert.doesNotMatch(page.text, new RegExp(`<dt><code>${name}</code> <small>(<b>required<|optional)`), name);
  }
  for (const name of [
    'scope',
    'authorization_details',
    'state',
    'prompt',
    'login_hint',
    'ui_locales',
    'max_age',
    'acr_values',
    'resource',
    'response_mode',
  ]) {
    assert.match(page.text, new RegExp(`<dt><code>${name}</code> <small>optional</small></dt>`), name);
    assert.match(plain.text, new RegExp(`^- ${name} \\(optional\\): `, 'm'), name);
  }
  assert.match(plain.text, /^- acr_values \(optional\): bronze: one factor is enough\. gold: two factors/m);
  await database.query(
    "select register_claim(name => 'groups', scope => 'user:groups', sentence => 'See your groups', query => 'select to_jsonb($1)')",
  );
  const { origin: other } = await startLatchkey({}, url);
  for (const path of ['/developer/reference', '/developer/docs.txt']) {
    const text = (await (await fetch(other + path)).text()).replaceAll(/<[^>]*>/g, '');
    assert.match(text, /user:name[^\n]*Fields at \/user: username, name\./, path);
    assert.match(text, /user:email[^\n]*Fields at \/user: email, email_verified\./, path);
    assert.match(text, /user:groups[^\n]*Fields at \/user: groups\./, path);
  }
});

test('the plain text has the causes of each error and what to do about them', async () => {
  assert.match(
    plain.text,
    /^- `invalid_grant`: 400 .*was replaced: each use returns a new one.* Store the new refresh token/m,
  );
  assert.match(plain.text, /^- `too_many_requests`: 429 .*Wait as long as Retry-After says/m);
});
