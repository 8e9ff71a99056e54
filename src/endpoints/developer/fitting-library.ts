import { isPublic } from '../../grants/client.ts';
import type { DeveloperApplication } from '../../store/clients.ts';
import { presets } from './presets.ts';
import { fastapi } from './snippets/fastapi.ts';
import { fetchInPage } from './snippets/fetch.ts';
import { libraries } from './snippets/libraries.ts';
import type { Library } from './snippets/library.ts';
import { mcpClient } from './snippets/mcp-client.ts';

const urisOfMcp = presets.find(({ name }) => name === 'mcp')?.redirect_uris.split('\n') ?? [];

/** The library that is shown when none was chosen. Of which kind an application is, only its registration tells. */
export function fittingLibrary(application: DeveloperApplication, hasResources: boolean): Library {
  const { redirect_uris, grant_types } = application;
  if (!isPublic(application)) {
    return hasResources || !grant_types.includes('refresh_token') ? fastapi : libraries[0];
  }
  if (urisOfMcp.every((uri) => redirect_uris.includes(uri))) return mcpClient;
  // one without a port is of an app on the device
  const isInBrowser = redirect_uris.some((uri) => /^(https:|http:\/\/[^/]+:\d+)/.test(uri));
  return isInBrowser ? fetchInPage : libraries[0];
}
