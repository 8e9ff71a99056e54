import { isPublic } from '../../clients/client.ts';
import type { DeveloperApplication } from '../../clients/clients.sql.ts';
import { fastapi } from '../programs/fastapi.ts';
import { fetchInPage } from '../programs/fetch.ts';
import { libraries } from '../programs/libraries.ts';
import type { Library } from '../programs/library.ts';
import { mcpClient } from '../programs/mcp-client.ts';
import { presets } from './presets.ts';

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
