// ci: long ways in a real browser
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { launchBrowser, skip } from './chromium.ts';

/** An authenticator that Chromium imitates, in one page. */
interface Authenticator {
  page: Page;
  /** whether it answers by itself what a page asks for */
  answers(enabled: boolean): Promise<void>;
  verifies(enabled: boolean): Promise<void>;
  /** the ids of the passkeys that it holds */
  held(): Promise<string[]>;
  /** another one in its place */
  replace(changes: object): Promise<void>;
}

describe('passkeys in a real browser', { skip }, async () => {
  const { database, deps } = await startLatchkey({ ISSUER: 'http://localhost:0' });
  const { issuer } = deps.config;
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  async function open(work: (authenticator: Authenticator) => Promise<void>, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await work({ page, ...(await attach(await context.newCDPSession(page))) });
    await context.close();
    assert.deepEqual(complaints, []);
  }

  async function attach(devtools: CDPSession) {
    await devtools.send('WebAuthn.enable');
    const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;
    const state = { isUserVerified: true, automaticPresenceSimulation: false };
    const plug = async (changes: object) =>
      devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...kind, ...state, ...changes } });
    let { authenticatorId } = await plug({});
    return {
      answers: (enabled: boolean) =>
        devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }).then(() => {}),
      verifies: (isUserVerified: boolean) =>
        devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => {}),
      held: async () => {
        const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
        return credentials.map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'));
      },
      replace: async (changes: object) => {
        await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
        ({ authenticatorId } = await plug(changes));
      },
    };
  }

  async function signIn(page: Page, name: string): Promise<void> {
    await registerPeople(database, [name]);
    await page.goto(`${issuer}/login?to=/account/security`);
    await page.fill('#username', name);
    await page.fill('#password', password);
    await page.click('#login');
    await page.waitForSelector('#passkeys');
  }

  async function add({ page, answers }: Authenticator, link = '#add-passkey'): Promise<void> {
    await page.click(link);
    await answers(true);
    await page.click('#create');
    await page.waitForSelector(link === '#add-key' ? '.codes' : '.notice');
    await answers(false);
  }

  async function signOut(page: Page): Promise<void> {
    await page.click('header button.link');
    await page.goto(`${issuer}/login?to=/account/security`);
  }

  test('a person adds a passkey, signs in with it by the button, and removes it', () =>
    open(async (authenticator) => {
      const { page, answers } = authenticator;
      await signIn(page, 'ann');
      await add(authenticator);
      assert.match((await page.textContent('[aria-labelledby=passkeys]')) ?? '', /Chrome · Linux/);
      await signOut(page);
      await page.waitForSelector('button#passkey');
      await answers(true);
      await page.click('button#passkey');
      await page.waitForSelector('#passkeys');
      await answers(false);
      await page.click('[aria-labelledby=passkeys] .row a');
      await page.click('#remove');
      await page.waitForSelector('.notice');
      assert.match((await page.textContent('[aria-labelledby=passkeys]')) ?? '', /You have no passkeys yet/);
    }));

  /** What the pages tell the password manager, which is told as well. */
  async function signalsOf(page: Page): Promise<[string, Record<string, unknown>][]> {
    const told: [string, Record<string, unknown>][] = [];
    await page.exposeFunction(
      'note',
      (method: string, facts: Record<string, unknown>) => void told.push([method, facts]),
    );
    await page.addInitScript(() => {
      const methods = PublicKeyCredential as unknown as Record<string, (facts: object) => Promise<void>>;
      for (const method of ['signalAllAcceptedCredentials', 'signalCurrentUserDetails', 'signalUnknownCredential']) {
        const signal = methods[method]?.bind(PublicKeyCredential);
        methods[method] = async (facts) => {
          await (globalThis as unknown as { note(method: string, facts: object): Promise<void> }).note(method, facts);
          await signal?.(facts);
        };
      }
    });
    return told;
  }

  async function become<Value>(expected: Value, look: () => Value | Promise<Value>): Promise<void> {
    for (let turn = 0; turn < 100 && JSON.stringify(await look()) !== JSON.stringify(expected); turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await look(), expected);
  }

  test('the password manager drops a passkey that was removed, and learns the name of the person', () =>
    open(async (authenticator) => {
      const { page, held } = authenticator;
      const told = await signalsOf(page);
      await signIn(page, 'nora');
      assert.deepEqual(told, [], 'there is no passkey to tell of');
      await add(authenticator);
      const [id] = await held();
      const { rows } = await database.query(`select passkey_handle from users where username = 'nora'`);
      const whose = { rpId: 'localhost', userId: rows[0].passkey_handle.toString('base64url') };
      const accepted = (...ids: (string | undefined)[]) => [
        ['signalAllAcceptedCredentials', { ...whose, allAcceptedCredentialIds: ids }],
        ['signalCurrentUserDetails', { ...whose, name: 'nora', displayName: 'nora Liddell' }],
      ];
      await become(accepted(id), () => told);
      assert.deepEqual(await held(), [id]);
      await page.click('[aria-labelledby=passkeys] .row a');
      told.length = 0;
      await page.click('#remove');
      await page.waitForSelector('.notice');
      await become(accepted(), () => told);
      await become([], held);
    }));

  test('the password manager drops a passkey that nobody has here, and is told of no other', () =>
    open(async (authenticator) => {
      const { page, answers, held } = authenticator;
      const told = await signalsOf(page);
      await signIn(page, 'olga');
      await add(authenticator);
      const [id] = await held();
      await become(2, () => told.length);
      await database.query('delete from passkeys');
      told.length = 0;
      await signOut(page);
      await page.waitForSelector('button#passkey');
      assert.deepEqual(told, [], 'whoever is not signed in learns of no passkey');
      await answers(true);
      await page.click('button#passkey');
      await page.waitForSelector('#problem');
      await become([], held);
      // the page that shows the problem offers passkeys again, and this authenticator answers at once
      const signals = new Set(told.map((signal) => JSON.stringify(signal)));
      assert.deepEqual(
        [...signals],
        [JSON.stringify(['signalUnknownCredential', { rpId: 'localhost', credentialId: id }])],
      );
    }));

  test('the browser offers the passkey at the username, and whoever chooses it is signed in', () =>
    open(async (authenticator) => {
      const { page, answers } = authenticator;
      await signIn(page, 'ben');
      await add(authenticator);
      assert.equal(await page.locator('.notice').count(), 1);
      // this authenticator chooses at once
      await answers(true);
      await signOut(page);
      await page.waitForSelector('#passkeys');
      assert.match((await page.textContent('header')) ?? '', /ben Liddell/);
    }));

  /** A browser whose password manager makes passkeys by itself, or not. */
  const managerMakes = (page: Page, conditionalCreate: boolean) =>
    page.addInitScript((makes) => {
      PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: makes });
      const { credentials } = navigator;
      const create = credentials.create.bind(credentials);
      // this authenticator makes none by itself, so it is asked as after a click
      credentials.create = ({
        mediation = 'none',
        ...request
      }: CredentialCreationOptions & { mediation?: string } = {}) => {
        sessionStorage.setItem('mediation', mediation);
        return create(request);
      };
    }, conditionalCreate);

  const mediation = (page: Page) => page.evaluate(() => sessionStorage.getItem('mediation'));

  async function signInToHome(page: Page, name: string): Promise<void> {
    await registerPeople(database, [name]);
    await page.goto(`${issuer}/login`);
    await page.fill('#username', name);
    await page.fill('#password', password);
    await page.click('#login');
    await page.waitForURL(`${issuer}/`);
  }

  test('after a sign-in with the password, the password manager adds a passkey on the home page, where nobody waits for it', () =>
    open(async ({ page, answers, held }) => {
      await managerMakes(page, true);
      await answers(true);
      await signInToHome(page, 'paula');
      await page.waitForSelector('.notice[role=status]');
      assert.match((await page.textContent('.notice')) ?? '', /Your password manager saved a passkey/);
      assert.equal((await held()).length, 1);
      assert.equal(await mediation(page), 'conditional');
      assert.equal(await page.locator('form[data-passkey]').count(), 0);
    }));

  test('another browser offers a passkey on the home page, until the person does not want one', () =>
    open(async ({ page, held }) => {
      await managerMakes(page, false);
      await signInToHome(page, 'quinn');
      await page.click('#take-offer');
      await page.waitForSelector('#create');
      await page.goto(issuer);
      assert.equal(await mediation(page), null, 'nothing is made without a click');
      await page.click('#decline');
      await page.waitForURL(`${issuer}/`);
      assert.equal(await page.locator('#take-offer').count(), 0);
      assert.deepEqual(await held(), []);
    }));

  test('a passkey that does not verify the person signs nobody in, whatever the page has asked for', () =>
    open(async (authenticator) => {
      const { page, answers, verifies } = authenticator;
      await signIn(page, 'cleo');
      await add(authenticator);
      await signOut(page);
      await page.evaluate(() => {
        const { credentials } = navigator;
        const ask = credentials.get.bind(credentials);
        credentials.get = (request) =>
          ask({ ...request, publicKey: { ...request?.publicKey, userVerification: 'discouraged' } as never });
      });
      await verifies(false);
      await answers(true);
      await page.click('button#passkey');
      await page.waitForSelector('#problem');
      assert.match((await page.textContent('#problem')) ?? '', /This passkey did not work/);
    }));

  test('a person removes the password, signs in with the passkey, and sets a password again', () =>
    open(async (authenticator) => {
      const { page, answers } = authenticator;
      await signIn(page, 'dora');
      await add(authenticator);
      await page.click('#remove-password');
      await page.click('#remove');
      await page.waitForSelector('#set-password');
      await answers(true);
      await signOut(page);
      await page.waitForSelector('#set-password');
      await answers(false);
      await page.click('#set-password');
      await page.fill('#new_password', 'curiouser and curiouser');
      await page.fill('#repeat_password', 'curiouser and curiouser');
      await page.click('#save');
      await page.waitForSelector('#remove-password');
      await signOut(page);
      await page.fill('#username', 'dora');
      await page.fill('#password', 'curiouser and curiouser');
      await page.click('#login');
      await page.waitForSelector('#passkeys');
    }));

  test('a security key without verification turns on two-step sign-in, and is the second step', () =>
    open(async (authenticator) => {
      const { page } = authenticator;
      await signIn(page, 'egon');
      await authenticator.replace({ hasResidentKey: false, hasUserVerification: false });
      await add(authenticator, '#add-key');
      await page.click('#go-on');
      assert.match((await page.textContent('[aria-labelledby=passkeys]')) ?? '', /Only for two-step verification/);
      assert.equal(await page.locator('#remove-password').count(), 0);
      await signOut(page);
      await page.fill('#username', 'egon');
      await page.fill('#password', password);
      await page.click('#login');
      await page.waitForSelector('button#passkey');
      await authenticator.answers(true);
      await page.click('button#passkey');
      await page.waitForSelector('#passkeys');
    }));

  test('an authenticator that has one passkey of a person makes no second one, and the page says so', () =>
    open(async (authenticator) => {
      const { page, answers } = authenticator;
      await signIn(page, 'fritz');
      await add(authenticator);
      await database.query(`update sessions set auth_time = now() - interval '16 minutes'
        where user_id = (select user_id from users where username = 'fritz')`);
      await page.click('#add-passkey');
      await page.fill('#password', password);
      await page.click('#prove');
      await answers(true);
      await page.click('#create');
      await page.waitForSelector('#passkey-failed:not([hidden])');
    }));

  test('without scripts, in German and on a narrow screen, the password form works and no passkey is offered', () =>
    open(
      async ({ page }) => {
        await registerPeople(database, ['gerd']);
        await page.goto(`${issuer}/login?to=/account/security`);
        assert.equal(await page.isVisible('button#passkey'), false);
        await page.fill('#username', 'gerd');
        await page.fill('#password', password);
        await page.click('#login');
        await page.click('text=Passkey hinzufügen');
        assert.match((await page.textContent('#no-passkeys')) ?? '', /erfordern JavaScript/);
        assert.equal(await page.isVisible('#create'), false);
        await page.goto(issuer);
        assert.equal(await page.isVisible('#take-offer'), false);
      },
      { javaScriptEnabled: false, locale: 'de', viewport: { width: 320, height: 640 } },
    ));

  test('a sign-in page that was left open gets a new challenge when somebody comes back, unless they have begun to type', () =>
    open(async ({ page }) => {
      await page.clock.install();
      await page.goto(`${issuer}/login`);
      const challenge = () => page.getAttribute('form[data-passkey]', 'data-options');
      const comeBack = () => page.evaluate(() => void dispatchEvent(new Event('focus')));
      const first = await challenge();
      await comeBack();
      await page.clock.fastForward('05:00');
      await page.fill('#username', 'h');
      await comeBack();
      assert.equal(await challenge(), first);
      await page.fill('#username', '');
      await Promise.all([page.waitForEvent('load'), comeBack()]);
      assert.notEqual(await challenge(), first);
    }));
});
