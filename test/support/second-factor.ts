import assert from 'node:assert/strict';
import { codeAt, stepAt } from '../../src/protocol/totp.ts';
import type { Browser, Page } from './browser.ts';
import { password } from './latchkey.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** As an app reads the key that a page shows. */
export function secretOn(page: Page): Buffer {
  const written = /id="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1];
  assert.ok(written, `no secret on ${page.url}: ${page.status} ${page.text.slice(0, 1500)}`);
  return readSecret(written);
}

export function readSecret(written: string): Buffer {
  const bits = [...written.replaceAll(' ', '')]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What the app shows so many steps from now. */
export const codeOf = (secret: Buffer, steps = 0) => codeAt(secret, stepAt(Date.now() / 1000) + steps);

export const codesOn = ({ text }: Page): string[] =>
  [...text.matchAll(/<code class="recovery-code">([^<]+)<\/code>/g)].map(([, code]) => code ?? '');

/** Sets up an app for whoever is signed in; its first code is that of the step before, so that the present one is unused. */
export async function setUpApp(browser: Browser): Promise<{ secret: Buffer; codes: string[] }> {
  const setup = await browser.submit(await browser.visit('/account/security'), 'id="add-code"', { password });
  const secret = secretOn(setup);
  const done = await browser.submit(setup, 'id="verify"', { code: codeOf(secret, -1) });
  const codes = codesOn(done);
  assert.equal(codes.length, 10, done.text);
  return { secret, codes };
}
