import type { Browser, Page } from './browser.ts';

/** The parts of an application in the console as one page, with the forms of all. */
export async function applicationPages(browser: Browser, path: string): Promise<Page> {
  const overview = await browser.visit(path);
  const parts = ['/registration', '/credentials', '/activity'];
  const others = await Promise.all(parts.map((part) => browser.visit(path + part)));
  return { ...overview, text: [overview, ...others].map(({ text }) => text).join('\n') };
}
