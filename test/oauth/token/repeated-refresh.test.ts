import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credentialKey } from '../../../src/lib/secrets.ts';
import { familyKeyOf } from '../../support/attack.ts';
import {
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  type TokenAnswer,
} from '../../support/flow.ts';
import {
  printer,
  registerJwtResource,
  registerResource,
  startLatchkey,
  startWithPrinter,
} from '../../support/latchkey.ts';

// A refresh whose answer was lost is answered again with the same tokens, which are worth no more than either request asked for.

const { origin, database, url } = await startWithPrinter();
const browser = await signedInBrowser(origin);

const scopeOf = async (token: unknown) => (await post(`${origin}/introspect`, { token: String(token) })).body['scope'];
const ask = (refresh_token: string, scope?: string) => refresh(origin, refresh_token, { scope });

/** A refresh token for three permissions, and the answer to its first use. */
async function rotated(scope?: string): Promise<{ refresh_token: string; first: TokenAnswer['body'] }> {
  const code = await obtainCode(browser, { scope: 'user repo:read', prompt: 'consent' });
  const refresh_token = String((await redeem(origin, code)).body['refresh_token']);
  return { refresh_token, first: (await ask(refresh_token, scope)).body };
}

function assertSameTokens({ status, body }: TokenAnswer, first: TokenAnswer['body'], scope: string): void {
  const { access_token, refresh_token } = first;
  assert.deepEqual(
    [status, body['access_token'], body['refresh_token'], body['scope']],
    [200, access_token, refresh_token, scope],
  );
}

test('a repeated refresh with a smaller scope returns the same tokens, and the access token is limited to the smaller scope', async () => {
  const { refresh_token, first } = await rotated();
  assertSameTokens(await ask(refresh_token, 'user:name'), first, 'user:name');
  assert.equal(await scopeOf(first['access_token']), 'user:name');
  assert.deepEqual(Object.keys((await getUser(origin, first['access_token'])).body), ['id', 'sub', 'username', 'name']);
  assertSameTokens(await ask(refresh_token), first, 'user:name');
  assert.equal(
    (await refresh(origin, first['refresh_token'])).body['scope'],
    'user repo:read',
    'the next has all again',
  );
});

test('a repeated refresh with a larger granted scope returns the same answer', async () => {
  const { refresh_token, first } = await rotated('user:name');
  for (const scope of [undefined, 'user', 'user repo:read', 'user:name']) {
    assertSameTokens(await ask(refresh_token, scope), first, 'user:name');
  }
});

test('simultaneous refreshes with different scopes return tokens limited to what both requested', async () => {
  const code = await obtainCode(browser, { scope: 'user repo:read', prompt: 'consent' });
  const refresh_token = String((await redeem(origin, code)).body['refresh_token']);
  const answers = await Promise.all(['user', 'user:name repo:read'].map((scope) => ask(refresh_token, scope)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  const tokens = new Set(answers.map(({ body }) => `${body['access_token']} ${body['refresh_token']}`));
  assert.equal(tokens.size, 1);
  assert.equal(await scopeOf(answers[0]?.body['access_token']), 'user:name');
});

test('a repeated refresh with a scope that was never granted is refused like a first one [6749 §6]', async () => {
  const { refresh_token, first } = await rotated();
  for (const scope of ['user user:write', 'repo', 'admin']) {
    const refused = await ask(refresh_token, scope);
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_scope'], scope);
  }
  assertSameTokens(await ask(refresh_token), first, 'user repo:read');
});

const ended: [
  what: string,
  end: (first: TokenAnswer['body']) => Promise<unknown>,
  scope: string | undefined,
  granted: string,
][] = [
  ['the requested scope shares nothing with the first answer', async () => {}, 'repo:read', 'repo:read'],
  [
    'the access token has expired',
    ({ access_token }) => expire('access_token', access_token),
    undefined,
    'user repo:read',
  ],
  [
    'the access token was revoked',
    ({ access_token }) => post(`${origin}/revoke`, { token: String(access_token) }),
    'user:name',
    'user:name',
  ],
  [
    'the person has withdrawn all scopes of the first answer',
    () => database.query("update grants set scopes = '{repo:read}' where revoked_at is null"),
    undefined,
    'repo:read',
  ],
];

for (const [what, end, scope, granted] of ended) {
  test(`when ${what}, a repeated refresh returns the same successor with a new access token, also in parallel`, async () => {
    const { refresh_token, first } = await rotated('user');
    await end(first);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(refresh_token, scope)));
    const { access_token = '' } = answers[0]?.body ?? {};
    assert.notEqual(access_token, first['access_token']);
    for (const answer of answers) assertSameTokens(answer, { ...first, access_token }, granted);
    assert.equal(await scopeOf(access_token), granted);
    assertSameTokens(await ask(refresh_token, scope), { ...first, access_token }, granted);
    const next = await refresh(origin, first['refresh_token']);
    assert.equal(next.status, 200);
    assertSameTokens(await refresh(origin, first['refresh_token']), next.body, String(next.body['scope']));
    assert.equal(await scopeOf(next.body['access_token']), next.body['scope']);
    await refresh(origin, next.body['refresh_token']);
    assert.equal((await ask(refresh_token, scope)).body['error'], 'invalid_grant', 'the successor was used');
  });
}

