import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import bcrypt from 'bcrypt';
import pg from 'pg';
import { supportedMethods } from '../../src/clients/client-certificate.ts';
import { clientIdMaxLength, isClientId } from '../../src/lib/client-id.ts';
import { clientAlgorithms } from '../../src/lib/client-jwt.ts';
import type { ClientSecurity } from '../../src/lib/client-members.ts';
import { bcryptCost, passwordMaxBytes, passwordMinCharacters } from '../../src/lib/password-rules.ts';
import { isValidProfileValue, profileFieldNames, profileFields } from '../../src/lib/profile.ts';
import { redirectUriMaxLength } from '../../src/lib/redirect-uri.ts';
import { printer, registerPrinter, startLatchkey } from '../support/latchkey.ts';

// TypeScript checks what people send, SQL what seeds and commands register: each limit stands once in either, and here they meet.

const { database, deps, url } = await startLatchkey();
// without the time limits of requests: on a busy machine a hash takes longer
const patient = new pg.Pool({ connectionString: url, max: 1 }).on('error', () => {});
after(() => patient.end());

async function isAccepted(run: Promise<unknown>): Promise<boolean> {
  return run.then(
    () => true,
    (error) => {
      if (error.code !== '23514') throw error;
      return false;
    },
  );
}

// hashed beforehand: hashing takes longer than a statement may on a busy machine
const password = await bcrypt.hash('wonderland', bcryptCost);

const registerUser = (user: Record<string, string>) => {
  const values = { username: 'ada', password, ...user };
  const parameters = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  return isAccepted(patient.query(`select register_user(${parameters.join(', ')})`, Object.values(values)));
};

const texts = ['x', ' x', 'a\tb', 'a\u0085b', 'a\u007fb', 'Ädä 🙂', 'a@b', 'a@b@c', 'a b@c', 'a@b\u0001', '@', 'a@'];

for (const field of profileFieldNames) {
  test(`SQL and TypeScript accept the same values of the profile field ${field}`, async () => {
    const { maxLength } = profileFields[field];
    const end = field === 'email' ? '@b' : 'xx';
    const long = [maxLength, maxLength + 1].map((length) => 'x'.repeat(length - 2) + end);
    for (const value of [...texts, ...long]) {
      assert.equal(await registerUser({ [field]: value }), isValidProfileValue(field, value), JSON.stringify(value));
    }
  });
}

test('SQL and TypeScript accept the same passwords', async () => {
  for (const [password, expected] of [
    ['x'.repeat(passwordMinCharacters), true],
    ['x'.repeat(passwordMinCharacters - 1), false],
    ['🙂'.repeat(passwordMinCharacters - 1), false],
    ['x'.repeat(passwordMaxBytes), true],
    ['x'.repeat(passwordMaxBytes + 1), false],
    ['ü'.repeat(passwordMaxBytes / 2 + 1), false],
  ] as const) {
    assert.equal(await registerUser({ password }), expected, password);
  }
});

test('SQL hashes with the cost of TypeScript, accepts ready hashes up to it and finds higher ones by an index', async () => {
  await registerUser({ username: 'grace', password: 'wonderland' });
  const { rows } = await database.query(`select password_bcrypt from users where username = 'grace'`);
  assert.match(rows[0].password_bcrypt, new RegExp(`^\\$2a\\$${bcryptCost}\\$`));
  const hash = (cost: number) => rows[0].password_bcrypt.replace(`$${bcryptCost}$`, `$${cost}$`);
  assert.equal(await registerUser({ password: hash(bcryptCost) }), true);
  assert.equal(await registerUser({ password: hash(bcryptCost + 1) }), false);
  const { rows: indexes } = await database.query(
    `select pg_get_indexdef('users_with_dear_password'::regclass) as definition`,
  );
  assert.match(indexes[0].definition, new RegExp(`> ${bcryptCost}\\)`));
});

test('SQL and TypeScript accept the same client_ids and lengths of redirection URIs', async () => {
  for (const client_id of ['x', 'a b', 'ä', '', 'x'.repeat(clientIdMaxLength), 'x'.repeat(clientIdMaxLength + 1)]) {
    assert.equal(await isAccepted(registerPrinter(database, { client_id })), isClientId(client_id), client_id);
  }
  for (const [length, expected] of [
    [redirectUriMaxLength, true],
    [redirectUriMaxLength + 1, false],
  ] as const) {
    const redirect_uri = 'https://printer.example/'.padEnd(length, 'x');
    assert.equal(await isAccepted(registerPrinter(database, { redirect_uris: [redirect_uri] })), expected, `${length}`);
  }
});

test('SQL and TypeScript know the same authentication methods and signature algorithms', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
  const registers = (security: Partial<ClientSecurity>, client_secret: string | null = null) =>
    isAccepted(registerPrinter(database, { client_secret, jwks, ...security }));
  const nameOf = (method: string) => (method === 'tls_client_auth' ? { tls_client_auth_subject_dn: 'CN=app' } : {});
  // tls_client_auth is offered together with authorities
  const methods = [...supportedMethods({ ...deps.config, takes_certificates: true }), 'tls_client_auth'];
  for (const method of [...methods, 'client_secret_jwt', 'PRIVATE_KEY_JWT']) {
    const secret = method.startsWith('client_secret_') ? printer.client_secret : null;
    const isKnown = await registers({ token_endpoint_auth_method: method, ...nameOf(method) }, secret);
    assert.equal(isKnown, methods.includes(method), method);
  }
  const private_key_jwt = { token_endpoint_auth_method: 'private_key_jwt' };
  for (const alg of [...clientAlgorithms, 'RS256', 'none', 'es256']) {
    const isKnown = await registers({ ...private_key_jwt, request_object_signing_alg: alg });
    assert.equal(
      isKnown,
      clientAlgorithms.some((one) => one === alg),
      alg,
    );
  }
});
