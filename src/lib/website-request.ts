import type { Claims } from './jwt.ts';
import type { Website } from './website.ts';

// What this server asks of the provider's website. It passes through the browser, so it tells nothing of the authorization request
// but whom it is for and how the person should sign in.

export const websiteRequestType = 'sign-in-request+jwt';

/** The path to which the website sends the browser back. */
export const returnPath = '/login/return';

/** Seconds within which the person has to arrive there; the answer is awaited for the same time. */
const lifetime = 600;

/** How the person should sign in, and for whom. */
export interface Wishes {
  client_id?: string | undefined;
  client_name?: string | undefined;
  prompt?: string | undefined;
  max_age?: number | undefined;
  acr_values?: string | undefined;
  login_hint?: string | undefined;
  ui_locales?: string | undefined;
}

/** `nonce` is known to this browser, to the website and to this server only. */
export function websiteRequest(issuer: string, website: Website, nonce: string, wishes: Wishes): Claims {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: new URL(website.url).origin,
    nonce,
    iat,
    exp: iat + lifetime,
    return_to: `${issuer}${returnPath}`,
    ...wishes,
  };
}
