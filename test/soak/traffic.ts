import { setTimeout as pause } from 'node:timers/promises';
import { password } from '../bench/seeds/latchkey.ts';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import type { Bank } from '../support/fapi2.ts';
import { authorizationQuery, encode, getUser, post, redeem, refresh, type TokenAnswer } from '../support/flow.ts';
import { type Timings, Unexpected } from './timings.ts';

/** How a client of one kind asks. */
interface Client {
  readonly name: string;
  query(changes: Record<string, string>): Promise<string>;
  exchange(code: string): Promise<TokenAnswer>;
  refresh(token: string): Promise<TokenAnswer>;
  user(token: string): Promise<TokenAnswer>;
}

/** A client with a secret and bearer tokens. */
const printerAt = (origin: string): Client => ({
  name: '',
  query: async (changes) => authorizationQuery(changes),
  exchange: (code) => redeem(origin, code),
  refresh: (token) => refresh(origin, token),
  user: (token) => getUser(origin, token),
});

/** With pushed requests, assertions and bound tokens; the time of a request includes that of the client's signatures. */
const bankOf = (bank: Bank, timings: Timings): Client => ({
  name: ', DPoP',
  query: async (changes) => {
    const { status, body } = await timings.measure('pushed request', () => bank.push(changes));
    if (status !== 201) throw new Unexpected(`pushed request: ${JSON.stringify(body)}`, status);
    return encode({ client_id: bank.client_id, request_uri: String(body['request_uri']) });
  },
  exchange: (code) => bank.exchange(code),
  refresh: (token) => bank.refresh(token),
  user: (token) => bank.user(token),
});

export interface Parties {
  readonly origin: string;
  readonly bank: Bank;
  readonly timings: Timings;
  /** seconds that an access token lives */
  readonly life: number;
}

/** Then a person comes with a new browser, and leaves the old session to the sweep. */
const visitsOfBrowser = 40;

/** Everybody comes about once a second, and signs in anew after 40 visits: one after the other, and so they do for the first time. */
export async function signInAll(parties: Parties, rate: number): Promise<Person[]> {
  const people = Array.from(
    { length: Math.ceil(rate) },
    (_, n): Person => ({
      username: `person-${n + 1}`,
      browser: new Browser(parties.origin),
      visits: Math.round((n * visitsOfBrowser) / rate),
    }),
  );
  for (const { username, browser } of people) {
    const page = await browser.visit('/login');
    await parties.timings.measure('sign-in', () =>
      browser.open(...formRequest(page, 'id="login"', { username, password })),
    );
  }
  return people;
}

/** So many visits a second until `end`; none while all people wait for answers. Resolves when the last has gone. */
export async function sendTraffic(parties: Parties, people: Person[], rate: number, end: number): Promise<void> {
  const clients = [printerAt(parties.origin), bankOf(parties.bank, parties.timings)] as const;
  const free = [...people];
  const underWay = new Set<Promise<void>>();
  const begin = performance.now();
  for (let n = 0; performance.now() < end; n += 1) {
    const due = begin + (n * 1000) / rate;
    if (due > performance.now()) await pause(due - performance.now());
    const person = free.shift();
    if (person === undefined) {
      parties.timings.skipped += 1;
      continue;
    }
    person.visits += 1;
    if (person.visits % visitsOfBrowser === 0) person.browser = new Browser(parties.origin);
    const visit = new Visit(parties, person, clients[n % 4 === 0 ? 1 : 0], n)
      .go()
      .catch((error: unknown) => parties.timings.failed(error))
      .finally(() => {
        free.push(person);
        underWay.delete(visit);
      });
    underWay.add(visit);
  }
  await Promise.all(underWay);
}

export interface Person {
  readonly username: string;
  browser: Browser;
  visits: number;
}

/** One person who uses one application once. */
class Visit {
  readonly #parties: Parties;
  readonly #person: Person;
  readonly #client: Client;
  readonly #n: number;
  #begin = 0;

  constructor(parties: Parties, person: Person, client: Client, n: number) {
    this.#parties = parties;
    this.#person = person;
    this.#client = client;
    this.#n = n;
  }

  async go(): Promise<void> {
    const { origin } = this.#parties;
    this.#begin = performance.now();
    const code = await this.#code();
    if (code === undefined) return;
    const first = await this.#ask('exchange', 200, () => this.#client.exchange(code));
    await this.#ask('user', 200, () => this.#client.user(first.access));
    if (this.#n % 3 === 0) {
      const { body } = await this.#ask('introspection', 200, () => this.#own('/introspect', first.access));
      this.#expect(String(body['active']) === String(this.#client.name === ''), 'introspection is wrong');
    }
    const second = await this.#ask('refresh', 200, () => this.#client.refresh(first.refresh));
    if (this.#n % 5 === 0) {
      const again = await this.#ask('repeated refresh', 200, () => this.#client.refresh(first.refresh));
      this.#expect(again.refresh === second.refresh, 'a repeated refresh has other tokens');
    }
    await this.#ask('user', 200, () => this.#client.user(second.access));
    if (this.#n % 4 !== 1) return;
    await this.#ask('revocation', 200, () => post(`${origin}/revoke`, { token: second.refresh }));
    await this.#ask('user, revoked', 401, () => this.#client.user(second.access));
  }

  /** Through sign-in and consent, if they are asked for. */
  async #code(): Promise<string | undefined> {
    const { username, browser } = this.#person;
    const { timings } = this.#parties;
    const query = await this.#client.query(this.#n % 10 === 0 ? { prompt: 'consent' } : {});
    const press = (kind: string, page: Page, button: string, fields = {}) =>
      timings.measure(kind, () => browser.open(...formRequest(page, button, fields)));
    let page = await timings.measure('authorization', () => browser.open(`/authorize?${query}`));
    if (isHere(page)) page = await browser.visit(page.location ?? '');
    if (page.text.includes('id="login"')) {
      page = await press('sign-in', page, 'id="login"', { username, password });
      if (isHere(page)) page = await browser.visit(page.location ?? '');
    }
    const isAsked = page.text.includes('id="allow"');
    if (isAsked) page = await press('consent', page, 'id="allow"');
    const code = page.location && new URL(page.location, page.url).searchParams.get('code');
    if (code) return code;
    // the sweep may have ended the session between two pages
    const isSignedOut = page.text.includes('id="login"') && page.status === (isAsked ? 401 : 200);
    if (!isSignedOut) throw new Unexpected(`no code: ${page.location ?? page.text.slice(0, 500)}`, page.status);
    timings.expired += 1;
    return undefined;
  }

  #own(path: string, token: string): Promise<TokenAnswer> {
    return post(this.#parties.origin + path, { token });
  }

  /** The answer must be the expected one, unless the tokens have expired meanwhile. */
  async #ask(kind: string, status: number, send: () => Promise<TokenAnswer>) {
    const answer = await this.#parties.timings.measure(kind + this.#client.name, send);
    const { body } = answer;
    this.#expect(answer.status === status, `${kind}: ${JSON.stringify(body)}`, answer.status);
    return { body, access: String(body['access_token']), refresh: String(body['refresh_token']) };
  }

  #expect(isRight: boolean, fault: string, status = 200): void {
    const { timings, life } = this.#parties;
    if (isRight) return;
    if (performance.now() - this.#begin < life * 1000) throw new Unexpected(fault, status);
    timings.expired += 1;
  }
}

function isHere({ location, url }: Page): boolean {
  return location !== undefined && new URL(location, url).origin === new URL(url).origin;
}
