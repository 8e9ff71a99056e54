import type { PresetName } from './developer.view.ts';

/** What an application of a kind usually registers; the form stays free. */
export interface Preset {
  readonly name: PresetName;
  /** the page of the documentation about it */
  readonly page: `/developer/${string}`;
  /** whether it can keep a client secret */
  readonly confidential: boolean;
  readonly refreshes: boolean;
  /** the redirection URIs if they are the same for all applications of the kind, otherwise an example */
  readonly redirect_uris: string;
  readonly example: string;
}

const loopback = 'http://127.0.0.1/callback';
const https = 'https://app.example.com/callback';

export const presets: readonly Preset[] = [
  {
    ...{ name: 'web', page: '/developer/web-application', confidential: true, refreshes: true },
    ...{ redirect_uris: '', example: https },
  },
  {
    ...{ name: 'spa', page: '/developer/single-page-application', confidential: false, refreshes: true },
    ...{ redirect_uris: '', example: https },
  },
  {
    ...{ name: 'native', page: '/developer/native-application', confidential: false, refreshes: true },
    ...{ redirect_uris: '', example: `com.example.app:/callback, ${loopback}` },
  },
  // it signs nobody in, but asks about tokens
  {
    ...{ name: 'api', page: '/developer/api', confidential: true, refreshes: false },
    ...{ redirect_uris: '', example: 'https://api.example.com/' },
  },
  // whatever port it listens at
  {
    ...{ name: 'mcp', page: '/developer/mcp-client', confidential: false, refreshes: true },
    ...{ redirect_uris: `${loopback}\nhttp://localhost/callback`, example: loopback },
  },
];

/** Returns the example at the site that was typed, if that is written like a domain name. */
export function exampleAt({ example }: Preset, site_domain: string): string {
  if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(site_domain)) return example;
  const reversed = site_domain.split('.').toReversed().join('.');
  return example.replace(/(app|api)\.example\.com/, site_domain).replace('com.example.app', reversed);
}
