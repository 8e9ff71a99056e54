import { shell } from '../registration/console/source-text.ts';
import { encode } from './messages.ts';
import type { HttpExchange } from './playground.view.ts';

/** The request as a curl command for a shell. */
export function curlOf({ method, url, query = [], headers = [], body = [] }: HttpExchange['request']): string {
  const target = query.length > 0 ? `${url}?${encode(query)}` : url;
  const parts = [
    `curl -i ${method === 'PATCH' ? '-X PATCH ' : ''}${quoted(target)}`,
    ...headers
      .filter(({ name }) => name !== 'Content-Type')
      .map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    // --data-urlencode sets the content type
    ...body.map(({ name, value }) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ];
  return parts.join(' \\\n  ');
}

const quoted = (text: string): string => shell`${text}`.text;
