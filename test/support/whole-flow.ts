import { createCredential } from '../../src/lib/secrets.ts';
import { Browser, formRequest, type Page } from './browser.ts';
import { authorizationQuery, basic, codeIn, getUser, post, redeem, refresh, verifier } from './flow.ts';
import { password, printer } from './latchkey.ts';

const hidden = (page: Page, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1] ?? '';

/**
 * A person, a client, and every mistake they can make, from sign-in to revocation, with everything secret that passed
 * over the wire. `state` and the wrong guesses count as secrets too: they appear in a log only if queries or bodies are logged.
 */
export async function wholeFlow(origin: string): Promise<string[]> {
  const secrets = [password, printer.client_secret, verifier];
  const secret = (text: unknown) => {
    secrets.push(String(text));
    return String(text);
  };
  const browser = new Browser(origin);
  const state = secret(`state-${createCredential('access_token').slice(6, 30)}`);
  const request = `/authorize?${authorizationQuery({ state, prompt: 'consent' })}`;
  const login = await browser.visit(request);
  secret(hidden(login, 'csrf'));
  const guess = secret('a-wrong-password-0123');
  await browser.submit(login, 'id="login"', { username: 'alice', password: guess });
  // it happens to everybody: the password in the field of the name
  const slip = secret('the-password-as-a-name-0123');
  await browser.submit(login, 'id="login"', { username: slip, password: 'x' });
  await browser.submit(login, 'id="login"', { username: 'alice', password, csrf: secret('a-forged-csrf-value') });
  const consent = await browser.submit(login, 'id="login"', { username: 'alice', password });
  secret(hidden(consent, 'csrf'));
  secret(hidden(consent, 'ticket'));
  for (const value of browser.cookies().values()) secret(decodeURIComponent(value));
  secret(
    decodeURIComponent(browser.cookies().get('session') ?? '')
      .slice(2)
      .split('.')[0],
  );
  const code = secret(codeIn(await browser.submit(consent, 'id="allow"')));

  await spoilExchange(origin, code, secret);
  const tokens = (await redeem(origin, code)).body;
  const access_token = secret(tokens['access_token']);
  const refresh_token = secret(tokens['refresh_token']);
  await useTokens(origin, access_token, refresh_token, secret);
  await redeem(origin, code);

  const [path, init] = formRequest(await browser.visit(request), 'id="deny"');
  await browser.open(path, init);
  await browser.submit(await browser.visit('/'), 'action="/logout"');
  await misplaced(origin, browser, code, access_token);
  return secrets;
}

async function spoilExchange(origin: string, code: string, secret: (text: unknown) => string): Promise<void> {
  await redeem(origin, code, { redirect_uri: secret('https://wrong.example/callback') });
  await redeem(origin, code, {}, { authorization: basic(printer.client_id, secret('a-wrong-secret-0123456789')) });
  await redeem(origin, code, { client_id: printer.client_id, client_secret: secret('wrong-in-body-0123456789') });
  await redeem(origin, secret(createCredential('authorization_code')));
  await redeem(origin, code, { grant_type: 'password', password: 'x' });
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  await fetch(`${origin}/token`, { ...json, body: `{"code":"${code}","x":1` });
  await fetch(`${origin}/token`, { ...json, body: `{"code":["${code}"]}` });
  await fetch(`${origin}/token?client_secret=${printer.client_secret}&code=${code}`, { ...json, body: '{}' });
}

async function useTokens(
  origin: string,
  access_token: string,
  refresh_token: string,
  secret: (text: unknown) => string,
): Promise<void> {
  await getUser(origin, access_token);
  await fetch(`${origin}/user?access_token=${access_token}`);
  await fetch(`${origin}/user?access_token=${access_token}&access_token=${access_token}`);
  await fetch(`${origin}/user?access_token=${secret(createCredential('access_token'))}`);
  await fetch(`${origin}/user`, { method: 'POST', body: new URLSearchParams({ access_token }) });
  await post(`${origin}/introspect`, { token: access_token });
  const second = (await refresh(origin, refresh_token)).body;
  secret(second['access_token']);
  const third = (await refresh(origin, secret(second['refresh_token']))).body;
  secret(third['access_token']);
  await post(`${origin}/revoke`, { token: String(third['access_token']) });
  // used before its successor: the family ends
  await refresh(origin, refresh_token);
  await post(`${origin}/leaked`, { token: secret(third['refresh_token']) }, { authorization: '' });
  await post(`${origin}/leaked`, { token: access_token }, { authorization: '' });
}

/** Secrets where they do not belong, as broken clients and forwarded links put them. */
async function misplaced(origin: string, browser: Browser, code: string, access_token: string): Promise<void> {
  await fetch(`${origin}/user&access_token=${access_token}`);
  await fetch(`${origin}/${access_token}`);
  await fetch(`${origin}/errors/${code}`);
  const redirect_uri = `${printer.redirect_uri}?code=${code}`;
  await browser.visit(`/authorize?${authorizationQuery({ redirect_uri })}`);
  await browser.visit(`/authorize?${authorizationQuery({ client_id: access_token })}`);
  await browser.visit(`/authorize?${authorizationQuery({ scope: access_token })}`);
  await browser.visit(`/login?to=/account/${access_token}`);
  const headers = { 'x-forwarded-for': access_token, 'x-request-id': access_token, referer: `${origin}/${code}` };
  await fetch(`${origin}/user`, { headers });
}
