import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, getWith, proofOf, redeemWith } from '../support/dpop.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { type MacToken, macHeader } from '../support/mac.ts';
import { withClock } from '../support/process-clock.ts';
import { signRequest } from '../support/request-object.ts';

const { origin, database } = await startWithPrinter({
  SESSION_SECRET: 'a session secret that is long enough for this',
});
const key = createClientKey('one');
await registerKeyClient(database, { keys: [key] });
await database.query('update clients set jwks = $1 where client_id = $2', [{ keys: [key.jwk] }, printer.client_id]);
const mac = { client_id: 'mac-printer', name: 'Mac Printer' };
await registerPrinter(database, mac);
await database.query("update clients set token_binding = 'mac' where client_id = 'mac-printer'");
const browser = await signedInBrowser(origin);

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

/** What the client is told of a refusal. */
interface Told {
  status: number;
  body: Record<string, unknown>;
}

const isAboutClocks = ({ body }: Told) =>
  /clocks? of .* and (of )?its database/.test(String(body['error_description']));

/** Each asks twice with the same proof; the second time it must not count. */
const proofs = {
  async 'a DPoP proof'() {
    const own = await createDpopKey();
    const { access_token } = (await redeemWith(own, origin, await obtainCode(browser))).body;
    return async () => {
      const dpop = await proofOf(own, { method: 'GET', url: `${origin}/user`, access_token });
      return (): Promise<Told> => getWith(`${origin}/user`, { authorization: `DPoP ${access_token}`, dpop });
    };
  },
  async 'a client assertion'() {
    return async () => {
      const assertion = withAssertion(await sign(key, origin));
      return (): Promise<Told> => post(`${origin}/introspect`, { token: 'x', ...assertion }, { authorization: '' });
    };
  },
  async 'a MAC'() {
    const code = await obtainCode(browser, { client_id: mac.client_id });
    const { body } = await redeem(origin, code, {}, { authorization: basic(mac.client_id) });
    return async () => {
      const authorization = macHeader(body as unknown as MacToken, origin);
      return (): Promise<Told> => getWith(`${origin}/user`, { authorization });
    };
  },
};

for (const [kind, prepare] of Object.entries(proofs)) {
  test(`${kind} counts once at instances whose clocks differ by a minute [F37]`, async (t) => {
    const make = await prepare();
    const sent = await withClock(t, -30, async () => {
      const send = await make();
      assert.equal((await send()).status, 200);
      const repeated = await send();
      assert.deepEqual([repeated.status, isAboutClocks(repeated)], [401, false]);
      return send;
    });
    assert.equal((await withClock(t, 30, sent)).status, 401);
  });

  test(`${kind} is refused where the clock has gone back so far that the database would not remember it, and the refusal names the clocks [F37]`, async (t) => {
    const make = await prepare();
    await withClock(t, -3600, async () => {
      const send = await make();
      const refused = await send();
      assert.deepEqual([refused.status, isAboutClocks(refused)], [401, true], JSON.stringify(refused.body));
    });
    const send = await make();
    assert.equal((await send()).status, 200);
  });
}

for (const [where, ask] of Object.entries({
  'a DPoP proof at /token': async () => redeemWith(await createDpopKey(), origin, await obtainCode(browser)),
  'a request object': async () => post(`${origin}/par`, { request: await signRequest(key, origin) }),
})) {
  test(`${where} is refused where the clock of the server is behind that of the database, and the refusal names the clocks`, async (t) => {
    const { body } = await withClock(t, -3600, ask);
    assert.match(String(body['error_description']), /compare the clock of the client with those of this server/);
    assert.ok((await ask()).status < 300);
  });
}
