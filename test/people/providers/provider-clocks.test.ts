import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { startProvider } from '../../support/openid-provider.ts';
import { problemOn, registerFake, signInAt } from '../../support/providers.ts';

const { origin, database } = await startLatchkey();
const op = await startProvider();
await registerPeople(database);
await registerFake(database, op);
await database.query(`select link_identity('alice', $1, 'ada-at-acme')`, [op.issuer]);
afterEach(() => mock.restoreAll());

/** Moves the clock of this process, and leaves that of the provider, which runs in it, where it was. */
function moveClock(seconds: number): void {
  const genuine = Date.now.bind(Date);
  mock.method(Date, 'now', () => genuine() + seconds * 1000);
  op.ahead = -seconds;
}

for (const seconds of [90, -90, 3600]) {
  test(`a clock of this server that is ${seconds} seconds ahead changes nothing: that of the database decides`, async () => {
    moveClock(seconds);
    op.claims = {};
    assert.equal(problemOn(await signInAt(new Browser(origin))), undefined);
    const { rows } = await database.query(
      `select abs(date_part('epoch', now() - auth_time)) < 5 as is_now from sessions order by created_at desc limit 1`,
    );
    assert.deepEqual(rows, [{ is_now: true }]);
    op.claims = { exp: Math.floor(Date.now() / 1000) - seconds - 31 };
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'provider_wrong');
  });
}
