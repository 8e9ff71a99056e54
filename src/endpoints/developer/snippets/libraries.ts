import { modOauth2 } from './apache.ts';
import { authJs } from './auth-js.ts';
import { authlib } from './authlib.ts';
import { curl } from './curl.ts';
import type { Library } from './library.ts';
import { openidClient } from './openid-client.ts';
import { passport } from './passport.ts';
import { requestsOauthlib } from './requests-oauthlib.ts';
import { spring } from './spring.ts';
import { xOauth2 } from './x-oauth2.ts';

/** The first is shown when none was chosen. */
export const libraries: readonly [Library, ...Library[]] = [
  curl,
  openidClient,
  passport,
  authJs,
  authlib,
  requestsOauthlib,
  xOauth2,
  spring,
  modOauth2,
];
