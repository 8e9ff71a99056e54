import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const ofColours: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/**
 * What axe reports about a page: levels A and AA and best practices, serious or not, everything that it looks for by itself; in the
 * dark the colours, which are all that differs.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return [
    ...(await reported(page, 'light', {})), //
    ...(await reported(page, 'dark', ofColours)),
  ];
}

async function reported(page: Page, colorScheme: 'light' | 'dark', options: RunOptions): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  const found = await page.evaluate(
    (given) => (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(given),
    options,
  );
  return found.violations.map(({ id, nodes }) => `${id} in ${colorScheme}: ${nodes.map(({ html }) => html).join(' ')}`);
}
