import type { HttpExchange } from '../pages/views/playground.ts';
import { encode } from './messages.ts';

/** The same request for a terminal. Every value is quoted for a shell, so that what is pasted is what was shown. */
export function curlOf({ method, url, query = [], headers = [], body = [] }: HttpExchange['request']): string {
  const target = query.length > 0 ? `${url}?${encode(query)}` : url;
  const parts = [
    `curl -i ${method === 'PATCH' ? '-X PATCH ' : ''}${quoted(target)}`,
    ...headers
      .filter(({ name }) => name !== 'Content-Type')
      .map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    // curl itself adds the content type of a form
    ...body.map(({ name, value }) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ];
  return parts.join(' \\\n  ');
}

/** Between single quotes a shell changes nothing; a single quote ends them, stands escaped, and begins them again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
