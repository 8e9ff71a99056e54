import { type Algorithm, type Changes, makePasskey, optionsIn, type SoftPasskey } from './authenticator.ts';
import type { Browser, Page } from './browser.ts';
import { password } from './latchkey.ts';

export const passkeyIssuer = 'https://id.example';

/** The page on which a browser makes a passkey, after the proof by the password. */
export async function newPasskeyPage(browser: Browser, path = '/account/passkeys/new'): Promise<Page> {
  const page = await browser.visit(path);
  return page.text.includes('id="prove"') ? browser.submit(page, 'id="prove"', { password }) : page;
}

/** A passkey of whoever is signed in. */
export async function addPasskey(
  browser: Browser,
  changes: Changes = {},
  { alg = 'ES256', path }: { alg?: Algorithm; path?: string } = {},
): Promise<{ passkey: SoftPasskey; answer: Page }> {
  const page = await newPasskeyPage(browser, path);
  const { passkey, fields } = makePasskey(passkeyIssuer, optionsIn(page), changes, alg);
  return { passkey, answer: await browser.submit(page, 'id="create"', fields) };
}
