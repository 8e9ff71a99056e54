import { Browser } from '../support/browser.ts';
import type { Generator } from './generator.ts';
import type { Task } from './load.ts';
import { requests, type Template } from './requests.ts';
import { median, medians, type Plan } from './rounds.ts';
import { password } from './seeds/latchkey.ts';
import { people } from './seeds/seed.ts';
import { challenge, client } from './servers/terms.ts';
import type { Measurement, Stand } from './stand.ts';

// What a browser asks of Latchkey; the peers leave these pages to those who use them.

const query = new URLSearchParams({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: client.redirect_uri,
  scope: 'user',
  state: 'the-state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
}).toString();

const get = (path: string, cookie = ''): Template => ({
  method: 'GET',
  path,
  headers: cookie ? { Cookie: cookie } : {},
});

const cookiesOf = (browser: Browser) => [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');

export type Pages = Record<'authorize' | 'login_page' | 'consent_page', Measurement>;

/** `/authorize` with a session and a remembered grant, the login page, the consent page. */
export async function measurePages(stand: Stand, plan: Plan): Promise<Pages> {
  const browser = new Browser(`http://127.0.0.1:${stand.server.port}`);
  const page = await browser.visit('/login');
  await browser.submit(page, 'id="login"', { username: 'person-1', password });
  const cookie = cookiesOf(browser);
  const repeat = async (template: Template, status: number): Promise<Measurement> => {
    const values = (count: number) => Array.from({ length: count }, () => '');
    const first = await stand.measure(template, values(plan.warmUp), status);
    const count = Math.ceil((first.throughput * plan.seconds) / 2);
    const taken: Measurement[] = [];
    for (let round = 1; round <= plan.rounds; round += 1) {
      taken.push(await stand.measure(template, values(count), status));
    }
    return medians(taken);
  };
  return {
    authorize: await repeat(get(`/authorize?${query}`, cookie), 302),
    login_page: await repeat(get(`/login?${query}`), 200),
    consent_page: await repeat(get(`/authorize?${query}&prompt=consent`, cookie), 200),
  };
}

/** Milliseconds; the median of the rounds' 99th percentiles. */
export interface Storm {
  token_p99: number;
  token_p99_during_logins: number;
  logins_per_second: number;
  login_p50: number;
  /** how the logins were answered: 302 is a sign-in */
  login_statuses: Record<number, number>;
}

/** What the server is told for the storm. */
export const stormEnv = { TRUST_PROXY: 'true' };

/** Requests to /token at a steady rate, with and without 20 logins a second beside them: bcrypt wants every core. */
export async function measureStorm(
  stand: Stand,
  generators: readonly [Generator, Generator],
  plan: Plan,
): Promise<Storm> {
  const [tokens, logins] = generators;
  const { port } = stand.server;
  const [rate, loginRate] = [200, 20];
  const seconds = Math.max(plan.seconds, 1);
  const exchange = async (): Promise<number> => {
    const values = await stand.issue('exchange', Math.ceil(rate * seconds));
    return (await tokens.drive({ ...requests.exchange, port, values, rate }, 200)).p99;
  };
  const without: number[] = [];
  const during: number[] = [];
  const login: Task = { ...(await loginTemplate(port)), port, values: [], rate: loginRate };
  let storm = { p50: 0, statuses: {} as Record<number, number> };
  for (let round = 0; round < plan.rounds; round += 1) {
    without.push(await exchange());
    // half a second longer on either side
    const count = Math.ceil(loginRate * (seconds + 1));
    const values = Array.from({ length: count }, (_, index) => String(1 + (index % people)));
    const stormy = logins.drive({ ...login, values });
    await new Promise((resolve) => setTimeout(resolve, 500));
    during.push(await exchange());
    storm = await stormy;
  }
  return {
    token_p99: median(without),
    token_p99_during_logins: median(during),
    logins_per_second: loginRate,
    login_p50: storm.p50,
    login_statuses: storm.statuses,
  };
}

/**
 * A form as a browser would send it: its cookie and the hidden field that belongs to it serve for many. Everybody has a
 * network of their own, which the server must be told to believe: one address may not sign in so often.
 */
async function loginTemplate(port: number): Promise<Template> {
  const origin = `http://127.0.0.1:${port}`;
  const browser = new Browser(origin);
  const page = await browser.visit(`/login?${query}`);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  return {
    method: 'POST',
    path: `/login?${query}`,
    headers: {
      Cookie: cookiesOf(browser),
      Origin: origin,
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': '2001:db8:{}::1',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: `${new URLSearchParams({ csrf, password })}&username=person-{}`,
  };
}