for (const [what, end] of [
  [
    'the old refresh token is used after the grace period',
    async (refresh_token: string) => {
      const back =
        "update authorization_codes set refresh_issued_at = refresh_issued_at - interval '61 seconds' where code_sha256 = $1";
      assert.equal((await database.query(back, [familyKeyOf(refresh_token)])).rowCount, 1);
      assert.equal((await ask(refresh_token)).body['error'], 'invalid_grant');
    },
  ],
  [
    'the renewed access token is reported as leaked',
    (_refresh_token: string, access_token: string) => post(`${origin}/leaked`, { token: access_token }),
  ],
  [
    'the application deletes the renewed access token as at GitHub',
    async (_refresh_token: string, access_token: string) => {
      const { status } = await fetch(`${origin}/applications/${printer.client_id}/token`, {
        ...{ method: 'DELETE', headers: { authorization: basic(), 'content-type': 'application/json' } },
        body: JSON.stringify({ access_token }),
      });
      assert.equal(status, 204);
    },
  ],
] as const) {
  test(`when ${what}, all tokens end, and no repetition renews one`, async () => {
    const { refresh_token, first } = await rotated();
    await post(`${origin}/revoke`, { token: String(first['access_token']) });
    const renewed = (await ask(refresh_token)).body['access_token'];
    assert.equal((await getUser(origin, renewed)).status, 200);
    await end(refresh_token, String(renewed));
    assert.equal((await getUser(origin, renewed)).status, 401);
    for (const token of [refresh_token, first['refresh_token']]) {
      assert.equal((await refresh(origin, token)).body['error'], 'invalid_grant');
    }
  });
}

test('two instances renew the access token of a repeated refresh once', async () => {
  const other = await startLatchkey({}, url);
  const { refresh_token, first } = await rotated();
  await expire('access_token', first['access_token']);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => refresh(at % 2 === 0 ? origin : other.origin, refresh_token)),
  );
  const { access_token = '' } = answers[0]?.body ?? {};
  for (const answer of answers) assertSameTokens(answer, { ...first, access_token }, 'user repo:read');
  assert.equal(await scopeOf(access_token), 'user repo:read');
});

test('an access token that a repetition renews for other scopes leaves the first one alive', async () => {
  const { refresh_token, first } = await rotated('user');
  assert.equal((await ask(refresh_token, 'repo:read')).status, 200);
  assert.equal(await scopeOf(first['access_token']), 'user');
});

test('a repeated refresh for another resource returns the same successor with an access token for that one [8707 §2.2]', async () => {
  const [one, two] = ['https://one.example', 'https://two.example'];
  await registerResource(database, one, ['repo']);
  await registerJwtResource(database, two, ['repo']);
  const code = await obtainCode(browser, { scope: 'repo:read', prompt: 'consent', resource: [one, two] });
  const { body } = await redeem(origin, code, { resource: one });
  const answers: TokenAnswer[] = [];
  for (const resource of [one, two, one, two, 'https://other.example']) {
    answers.push(await refresh(origin, body['refresh_token'], { resource }));
  }
  assert.deepEqual(
    answers.map(({ status, body: { error } }) => error ?? status),
    [200, 200, 200, 200, 'invalid_target'],
  );
  const granted = answers.slice(0, 4);
  assert.equal(new Set(granted.map((answer) => answer.body['refresh_token'])).size, 1);
  assert.equal((await refresh(origin, granted[0]?.body['refresh_token'], { resource: one })).status, 200);
});

test('a repeated refresh of which nothing is left is refused, and the successor stays valid for what is granted again', async () => {
  const { refresh_token, first } = await rotated();
  const { rows } = await database.query('select scopes from grants where revoked_at is null');
  await database.query("update grants set scopes = '{}' where revoked_at is null");
  assert.equal((await ask(refresh_token)).body['error'], 'invalid_grant');
  await database.query('update grants set scopes = $1 where revoked_at is null', [rows[0].scopes]);
  assert.equal((await refresh(origin, first['refresh_token'])).status, 200);
});

test('an expired successor is not returned again', async () => {
  const { refresh_token, first } = await rotated();
  await expire('refresh_token', first['refresh_token']);
  assert.equal((await ask(refresh_token)).body['error'], 'invalid_grant');
  assert.equal((await getUser(origin, first['access_token'])).status, 200);
});

async function expire(kind: 'access_token' | 'refresh_token', token: unknown): Promise<void> {
  const { rowCount } =
    kind === 'access_token'
      ? await database.query('update access_tokens set expires_at = now() where access_token_sha256 = $1', [
          credentialKey(String(token)),
        ])
      : await database.query('update authorization_codes set refresh_expires_at = now() where code_sha256 = $1', [
          familyKeyOf(token),
        ]);
  assert.equal(rowCount, 1);
}
