import { modOauth2 } from './apache.ts';
import { authJs } from './auth-js.ts';
import { authlib } from './authlib.ts';
import { curl } from './curl.ts';
import { fastapi } from './fastapi.ts';
import { fetchInPage } from './fetch.ts';
import type { Library } from './library.ts';
import { mcpClient } from './mcp-client.ts';
import { nginx } from './nginx.ts';
import { oidcClientTs } from './oidc-client-ts.ts';
import { openidClient } from './openid-client.ts';
import { passport } from './passport.ts';
import { requestsOauthlib } from './requests-oauthlib.ts';
import { spring } from './spring.ts';
import { xOauth2 } from './x-oauth2.ts';

/** The first is shown when none was chosen and none fits better. */
export const libraries: readonly [Library, ...Library[]] = [
  curl,
  openidClient,
  passport,
  authJs,
  authlib,
  requestsOauthlib,
  xOauth2,
  spring,
  fetchInPage,
  oidcClientTs,
  mcpClient,
  fastapi,
  modOauth2,
  nginx,
];
