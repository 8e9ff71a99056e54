import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClientCredentials } from '../../../src/clients/client.ts';
import type { clientRules, Rule, Rules } from '../../../src/clients/client-rules.sql.ts';
import type { ClientWithKeys } from '../../../src/clients/clients.sql.ts';
import { OAuthError } from '../../../src/lib/errors.ts';
import { createRefreshToken } from '../../../src/lib/refresh-token.ts';
import { createCredential, credentialKey, digestOf } from '../../../src/lib/secrets.ts';
import { redemptionRules, refreshRules } from '../../../src/oauth/rules.sql.ts';
import { exchangeCode, refresh } from '../../../src/oauth/token/exchange.ts';
import { endFamily } from '../../../src/oauth/token/families.sql.ts';
import { repetitionRules } from '../../../src/oauth/token/repetition-rules.sql.ts';
import { challenge, obtainCode, redeem, signedInBrowser, verifier } from '../../support/flow.ts';
import { printer, startWithPrinter } from '../../support/latchkey.ts';

// Each rule of /token is broken, alone and together with others, by clients and requests of all kinds: the statement that decides
// refuses, the explanation names the first broken rule of the table, and what the table says is ended, and nothing else, is ended.

const { origin, database, deps } = await startWithPrinter();
const resource = 'https://api.example';
await database.query(`select register_resource(resource => $1, scopes => array['user'])`, [resource]);
const browser = await signedInBrowser(origin);
const { body } = await redeem(origin, await obtainCode(browser, { scope: 'user:name' }));
assert.ok(body['refresh_token']);

type Row = Record<string, unknown>;
const past = '2020-01-01T00:00:00Z';
const future = '2999-01-01T00:00:00Z';

/** Stores a copy of the only row of the flow above, with changes, and returns it. */
async function copy(table: string, key: string, original: unknown, changes: Row): Promise<Row> {
  const { rows } = await database.query(
    `insert into ${table} overriding system value
     select (jsonb_populate_record(null::${table}, to_jsonb(t) || $2)).* from ${table} t where ${key} = $1 returning *`,
    [original, JSON.stringify(changes)],
  );
  assert.equal(rows.length, 1, table);
  return rows[0];
}

const one = async (table: string): Promise<Row> => (await database.query(`select * from ${table} limit 1`)).rows[0];
const [grantRow, codeRow] = [await one('grants'), await one('authorization_codes')];
assert.ok(grantRow && codeRow);
const [userRow] = (await database.query('select * from users where user_id = $1', [grantRow['user_id']])).rows;

/** What is stored, as changes to a flow in which nothing is wrong, and the request. */
interface Case {
  client: Row;
  user: Row;
  grant: Row;
  code: Row;
  /** how the refresh token of the request was used: not yet, just now, or long ago; or it is older than the last that was used */
  use: 'unused' | 'rotated now' | 'rotated long ago' | 'older';
  answer: Row;
  credentials: Partial<ClientCredentials>;
  request: Row;
  /** whether the request is for a client, code or token that is not stored, or is another's */
  unknownClient?: true;
  unknownCredential?: true;
  foreign?: true;
  /** whether the client was read before, to verify its assertion */
  isRead?: true;
}

const newCase = (): Case => ({
  ...{ client: {}, user: {}, grant: {}, code: {}, use: 'unused', answer: {} },
  ...{ credentials: {}, request: {} },
});

type Spoils<R extends Rules> = { [name in keyof R]: (it: Case) => void };

const becomePublic = ({ client, credentials }: Case, token_endpoint_auth_method = 'none') => {
  Object.assign(client, { secrets_sha256: [], secrets_since: [], token_endpoint_auth_method });
  Object.assign(credentials, { secret_sha256: null, method: 'none' });
};
const becomeConfidential = ({ client, credentials }: Case) => {
  for (const column of ['secrets_sha256', 'secrets_since', 'token_endpoint_auth_method']) delete client[column];
  delete credentials.secret_sha256;
};
const bindAll = (it: Case, key: 'dpop' | 'certificate') => {
  it.client['token_binding'] = key;
  for (const row of [it.code, it.answer]) row['binding'] = `${key} its-own`;
  it.code['refresh_binding'] = `${key} its-own`;
  it.credentials[key] = `${key} its-own`;
};
/** One that was never used. */
const newProof = () => ({ proof_sha256: randomBytes(32), expires_at: Math.floor(Date.now() / 1000) + 60 });
const showProof = ({ credentials }: Case) =>
  Object.assign(credentials, { dpop: 'dpop its-own', dpop_proof: newProof() });

