import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { codeAt, stepAt } from '../../src/lib/totp.ts';
import type { Browser, Page } from './browser.ts';
import { password } from './latchkey.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The key of a page, read as an app reads it. */
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

/** What the app shows so many steps from now: a code of now or the next step is good for half a minute at least. */
export const codeOf = (secret: Buffer, steps = 0) => codeAt(secret, stepAt(Date.now() / 1000) + steps);

/** The code of the step before, which is good until the present step ends: not taken in its last second. */
export async function codeBefore(secret: Buffer): Promise<string> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 1000) await wait(left);
  return codeOf(secret, -1);
}

export const codesOn = ({ text }: Page): string[] =>
  [...text.matchAll(/<code class="recovery-code">([^<]+)<\/code>/g)].map(([, code]) => code ?? '');

/** Sets up an app for whoever is signed in; its first code is that of the step before, so that the present one is unused. */
export async function setUpApp(browser: Browser): Promise<{ secret: Buffer; codes: string[] }> {
  const setup = await browser.submit(await browser.visit('/account/security'), 'id="add-code"', { password });
  const secret = secretOn(setup);
  const done = await browser.submit(setup, 'id="verify"', { code: await codeBefore(secret) });
  const codes = codesOn(done);
  assert.equal(codes.length, 10, done.text);
  return { secret, codes };
}
