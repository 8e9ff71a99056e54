import { test } from 'node:test';
import { assertRefused, commandLineFor } from '../support/command-line.ts';
import { startLatchkey } from '../support/latchkey.ts';

const { database, url } = await startLatchkey();
const { latchkey } = commandLineFor(url);

test('a name or an address by which somebody else signs in is refused with what to do', async () => {
  await database.query(`select register_user(username => 'bob', email => 'bob@example.com')`);
  for (const [words, message] of [
    [['bob@example.com'], /that is the address of the user 'bob'\. Choose another name or address/],
    [['BOB'], /that is the name of the user 'bob'\. Choose another/],
    [['carol', '--email', 'Bob@example.com'], /cannot sign in as 'Bob@example\.com'.*\. Choose another/],
  ] as const) {
    assertRefused(await latchkey(['user', 'create', ...words], { input: 'analytical engine' }), 1, message);
  }
});
