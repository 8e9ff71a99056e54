import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/** CHROMIUM, or where distributions put it. */
const executable = process.env['CHROMIUM'] ?? places.find((path) => existsSync(path));

/** The reason to skip tests, for `describe(…, { skip })`, or false; always false in CI, so that a missing browser fails there. */
export const skip =
  !process.env['CI'] && !(executable && existsSync(executable)) && 'no Chromium found (set CHROMIUM to its path)';

/** `hasPageCache`: with the back-forward cache, as people have it. */
export async function launchBrowser({ hasPageCache = false } = {}): Promise<Browser> {
  if (!executable) throw new Error('no Chromium found (set CHROMIUM to its path)');
  const alone = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
  const browser = await chromium.launch({
    executablePath: executable,
    ...(hasPageCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', ...alone],
  });
  // on a busy machine a page can take longer than the half minute after which Playwright gives up
  browser.on('context', (context) => context.setDefaultTimeout(300_000));
  return browser;
}
