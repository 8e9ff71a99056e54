import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLink } from '../../src/accounts/mail/mailed-links.ts';
import { createInvitationLink } from '../../src/accounts/sign-up/sign-up.ts';
import { Browser } from '../support/browser.ts';
import { obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, startWithPrinter } from '../support/latchkey.ts';
import { withClock } from '../support/process-clock.ts';
import { recorded } from '../support/recorded.ts';
import { codeOf, setUpApp } from '../support/second-factor.ts';

const { origin, database, deps } = await startWithPrinter({ SIGN_UP: 'invited' });

const clocks = [90, -90, 3600, -3600, -8 * 86_400, 8 * 86_400];
const halfSignIn = async (username: string, browser = new Browser(origin)) =>
  browser.submit(await browser.visit('/login'), 'id="login"', { username, password });

test('no code of an app counts twice and none of another minute once, and the present one does, whatever the clock of the process says [F58]', async (t) => {
  await registerPeople(database, ['ada']);
  const { secret } = await setUpApp(await signedInBrowser(origin, 'ada'));
  for (const seconds of clocks) {
    await database.query('delete from attempts');
    await database.query('update totp_factors set last_step = 0');
    const [present, ofThatClock] = [codeOf(secret), codeOf(secret, Math.trunc(seconds / 30))];
    await withClock(t, seconds, async () => {
      for (const [code, status] of [
        [ofThatClock, 401],
        [present, 200],
        [present, 401],
      ] as const) {
        const browser = new Browser(origin);
        const step = await halfSignIn('ada', browser);
        assert.equal((await browser.submit(step, 'id="verify"', { code })).status, status, `${seconds} ${code}`);
      }
    });
  }
});

test('a sign-in proves who it is for a quarter of an hour, and undoes what is a week old, by the clock of the database [F58]', async (t) => {
  await registerPeople(database, ['bob']);
  const browser = await signedInBrowser(origin, 'bob');
  const setAge = (seconds: number) =>
    database.query('update sessions set auth_time = now() - make_interval(secs => $1)', [seconds]);
  const setEvent = (age: string) =>
    database.query(
      `insert into audit_events (happened_at, event, user_id, request_id)
       select now() - $1::interval, 'password_changed', user_id, 'r' from users where username = 'bob'`,
      [age],
    );
  await setEvent('7 days -1 minute');
  await setEvent('7 days 1 minute');
  for (const seconds of clocks) {
    await withClock(t, seconds, async () => {
      await setAge(890);
      assert.doesNotMatch((await browser.visit('/account/security')).text, /name="password"/, `${seconds}`);
      await setAge(910);
      assert.match((await browser.visit('/account/security')).text, /name="password"/, `${seconds}`);
      const links = [...(await browser.visit('/account/activity')).text.matchAll(/not-me\?event=/g)];
      assert.equal(links.length, 2, `the sign-in and the younger change, ${seconds}`);
    });
  }
});

test('links of mails live as long as they say, and no sign-in is of the future, by the clock of the database [F58]', async (t) => {
  await registerPeople(database, ['carol']);
  const { rows } = await database.query("select user_id from users where username = 'carol'");
  for (const seconds of clocks) {
    await withClock(t, seconds, async () => {
      for (const table of ['mailed_links', 'sign_up_links']) await database.query(`delete from ${table}`);
      const reset = await createLink(deps, { purpose: 'reset', user_id: rows[0].user_id });
      const invited = { address: 'x@y.example', is_handed_over: true };
      const invitation = new URL(await createInvitationLink(deps, invited, recorded('user_invited')));
      const lifetimes = await database.query(
        `select extract(epoch from expires_at - now())::integer as seconds from mailed_links
         union all select extract(epoch from expires_at - now())::integer from sign_up_links`,
      );
      for (const [at, expected] of [3600, 7 * 86_400].entries())
        assert.ok(Math.abs(lifetimes.rows[at].seconds - expected) < 5, `${seconds}`);
      const open = async () =>
        Promise.all(
          [`/reset-password?token=${reset}`, invitation.pathname + invitation.search].map(
            async (path) => (await new Browser(origin).visit(path)).status,
          ),
        );
      assert.deepEqual(await open(), [200, 200]);
      await database.query("update mailed_links set expires_at = now() - interval '1 second'");
      await database.query("update sign_up_links set expires_at = now() - interval '1 second'");
      assert.deepEqual(await open(), [410, 410]);
      await database.query('delete from attempts');
      const browser = await signedInBrowser(origin, 'carol');
      const { access_token } = (await redeem(origin, await obtainCode(browser))).body;
      const { body } = await post(`${origin}/introspect`, { token: String(access_token) });
      const now = (await database.query('select extract(epoch from now())::float8 as now')).rows[0].now;
      assert.ok(Math.abs(Number(body['auth_time']) - now) < 10 && Number(body['auth_time']) <= now, `${seconds}`);
    });
  }
});
