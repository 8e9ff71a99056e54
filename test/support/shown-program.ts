import type { Page } from './browser.ts';

/** The program on a page of the developer console, or one on a page of the documentation, exactly as its copy button copies it. */
export function shownProgram({ text, url }: Pick<Page, 'text' | 'url'>, id = 'code'): string {
  const [, html] =
    new RegExp(`<pre class="http" id="${id}"(?: tabindex="0")?>((?:[^<]|</?(?:b|em|i)>)*)</pre>`).exec(text) ?? [];
  if (html === undefined) throw new Error(`no program on ${url}: ${text}`);
  // comments, strings and keywords are marked
  return unescapeHtml(html.replaceAll(/<[^>]*>/g, ''));
}

export const unescapeHtml = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
