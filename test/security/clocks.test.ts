import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, getWith, proofOf, redeemWith } from '../support/dpop.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { type MacToken, macHeader } from '../support/mac.ts';

const { origin, database } = await startWithPrinter({
  SESSION_SECRET: 'a session secret that is long enough for this',
});
const key = createClientKey('one');
await registerKeyClient(database, { keys: [key] });
const mac = { client_id: 'mac-printer', name: 'Mac Printer' };
await registerPrinter(database, mac);
await database.query("update clients set token_binding = 'mac' where client_id = 'mac-printer'");
const browser = await signedInBrowser(origin);

/** The process, and whoever sends requests, have another clock than the database. */
async function withClock<T>(t: TestContext, seconds: number, act: () => Promise<T>): Promise<T> {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1000 });
  try {
    return await act();
  } finally {
    t.mock.timers.reset();
  }
}

for (const [title, seconds] of [
  ['an hour ahead', 3600],
  ['an hour behind', -3600],
  ['a day behind', -86_400],
  ['a month ahead', 31 * 86_400],
] as const) {
  test(`what a process issues whose clock is ${title} is found, and lives as long as it says by the clock of the database [F37]`, async (t) => {
    const [issued, code] = await withClock(t, seconds, async () => {
      const { body } = await redeem(origin, await obtainCode(browser));
      assert.equal((await getUser(origin, body['access_token'])).status, 200);
      return [(await refresh(origin, body['refresh_token'])).body, await obtainCode(browser)];
    });
    assert.equal((await getUser(origin, issued['access_token'])).status, 200);
    assert.equal((await refresh(origin, issued['refresh_token'])).status, 200);
    assert.equal((await redeem(origin, code)).status, 200);
    const { rows } = await database.query(
      'select max(extract(epoch from expires_at - now()))::integer as seconds from access_tokens',
    );
    assert.ok(Math.abs(rows[0].seconds - 3600) < 60, `lives for ${rows[0].seconds} s`);
  });
}

/** Each asks twice with the same proof; the second time it must not count. */
const proofs = {
  async 'a DPoP proof'() {
    const own = await createDpopKey();
    const { access_token } = (await redeemWith(own, origin, await obtainCode(browser))).body;
    return async () => {
      const dpop = await proofOf(own, { method: 'GET', url: `${origin}/user`, access_token });
      return async () => (await getWith(`${origin}/user`, { authorization: `DPoP ${access_token}`, dpop })).status;
    };
  },
  async 'a client assertion'() {
    return async () => {
      const assertion = withAssertion(await sign(key, origin));
      return async () =>
        (await post(`${origin}/introspect`, { token: 'x', ...assertion }, { authorization: '' })).status;
    };
  },
  async 'a MAC'() {
    const code = await obtainCode(browser, { client_id: mac.client_id });
    const { body } = await redeem(origin, code, {}, { authorization: basic(mac.client_id) });
    return async () => {
      const authorization = macHeader(body as unknown as MacToken, origin);
      return async () => (await getWith(`${origin}/user`, { authorization })).status;
    };
  },
};

for (const [kind, prepare] of Object.entries(proofs)) {
  test(`${kind} counts once at instances whose clocks differ by a minute [F37]`, async (t) => {
    const make = await prepare();
    const sent = await withClock(t, -30, async () => {
      const send = await make();
      assert.equal(await send(), 200);
      assert.equal(await send(), 401);
      return send;
    });
    assert.equal(await withClock(t, 30, sent), 401);
  });

  test(`${kind} is refused where the clock has gone back so far that the database would not remember it [F37]`, async (t) => {
    const make = await prepare();
    await withClock(t, -3600, async () => {
      const send = await make();
      assert.equal(await send(), 401);
    });
    const send = await make();
    assert.equal(await send(), 200);
  });
}
