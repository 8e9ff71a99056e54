import { z } from 'zod';
import { clientIdMaxLength } from '../lib/client-id.ts';
import { thumbprintSyntax } from '../lib/dpop.ts';
import { codeChallengeSyntax, codeVerifierSyntax } from '../lib/pkce.ts';
import { profileFieldNames, profileFields } from '../lib/profile.ts';
import { redirectUriMaxLength } from '../lib/redirect-uri.ts';
import type { AuthorizationParameter } from '../lib/request-object.ts';
import { acrValuesSyntax } from '../lib/step-up.ts';
import { parameter, tokenParameter } from './request-parameters.ts';

// What the addresses for machines read of a request, besides the credentials of the client. /openapi.json describes the same.

/** What an authorization request says must have a type in request objects, too. */
type Schemas = Partial<Record<AuthorizationParameter | 'request', z.ZodType>>;

/** Where the answer to an authorization request goes. */
export const authorizationDestination = z.object({
  client_id: parameter(clientIdMaxLength),
  redirect_uri: parameter(redirectUriMaxLength).optional(),
} satisfies Schemas);

export const authorizationRequest = z.object({
  state: parameter(8192).optional(),
  response_type: parameter(200),
  response_mode: parameter(20).optional(),
  scope: parameter(2000).optional(),
  code_challenge: parameter(
    128,
    codeChallengeSyntax,
    'must be a SHA-256 digest in base64url: 43 characters',
  ).optional(),
  code_challenge_method: parameter(20, /^S256$/, 'must be S256').optional(),
  dpop_jkt: parameter(43, thumbprintSyntax, 'must be a SHA-256 thumbprint in base64url: 43 characters').optional(),
  prompt: parameter(200).optional(),
  max_age: parameter(10, /^\d{1,9}$/, 'must be a number of seconds').optional(),
  acr_values: parameter(1000, acrValuesSyntax, 'must be names of levels, separated by spaces').optional(),
  request: parameter(10_000).optional(),
} satisfies Schemas);

export const tokenGrant = z.object({ grant_type: parameter(200) });

export const codeGrant = z.object({
  code: parameter(512),
  redirect_uri: parameter(redirectUriMaxLength).optional(),
  code_verifier: parameter(130, codeVerifierSyntax, 'must be 43 to 128 letters, digits and - . _ ~').optional(),
});

export const refreshGrant = z.object({ refresh_token: parameter(512), scope: parameter(2000).optional() });

/** A token that the sender asks about, revokes or has found. */
export const shownToken = z.object({ token: tokenParameter });

/** What a provider tells of a person who has signed out there. */
export const shownLogout = z.object({ logout_token: tokenParameter });

/** The parameter by which software written for GitHub shows a token. */
export const shownAccessToken = z.object({ access_token: parameter(512) });

export const profileChange = z.object(
  Object.fromEntries(
    profileFieldNames.map((field) => {
      const { maxLength, syntax } = profileFields[field];
      return [field, parameter(maxLength, syntax).optional()];
    }),
  ),
);