/** Clients and requests in which nothing is wrong. */
const kinds: Record<string, (it: Case) => void> = {
  'a confidential client': () => undefined,
  'a public client': (it) => becomePublic(it),
  'a client that keeps its refresh tokens': (it) => (it.client['profile'] = 'fapi2'),
  'a client that keeps them and proves its key'(it) {
    it.client['profile'] = 'fapi2';
    bindAll(it, 'dpop');
    showProof(it);
    it.isRead = true;
  },
  'a public client that proves its key'(it) {
    becomePublic(it);
    bindAll(it, 'dpop');
    showProof(it);
  },
  'a public client with a certificate'(it) {
    becomePublic(it);
    bindAll(it, 'certificate');
  },
  'a client that need not prove a key, and does': showProof,
};

const clientSpoils: Spoils<typeof clientRules> = {
  client_known: (it) => (it.unknownClient = true),
  client_enabled: (it) => (it.client['disabled_at'] = past),
  client_unchanged: (it) => (it.credentials.client_version = '0'),
  secret_sent(it) {
    becomeConfidential(it);
    it.credentials.secret_sha256 = null;
  },
  secret_expected(it) {
    becomePublic(it);
    delete it.credentials.secret_sha256;
  },
  secret_right(it) {
    becomeConfidential(it);
    it.credentials.secret_sha256 = digestOf('wrong');
  },
  method_registered: (it) => becomePublic(it, 'private_key_jwt'),
};

const lackKey = (it: Case, key: 'dpop' | 'certificate') => {
  it.client['token_binding'] = key;
  delete it.credentials[key];
  if (key === 'dpop') delete it.credentials.dpop_proof;
};

const commonSpoils = {
  ...clientSpoils,
  grant_unrevoked: (it: Case) => (it.grant['revoked_at'] = past),
  grant_unexpired: (it: Case) => (it.grant['expires_at'] = past),
  user_enabled: (it: Case) => (it.user['disabled_at'] = past),
  certificate_shown: (it: Case) => lackKey(it, 'certificate'),
  proof_shown: (it: Case) => lackKey(it, 'dpop'),
  resource_named: (it: Case) => Object.assign(it.code, { resources: ['self', resource] }),
  resource_authorized: (it: Case) => (it.request['resource'] = 'https://other.example'),
  scope_left: (it: Case) => Object.assign(it.grant, { scopes: ['repo:read'] }),
};

const redemptionSpoils: Omit<Spoils<typeof redemptionRules>, 'signable' | 'choices_read'> = {
  ...commonSpoils,
  grant_type_registered: (it) => (it.client['grant_types'] = ['refresh_token']),
  code_known: (it) => (it.unknownCredential = true),
  code_own: (it) => (it.foreign = true),
  code_not_repeated: (it) => (it.code['redeemed_at'] = past),
  code_unused(it) {
    it.code['redeemed_at'] = past;
    it.request['code_verifier'] = verifier.replace('a', 'b');
  },
  code_unrevoked: (it) => (it.code['revoked_at'] = past),
  verifier_right: (it) => (it.request['code_verifier'] = verifier.replace('a', 'b')),
  code_current: (it) => (it.code['expires_at'] = past),
  redirect_uri_sent: (it) => delete it.request['redirect_uri'],
  same_key: (it) => (it.code['binding'] = 'dpop another'),
  pkce_used_if_needed(it) {
    it.client['profile'] = 'fapi2';
    it.code['code_challenge'] = null;
    delete it.request['code_verifier'];
  },
  verifier_sent: (it) => delete it.request['code_verifier'],
  verifier_expected(it) {
    delete it.client['profile'];
    it.code['code_challenge'] = null;
  },
  same_redirect_uri: (it) => (it.request['redirect_uri'] = 'https://printer.example/other'),
};

