import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientIdMaxLength, isClientId } from '../../src/protocol/client-id.ts';
import { bcryptCost, passwordMaxBytes, passwordMinCharacters } from '../../src/protocol/password.ts';
import { isValidProfileValue, profileFieldNames, profileFields } from '../../src/protocol/profile.ts';
import { redirectUriMaxLength } from '../../src/protocol/redirect-uri.ts';
import { registerPrinter, startLatchkey } from '../support/latchkey.ts';

// TypeScript checks what people send, SQL what seeds and commands register: each limit stands once in either, and here they meet.

const { database } = await startLatchkey();

async function isAccepted(run: Promise<unknown>): Promise<boolean> {
  return run.then(
    () => true,
    (error) => {
      if (error.code !== '23514') throw error;
      return false;
    },
  );
}

const registerUser = (user: Record<string, string>) => {
  const values = { username: 'ada', password: 'wonderland', ...user };
  const parameters = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  return isAccepted(database.query(`select register_user(${parameters.join(', ')})`, Object.values(values)));
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
  await registerUser({ username: 'grace' });
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
