import { mkdir, rm, writeFile } from 'node:fs/promises';
import { launchBrowser } from './chromium.ts';
import { fixtures } from './fixtures.ts';
import { openGallery } from './gallery.ts';
import { smallPng } from './small-png.ts';

/** `npx tsx test/browser/screenshots.ts [name …]`: every page, light, dark and on two phones, into screenshots/. */
const looks = [
  { look: 'light', width: 1024, scheme: 'light' },
  { look: 'dark', width: 1024, scheme: 'dark' },
  { look: 'phone', width: 390, scheme: 'light' },
  { look: 'narrow', width: 320, scheme: 'dark' },
] as const;

const wanted = process.argv.slice(2);
const directory = new URL('screenshots/', import.meta.url);
if (wanted.length === 0) await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });

const { origin, close } = await openGallery();
const browser = await launchBrowser();
try {
  for (const { look, width, scheme } of looks) {
    const page = await browser.newPage({ viewport: { width, height: 720 }, colorScheme: scheme });
    for (const { name } of fixtures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      await page.goto(`${origin}/${name}`);
      await page.waitForTimeout(50);
      // so that what stays at the bottom of the window is at the bottom of the picture
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height });
      await writeFile(new URL(`${name}-${look}.png`, directory), smallPng(await page.screenshot()));
      await page.setViewportSize({ width, height: 720 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) console.error(`${name} at ${width} px is ${overflow} px too wide`);
    }
    await page.close();
  }
} finally {
  await browser.close();
  close();
}
