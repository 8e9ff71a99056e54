import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyKeyOf } from '../../support/attack.ts';
import type { Browser } from '../../support/browser.ts';
import { type Issued, issueCertificate, noOpenssl } from '../../support/certificate.ts';
import { createDpopKey, type DpopKey, proofFor } from '../../support/dpop.ts';
import { basic, obtainCode, post, redeem, refresh, signedInBrowser, type TokenAnswer } from '../../support/flow.ts';
import { type Latchkey, printer, startWithPrinter } from '../../support/latchkey.ts';

// Which refresh token needs which key: of public clients and of those with a secret, for tokens of every kind. A proxy passes the
// certificates on, so that each request can present what it likes.

const skip = noOpenssl;
let latchkey: Latchkey;
let browser: Browser;
let own: Issued;
let strange: Issued;
const [key, strangeKey] = [await createDpopKey(), await createDpopKey()];

const registrations = {
  bearer: '',
  dpop: 'dpop_bound_access_tokens => true,',
  certificate: 'tls_client_certificate_bound_access_tokens => true,',
  mac: `token_type => 'mac',`,
};
type Kind = keyof typeof registrations;
const kinds = Object.keys(registrations) as Kind[];
const clientTypes = ['public', 'confidential'] as const;

if (!skip) {
  latchkey = await startWithPrinter({ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' });
  browser = await signedInBrowser(latchkey.origin);
  [own, strange] = [issueCertificate('/CN=app'), issueCertificate('/CN=app')];
}

interface Client {
  client_id: string;
  isPublic: boolean;
}

let registered = 0;

async function register(type: (typeof clientTypes)[number], kind: Kind): Promise<Client> {
  registered += 1;
  const client = { client_id: `${type}-${kind}-${registered}`, isPublic: type === 'public' };
  await registerAs(client, kind);
  return client;
}

/** Registers the client, or changes its registration. */
async function registerAs({ client_id, isPublic }: Client, kind: Kind): Promise<void> {
  await latchkey.database.query(
    `select register_client(client_id => $1, client_secret => $2, name => 'App', site_domain => $3, redirect_uris => $4,
       ${registrations[kind]} scopes => '{user}')`,
    [client_id, isPublic ? null : printer.client_secret, printer.site_domain, [printer.redirect_uri]],
  );
}

/** What a request proves. */
interface Shown {
  key?: DpopKey;
  certificate?: Issued;
}

const right = (kind: Kind): Shown => ({ dpop: { key }, certificate: { certificate: own } })[kind as string] ?? {};
const wrong = (kind: Kind): Shown =>
  ({ dpop: { key: strangeKey }, certificate: { certificate: strange } })[kind as string] ?? {};

async function headersOf({ client_id, isPublic }: Client, { key: shown, certificate }: Shown) {
  return {
    authorization: isPublic ? '' : basic(client_id),
    ...(shown && { dpop: await proofFor(shown, `${latchkey.origin}/token`) }),
    ...(certificate && { 'x-client-cert': encodeURIComponent(certificate.cert) }),
  };
}

const named = ({ client_id, isPublic }: Client) => (isPublic ? { client_id } : {});

async function firstTokens(client: Client, shown: Shown): Promise<TokenAnswer['body']> {
  const code = await obtainCode(browser, { client_id: client.client_id, prompt: 'consent' });
  const { status, body } = await redeem(latchkey.origin, code, named(client), await headersOf(client, shown));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const refreshBy = async (client: Client, token: unknown, shown: Shown): Promise<TokenAnswer> =>
  refresh(latchkey.origin, token, named(client), await headersOf(client, shown));

async function accepted(answer: Promise<TokenAnswer>): Promise<TokenAnswer['body']> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function assertRefused(answer: Promise<TokenAnswer>, error = 'invalid_grant'): Promise<void> {
  const { status, body } = await answer;
  assert.deepEqual([status, body['error']], [400, error]);
}

async function endGrace(token: unknown): Promise<void> {
  const { rowCount } = await latchkey.database.query(
    "update authorization_codes set refresh_issued_at = refresh_issued_at - interval '1 hour' where code_sha256 = $1",
    [familyKeyOf(token)],
  );
  assert.equal(rowCount, 1);
}

async function reuses(): Promise<number> {
  const { rows } = await latchkey.database.query(
    `select count(*)::integer as count from audit_events where event = 'refresh_token_reused'`,
  );
  return rows[0].count;
}

const pair = ({ access_token, refresh_token }: TokenAnswer['body']) => [access_token, refresh_token];

for (const type of clientTypes) {
  for (const kind of kinds) {
    test(`a ${type} client with ${kind} tokens that repeats a refresh within the grace period gets the same tokens again`, {
      skip,
    }, async () => {
      const client = await register(type, kind);
      const { refresh_token } = await firstTokens(client, right(kind));
      const first = await accepted(refreshBy(client, refresh_token, right(kind)));
      const again = await accepted(refreshBy(client, refresh_token, right(kind)));
      assert.deepEqual(pair(again), pair(first));
      await accepted(refreshBy(client, first['refresh_token'], right(kind)));
    });

    test(`a refresh token of a ${type} client with ${kind} tokens that is used again after the grace period ends the family [9700 §4.14.2]`, {
      skip,
    }, async () => {
      const client = await register(type, kind);
      const { refresh_token } = await firstTokens(client, right(kind));
      const successor = await accepted(refreshBy(client, refresh_token, right(kind)));
      await endGrace(refresh_token);
      const before = await reuses();
      await assertRefused(refreshBy(client, refresh_token, right(kind)));
      assert.equal(await reuses(), before + 1);
      await assertRefused(refreshBy(client, successor['refresh_token'], right(kind)));
      const { body } = await post(`${latchkey.origin}/introspect`, { token: String(successor['access_token']) });
      assert.notEqual(body['active'], true);
    });

    if (kind === 'bearer' || kind === 'mac') continue;
    const isPublic = type === 'public';
    test(`another key at a refresh of a ${type} client with ${kind} tokens: ${isPublic ? 'refused, and it ends nothing [9449 §5] [8705 §4]' : 'the client has authenticated, so it may change its key'}`, {
      skip,
    }, async () => {
      const client = await register(type, kind);
      const { refresh_token } = await firstTokens(client, right(kind));
      if (!isPublic) return void (await accepted(refreshBy(client, refresh_token, wrong(kind))));
      await assertRefused(refreshBy(client, refresh_token, wrong(kind)));
      const successor = await accepted(refreshBy(client, refresh_token, right(kind)));
      await assertRefused(refreshBy(client, refresh_token, wrong(kind)));
      await assertRefused(refreshBy(client, refresh_token, {}), 'invalid_request');
      await endGrace(refresh_token);
      await assertRefused(refreshBy(client, refresh_token, wrong(kind)));
      await accepted(refreshBy(client, successor['refresh_token'], right(kind)));
    });
  }
}

for (const kind of ['dpop', 'certificate'] as const) {
  test(`the refresh token of a public client is bound from its first proof on, although its family began as bearer: ${kind} [9449 §5] [8705 §4]`, {
    skip,
  }, async () => {
    const client = await register('public', 'bearer');
    const { refresh_token } = await firstTokens(client, {});
    await registerAs(client, kind);
    const second = await accepted(refreshBy(client, refresh_token, right(kind)));
    await assertRefused(refreshBy(client, second['refresh_token'], wrong(kind)));
    const third = await accepted(refreshBy(client, second['refresh_token'], right(kind)));
    await assertRefused(refreshBy(client, third['refresh_token'], wrong(kind)));
    assert.deepEqual(
      pair(await accepted(refreshBy(client, second['refresh_token'], right(kind)))),
      pair(third),
      'the holder of the key can repeat it',
    );
    await accepted(refreshBy(client, third['refresh_token'], right(kind)));
  });

  test(`a refresh that bound a family, repeated within the grace period with another key: two parties hold the token, and the family ends: ${kind}`, {
    skip,
  }, async () => {
    const client = await register('public', 'bearer');
    const { refresh_token } = await firstTokens(client, {});
    await registerAs(client, kind);
    const first = await accepted(refreshBy(client, refresh_token, right(kind)));
    assert.deepEqual(pair(await accepted(refreshBy(client, refresh_token, right(kind)))), pair(first));
    const before = await reuses();
    await assertRefused(refreshBy(client, refresh_token, wrong(kind)));
    assert.equal(await reuses(), before + 1);
    await assertRefused(refreshBy(client, first['refresh_token'], right(kind)));
  });
}

test('a DPoP proof binds the refresh token of a public client also where the registration demands none, and then bearer is over [9449 §5]', {
  skip,
}, async () => {
  const client = await register('public', 'bearer');
  const { refresh_token } = await firstTokens(client, {});
  const second = await accepted(refreshBy(client, refresh_token, { key }));
  assert.equal(second['token_type'], 'DPoP');
  for (const shown of [{}, { key: strangeKey }]) {
    await assertRefused(refreshBy(client, second['refresh_token'], shown));
  }
  assert.equal((await accepted(refreshBy(client, second['refresh_token'], { key })))['token_type'], 'DPoP');
});

test('a family that began with MAC tokens, which prove no key at /token, is bound by the first proof of a key', {
  skip,
}, async () => {
  const client = await register('public', 'mac');
  const { refresh_token } = await firstTokens(client, {});
  await registerAs(client, 'dpop');
  const second = await accepted(refreshBy(client, refresh_token, { key }));
  await assertRefused(refreshBy(client, second['refresh_token'], { key: strangeKey }));
  await accepted(refreshBy(client, second['refresh_token'], { key }));
});

test('a refresh token stays bound to its key when the registration changes to another kind of binding', {
  skip,
}, async () => {
  const client = await register('public', 'dpop');
  const { refresh_token } = await firstTokens(client, { key });
  await registerAs(client, 'certificate');
  await assertRefused(refreshBy(client, refresh_token, { certificate: own }));
  await assertRefused(refreshBy(client, refresh_token, { certificate: own, key: strangeKey }));
  const second = await accepted(refreshBy(client, refresh_token, { certificate: own, key }));
  await assertRefused(refreshBy(client, second['refresh_token'], { certificate: own }));
  await accepted(refreshBy(client, second['refresh_token'], { certificate: own, key }));
});
