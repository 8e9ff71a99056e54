import { Browser, type Fetch, formRequest, type Page } from '../support/browser.ts';
import { password } from '../support/latchkey.ts';

/** Opens an application's link to /authorize, signs in as alice and allows what is ticked; the address to which the browser is then sent. */
export async function signInAndAllow(link: string | URL, ticked?: string[], send?: Fetch): Promise<URL> {
  const { location, text } = await allow(link, ticked, send);
  if (location === undefined) throw new Error(`no way back to the application: ${text}`);
  return new URL(location);
}

/** Signs in and refuses; returns the address with the error to which the browser is then sent. */
export async function signInAndDeny(link: string): Promise<URL> {
  const { location, text } = await decide(link, 'id="deny"');
  if (location === undefined) throw new Error(`no way back to the application: ${text}`);
  return new URL(location);
}

/** Signs in for response_mode=form_post; returns the request that the browser then sends to the application. */
export async function signInAndPost(link: string | URL): Promise<Request> {
  return new Request(...formRequest(await allow(link), 'name="code"'));
}

const allow = (link: string | URL, ticked?: string[], send?: Fetch) =>
  decide(link, 'id="allow"', ticked && { scope: ticked }, send);

async function decide(link: string | URL, button: string, form?: { scope: string[] }, send?: Fetch): Promise<Page> {
  const { origin, pathname, search } = new URL(link);
  const browser = new Browser(origin, send);
  const login = await browser.visit(pathname + search);
  const consent = await browser.submit(login, 'id="login"', { username: 'alice', password });
  return browser.submit(consent, button, form);
}

/** Follows an application's link for signing in, and returns the page that it shows afterwards. */
export async function signInTo(application: string, link: string): Promise<Page> {
  const browser = new Browser(application);
  const { location, text } = await browser.visit(link);
  if (location === undefined) throw new Error(`the application does not send the browser to sign in: ${text}`);
  const callback = await signInAndAllow(location);
  return browser.visit(callback.pathname + callback.search);
}
