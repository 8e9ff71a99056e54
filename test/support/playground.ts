import type { Page } from './browser.ts';
import { unescapeHtml } from './shown-program.ts';

/** Where the link that starts the plain flow leads. */
export function startLink(page: Page): string {
  return unescapeHtml(/id="start"[^>]*href="([^"]*)"/.exec(page.text)?.[1] ?? 'no start link');
}

/** What the page shows of its exchanges: the step, and the status of the answer if there was one. */
export function stepsOf(page: Page): string[] {
  return [...page.text.matchAll(/<li class="exchange" id="(\w+)-\d+">([\s\S]*?)<\/li>/g)].map(([, step, html = '']) =>
    [step, /<h3>Response<\/h3>\s*<div class="http"><b>(\d+)/.exec(html)?.[1]].filter(Boolean).join(' '),
  );
}

/** What the page shows for parameters, members and claims of this name. */
export function values(page: Page, name: string): string[] {
  const row = new RegExp(`<th scope="row">${name}</th><td><code>([^<]*)</code>`, 'g');
  return [...page.text.matchAll(row)].map(([, value = '']) => unescapeHtml(value));
}

/** The curl commands on the page. */
export const commandsOn = (page: Page) =>
  [...page.text.matchAll(/<pre class="http" id="curl-\d+">([^<]*)<\/pre>/g)].map(([, text = '']) => unescapeHtml(text));