const refreshSpoils: Omit<Spoils<typeof refreshRules>, 'signable' | 'choices_read'> = {
  ...commonSpoils,
  grant_type_registered: (it) => (it.client['grant_types'] = ['authorization_code']),
  token_known: (it) => (it.unknownCredential = true),
  token_own: (it) => (it.foreign = true),
  family_unrevoked: (it) => (it.code['revoked_at'] = past),
  token_current: (it) => (it.code['refresh_expires_at'] = past),
  same_key: (it) => (it.code['refresh_binding'] = 'dpop another'),
  // long ago, so that it is reuse; within the grace see repetitionSpoils
  token_unused: (it) => (it.use = 'rotated long ago'),
  scope_granted: (it) => (it.request['scopes'] = ['user:email']),
};

/** A rule of a refresh that is looked at before the use of the token, so for a repetition, too. */
const isBeforeUse = (name: string) =>
  Object.keys(refreshRules).indexOf(name) < Object.keys(refreshRules).indexOf('token_unused');

const repetitionSpoils: Omit<Spoils<typeof repetitionRules>, 'signable' | 'choices_read'> = {
  ...Object.fromEntries(
    Object.entries(refreshSpoils).filter(([name]) => isBeforeUse(name) && name !== 'token_current'),
  ),
  repeatable: (it) => (it.use = 'older'),
  scope_granted: refreshSpoils.scope_granted,
  resource_named: commonSpoils.resource_named,
  resource_authorized: commonSpoils.resource_authorized,
  scope_left: commonSpoils.scope_left,
  successor_current: (it) => (it.code['refresh_expires_at'] = past),
};

/** The second of these would mend what the first has broken, so a request has one of them at a time. */
const alternatives = [
  Object.keys(clientSpoils),
  ['code_known', 'code_own', 'token_known', 'token_own'],
  ['code_not_repeated', 'verifier_right', 'pkce_used_if_needed', 'verifier_sent', 'verifier_expected'],
  ['code_not_repeated', 'code_unused'],
  ['code_unused', 'pkce_used_if_needed'],
  ['redirect_uri_sent', 'same_redirect_uri'],
  ['certificate_shown', 'proof_shown'],
  ['resource_named', 'resource_authorized'],
  // an expired token that was used is judged by its use
  ['token_current', 'token_unused'],
  // without a resource, none of its scopes can be left
  ['resource_named', 'scope_left'],
];
const fitTogether = (names: readonly string[]) =>
  alternatives.every((group) => names.filter((name) => group.includes(name)).length <= 1);

let count = 0;

/** From a network of its own, which has not been wrong before. */
const newTrace = () => ({ request_id: 'a-test', address: `10.${count >> 8}.${count & 255}.1` });

