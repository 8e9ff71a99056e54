import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { compareRound } from '../../src/identity/view/view-comparison.ts';
import { type ProfileFieldName, profileFieldNames } from '../../src/lib/profile.ts';
import { Browser, type Page } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { encode, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import {
  cheapHash,
  password,
  registerPeople,
  registerPrinter,
  registerUser,
  startLatchkey,
} from '../support/latchkey.ts';
import { startProvider } from '../support/openid-provider.ts';
import { registerFake, signInAt } from '../support/providers.ts';
import { answerTo, returnWith, sentToWebsite, sharedSecret } from '../support/website.ts';

const env = { SIGN_IN_URL: 'https://www.provider.example/oauth-sign-in', SIGN_IN_SECRET: sharedSecret };
const { origin, database, url, deps } = await startLatchkey(env);
const { latchkey } = commandLineFor(url);
const op = await startProvider();
await registerFake(database, op, { people: 'created' });
await registerPrinter(database, { scopes: ['user', 'user:write'] });
await registerPeople(database, ['root']);
await database.query(`update users set is_admin = true where username = 'root'`);
await database.query(`
  create table staff (subject text primary key, username text, email text, name text);
  create index on staff (username);
  create index on staff (email);
  create view latchkey_accounts as
  select subject, username, email, true as email_verified, name, '${cheapHash}' as password_hash, false as disabled from staff`);
const root = await signedInBrowser(origin, 'root');
const holder = randomUUID();

type Values = Partial<Record<ProfileFieldName, string>>;

async function signIn(username: string): Promise<Browser> {
  const browser = new Browser(origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  return browser;
}

/** How somebody comes from each source, for the first time and once more, and what it keeps of what it has stated. */
const sources: Record<
  string,
  {
    enter(id: string, stated: Values): Promise<Browser>;
    again(id: string, stated: Values): Promise<unknown>;
    keeps(stated: Values): string[];
  }
> = {
  here: {
    async enter(id, stated) {
      await registerUser(database, { username: id, password: cheapHash, ...stated });
      return signIn(id);
    },
    again: (id) => signIn(id),
    keeps: () => [],
  },
  website: {
    async enter(id, stated) {
      const { browser, asked } = await sentToWebsite(origin);
      const verified = stated.email !== undefined && { email_verified: true };
      const page = await returnWith(browser, answerTo(asked, { sub: id, username: id, ...stated, ...verified }));
      assert.ok(page.status < 400, page.text);
      return browser;
    },
    again: (id, stated) => sources['website']?.enter(id, stated) ?? assert.fail(),
    keeps: (stated) => Object.keys(stated),
  },
  provider: {
    async enter(id, stated) {
      const verified = stated.email !== undefined && { email_verified: true };
      op.claims = { sub: id, preferred_username: id, ...stated, ...verified };
      const browser = new Browser(origin);
      const page = await signInAt(browser);
      assert.equal(page.status, 200, page.text);
      return browser;
    },
    again: (id, stated) => sources['provider']?.enter(id, stated) ?? assert.fail(),
    keeps: (stated) => Object.keys(stated),
  },
  view: {
    async enter(id, { name, email }) {
      await database.query('insert into staff values ($1, $1, $2, $3)', [id, email, name]);
      return signIn(id);
    },
    again: () => compareRound(deps, holder),
    // that there is no address is a statement, too
    keeps: (stated) => [...new Set([...Object.keys(stated), 'email'])],
  },
};

/** Sends a form with all of its inputs and one value, whether or not the page offers an input for it. */
async function send(browser: Browser, path: string, changes: Record<string, string>): Promise<Page> {
  const { text } = await browser.visit(path);
  const shown = [...text.matchAll(/name="(csrf|made_from|name|email)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const body = encode({ ...Object.fromEntries(shown), ...changes });
  return browser.visit(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
}

interface Tried {
  isSaved: boolean;
  /** the refusal, as the door says it */
  said: string;
}

const doors: Record<
  string,
  (of: { browser: Browser; id: string; user_id: number }, change: Record<string, string>) => Promise<Tried>
> = {
  async 'the account page'({ browser }, change) {
    const page = await send(browser, '/account', { ...change, current_password: password });
    return { isSaved: /notice=profile_saved/.test(page.url), said: `${page.status} ${page.text}` };
  },
  async 'PATCH /user'({ browser }, change) {
    const { body } = await redeem(origin, await obtainCode(browser, { scope: 'user user:write' }));
    const response = await fetch(`${origin}/user`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${body['access_token']}`, 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    return { isSaved: response.status === 200, said: `${response.status} ${await response.text()}` };
  },
  async '/admin'({ user_id }, change) {
    const page = await send(root, `/admin/people/${user_id}`, { ...change, action: 'change' });
    return { isSaved: /notice=done\.change/.test(page.url), said: `${page.status} ${page.text}` };
  },
  async 'latchkey user update'({ id }, change) {
    const words = Object.entries(change).flatMap(([field, value]) => [`--${field}`, value]);
    const { code, err } = await latchkey(['user', 'update', id, ...words]);
    return { isSaved: code === 0, said: err };
  },
};

/** How each door refuses a value that is kept elsewhere. */
const refusals: Record<string, RegExp> = {
  'the account page': /^403 [\s\S]*the form had a value that can only be changed at its source/,
  'PATCH /user': /^403 \{"error":"access_denied","error_description":"[^"]*can change there only: (name|email)"/,
  '/admin': /^400 [\s\S]*the form had a value that can only be changed at its source/,
  'latchkey user update': /(name|email) can only be changed at the source \((website|view|provider:acme)\)/,
};

const stored = async (id: string) => {
  const { rows } = await database.query(
    'select user_id, username, name, email, email_verified, pending_email from users where username = $1',
    [id],
  );
  return rows[0];
};

let count = 0;

for (const [source, { enter, again, keeps }] of Object.entries(sources)) {
  for (const [door, change] of Object.entries(doors)) {
    test(`what ${door} says was saved about somebody of the source ${source} stays, and what the source states is refused`, async () => {
      for (const field of profileFieldNames) {
        for (const isStated of source === 'here' ? [true] : [true, false]) {
          count += 1;
          const id = `person-${count}`;
          const whole = { name: `Name ${count}`, email: `${id}@example.com` };
          const { [field]: left, ...rest } = whole;
          const stated: Values = isStated ? whole : rest;
          const browser = await enter(id, stated);
          await database.query('truncate attempts');
          const before = await stored(id);
          const value = field === 'name' ? 'Another Name' : `other-${id}@example.com`;
          const { isSaved, said } = await change({ browser, id, user_id: before.user_id }, { [field]: value });
          const isKept = keeps(stated).includes(field);
          const what = `${source}, ${door}, ${field}, ${isStated ? 'stated' : 'not stated'}: ${said.slice(0, 300)}`;
          assert.equal(isSaved, !isKept, what);
          if (isKept) assert.match(said, refusals[door] ?? assert.fail(), what);
          if (isKept) assert.deepEqual(await stored(id), before, what);
          await again(id, stated);
          const { [field]: now, pending_email } = await stored(id);
          assert.equal([now, field === 'email' && pending_email].includes(value), isSaved, what);
        }
      }
    });
  }
}
