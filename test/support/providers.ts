import assert from 'node:assert/strict';
import type { Database } from '../../src/postgres/database.ts';
import type { Browser, Page } from './browser.ts';
import { authorizationQuery } from './flow.ts';
import type { FakeProvider } from './openid-provider.ts';

type Registration = Record<string, unknown>;

/** `acme`, unless another name is given; undefined leaves an argument out. */
export async function registerProvider(database: Database, changes: Registration): Promise<void> {
  const registration = {
    name: 'acme',
    issuer: 'https://login.acme.example',
    client_id: 'latchkey',
    client_secret: 'the secret of latchkey at the provider',
    ...changes,
  };
  const stated = Object.entries(registration).filter(([, value]) => value !== undefined);
  const parameters = stated.map(([name], index) => `${name} => $${index + 1}`).join(', ');
  await database.query(
    `select register_provider(${parameters})`,
    stated.map(([, value]) => value),
  );
}

export const registerFake = (database: Database, op: FakeProvider, changes: Registration = {}) =>
  registerProvider(database, {
    issuer: op.issuer,
    client_id: op.client_id,
    client_secret: op.client_secret,
    ...changes,
  });

/** The address of the provider to which a press of its button leads. */
export async function pressButton(browser: Browser, query = '', name = 'acme'): Promise<URL> {
  const page = await browser.visit(query === '' ? '/login' : `/authorize?${query}`);
  const pressed = await browser.submit(page, `value="${name}"`);
  assert.ok(pressed.location, `${pressed.status} ${pressed.text}`);
  return new URL(pressed.location);
}

/** Where the provider sends the browser back, after the person has signed in there. */
export async function answerOf(url: URL): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  assert.ok(location, `${url} answers with ${response.status}`);
  return location;
}

/** All of it; the page to which the answer leads. */
export async function signInAt(browser: Browser, query = '', name = 'acme'): Promise<Page> {
  return browser.visit(await answerOf(await pressButton(browser, query, name)));
}

/** Signs in at the provider in the middle of an authorization request; the page to which the answer leads. */
export const authorizeAt = (browser: Browser, changes: Parameters<typeof authorizationQuery>[0] = {}, name = 'acme') =>
  signInAt(browser, authorizationQuery(changes), name);

/** What the page says that has stopped a sign-in. */
export function problemOn(page: Page): string | undefined {
  return /id="stopped" data-problem="(\w+)"/.exec(page.text)?.[1];
}