/** Stores a case with ids of its own. */
async function store(it: Case) {
  count += 1;
  const [client_id, foreign_id] = [`client-${count}`, `foreign-${count}`];
  const code = createCredential('authorization_code');
  const secret = deps.sessionSecrets[0] ?? '';
  const family_key = credentialKey(code);
  const shown = createRefreshToken(secret, { family_key, generation: 1 });
  const hex = (buffer: Buffer) => `\\x${buffer.toString('hex')}`;
  const user_id = 1_000_000 + count;
  const [grant_id, code_id] = [user_id, user_id];
  await copy('users', 'user_id', userRow.user_id, {
    user_id,
    username: `user-${count}`,
    email_verified: false,
    ...it.user,
  });
  const client = await copy('clients', 'client_id', printer.client_id, { client_id, ...it.client });
  if (it.foreign) await copy('clients', 'client_id', printer.client_id, { client_id: foreign_id, ...it.client });
  const owner = it.foreign ? foreign_id : client_id;
  const changes = { grant_id, user_id, client_id: owner, ...it.grant };
  await copy('grants', 'grant_id', grantRow['grant_id'], changes);
  const access = credentialKey(createCredential('access_token'));
  const other = createRefreshToken(secret, { family_key, generation: 2 });
  const [own, next] = [shown, other].map(({ refresh_token_sha256 }) => hex(refresh_token_sha256));
  const rotated = { refresh_generation: 2, refresh_token_sha256: next, previous_refresh_sha256: own };
  const uses: Record<Case['use'], Row> = {
    unused: { refresh_generation: 1, refresh_token_sha256: own },
    'rotated now': { ...rotated, refresh_issued_at: new Date().toISOString() },
    'rotated long ago': { ...rotated, refresh_issued_at: past },
    older: { ...rotated, refresh_generation: 3, previous_refresh_sha256: hex(Buffer.alloc(32)) },
  };
  const answer = { successor_salt: hex(Buffer.alloc(16)), successor_access_sha256: hex(access) };
  const family = { code_id, grant_id, client_id: owner, code_sha256: hex(family_key), ...answer, ...uses[it.use] };
  const unredeemed = { redeemed_at: null, family_ends_at: future, code_challenge: challenge };
  await copy('authorization_codes', 'code_id', codeRow['code_id'], { ...unredeemed, ...family, ...it.code });
  await copy('access_tokens', 'code_id', codeRow['code_id'], {
    access_token_sha256: hex(access),
    code_id,
    ...it.answer,
  });
  const credentials: ClientCredentials = {
    client_id: it.unknownClient ? 'nobody' : client_id,
    method: 'client_secret_basic',
    secret_sha256: digestOf(printer.client_secret),
    ...(it.isRead && !it.unknownClient && { client: client as unknown as ClientWithKeys }),
    ...it.credentials,
  };
  if (!it.unknownCredential) return { code_id, credentials, code, refresh_token: shown.refresh_token };
  // of a family that exists, but not made by this server
  const madeUp = createRefreshToken('another secret', { family_key, generation: 1 });
  const unknown = createCredential('authorization_code');
  return { code_id, credentials, code: unknown, refresh_token: madeUp.refresh_token };
}

async function outcomeOf(run: Promise<unknown>): Promise<OAuthError | undefined> {
  return run.then(
    () => undefined,
    (error: unknown) => {
      assert.ok(error instanceof OAuthError, String(error));
      return error;
    },
  );
}

/** What a refusal may end, and what it must not touch. */
const stateOf = async (code_id: number) => {
  const { rows } = await database.query(
    `select redeemed_at, revoked_at,
       refresh_generation, refresh_token_sha256,
       (select count(*)::integer from access_tokens t where t.code_id = c.code_id) as access_tokens
     from authorization_codes c where code_id = $1`,
    [code_id],
  );
  return rows[0];
};

/** The first rule of the table among those that were broken. */
const firstOf = (rules: Rules, names: readonly string[]): [string, Rule] | undefined =>
  Object.entries(rules).find(([name]) => names.includes(name));

/** The refusal is that of the rule, and nothing has changed but what the rule ends. */
async function assertRefused(
  run: () => Promise<unknown>,
  [name, rule]: [string, Rule],
  { code_id, what }: { code_id: number; what: string },
): Promise<void> {
  const before = await stateOf(code_id);
  const outcome = await outcomeOf(run());
  const { revoked_at, ...after } = await stateOf(code_id);
  assert.equal(outcome?.code, rule.error, `${what}: ${name}`);
  assert.ok(outcome.reason.startsWith(rule.reason), `${what}: ${name}: ${outcome.reason}`);
  assert.deepEqual({ ...after, revoked_at: before.revoked_at }, before, what);
  const isEnded = rule.ends !== undefined && before.revoked_at === null;
  assert.equal(String(revoked_at) !== String(before.revoked_at), isEnded, `${what}: ${name} ends`);
}

type Attempt = (kind: string, names: readonly string[]) => Promise<void>;

