import { createHmac } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import type { Website } from '../../lib/website.ts';
import { readCookie } from '../../web/cookies.ts';
import type { PageContext } from '../../web/page-context.ts';

/** The cookie by which a visitor of the demo switches its website on. */
export const demoWebsiteCookie = 'demo-website';

/** Returns the operator's own website, if people can sign in there. */
export function websiteOf({ deps, req }: PageContext): Website | undefined {
  const { config } = deps;
  if (config.website || !config.demo) return config.website;
  const isOn = !config.passwords || readCookie(req, demoWebsiteCookie) === 'on';
  return isOn ? demoWebsite(deps) : undefined;
}

/** Returns the website of the demo: a page of the playground, with a secret that all processes of the demo know. */
export function demoWebsite({ config, sessionSecrets }: Pick<Deps, 'config' | 'sessionSecrets'>) {
  const secret = createHmac('sha256', sessionSecrets[0] ?? '').update('secret of the demo website');
  return { url: `${config.issuer}/playground/website`, secret: secret.digest('hex') };
}