const tryCode: Attempt = async (kind, names) => {
  const it = newCase();
  it.request = { code_verifier: verifier, redirect_uri: codeRow['redirect_uri'] };
  kinds[kind]?.(it);
  for (const name of names) redemptionSpoils[name as keyof typeof redemptionSpoils](it);
  const { code_id, credentials, code } = await store(it);
  const request = { code, resource: undefined, ...it.request };
  const exchange = () => exchangeCode(deps, credentials, request, newTrace());
  const broken = firstOf(redemptionRules, names);
  if (broken) return assertRefused(exchange, broken, { code_id, what: `${kind}, ${names.join(' + ')}` });
  await exchange();
  assert.ok((await stateOf(code_id)).redeemed_at);
};

/** Refreshes with a token that is used for the first time, or with a token that was used just now. */
const tryRefresh =
  (isRepetition: boolean): Attempt =>
  async (kind, names) => {
    const it = newCase();
    if (isRepetition) it.use = 'rotated now';
    kinds[kind]?.(it);
    const spoils: Record<string, (it: Case) => void> = isRepetition ? repetitionSpoils : refreshSpoils;
    for (const name of names) spoils[name]?.(it);
    const { code_id, credentials, refresh_token } = await store(it);
    const request = { refresh_token, resource: undefined, scopes: undefined, ...it.request };
    const renew = () => refresh(deps, credentials, request, newTrace());
    const broken = brokenByRefresh(isRepetition, names);
    if (broken) return assertRefused(renew, broken, { code_id, what: `${kind}, ${names.join(' + ')}` });
    const { access_tokens } = await stateOf(code_id);
    const outcome = await outcomeOf(renew());
    // the answer to repeat is not one of this server, see token-theft tests for the real one
    assert.equal(outcome?.reason, isRepetition ? 'refresh token rotated by another version' : undefined);
    assert.equal((await stateOf(code_id)).access_tokens, access_tokens + (isRepetition ? 0 : 1));
  };

function brokenByRefresh(isRepetition: boolean, names: readonly string[]): [string, Rule] | undefined {
  const broken = firstOf(refreshRules, isRepetition ? [...names, 'token_unused'] : names);
  if (broken?.[0] !== 'token_unused') return broken;
  // used long ago, it cannot be repeated
  return firstOf(repetitionRules, isRepetition ? names : [...names, 'repeatable']);
}

const tables: [string, object, Attempt][] = [
  ['code', redemptionSpoils, tryCode],
  ['refresh token', refreshSpoils, tryRefresh(false)],
  ['refresh token that was used just now', repetitionSpoils, tryRefresh(true)],
];

for (const [what, spoils, attempt] of tables) {
  for (const kind of Object.keys(kinds)) {
    test(`a ${what} of ${kind} for which no rule is broken is accepted`, () => attempt(kind, []));
  }

  for (const name of Object.keys(spoils)) {
    test(`a ${what} is refused if the rule ${name} is broken, by that rule, whatever the client`, async () => {
      await Promise.all(Object.keys(kinds).map((kind) => attempt(kind, [name])));
    });
  }

  test(`of several broken rules of a ${what}, the refusal names the first of the table and ends what that one says`, async () => {
    let tried = 0;
    const several = fc.uniqueArray(fc.constantFrom(...Object.keys(spoils)), { minLength: 1, maxLength: 4 });
    const kind = fc.constantFrom(...Object.keys(kinds));
    await fc.assert(
      fc.asyncProperty(kind, several.filter(fitTogether), async (kind, names) => {
        await attempt(kind, names);
        tried += 1;
      }),
      { seed: 1, numRuns: 100 },
    );
    assert.ok(tried >= 100);
  });
}

test('what a wrong verifier ends is the code only: if it gave tokens meanwhile, they stay', async () => {
  const [redeemed, unused] = [newCase(), newCase()];
  redeemed.code['redeemed_at'] = past;
  for (const [it, isEnded] of [
    [redeemed, false],
    [unused, true],
  ] as const) {
    const { code_id } = await store(it);
    const trace = { request_id: 'r', address: null };
    const ended = await endFamily(database, String(code_id), 'code_verifier_wrong', trace);
    assert.equal(ended !== undefined, isEnded);
    assert.equal((await stateOf(code_id)).revoked_at !== null, isEnded);
  }
});
