import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from '../support/browser.ts';
import {
  authorizationQuery,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  type TokenAnswer,
} from '../support/flow.ts';
import { Ledger } from './ledger.ts';

export interface Traffic {
  readonly ledger: Ledger;
  /** resolves with the milliseconds from this moment until a change is made by a request that was sent after it */
  recovered(moment: number): Promise<number>;
  /** resolves when this many more flows were completed, with the number of requests that were answered in a second meanwhile */
  flows(count: number): Promise<number>;
  /** resolves when this many more requests were answered with 503 */
  refusals(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * People whose applications do what applications do: code, tokens, refresh, profile, and sometimes revocation. They send this
 * many requests a second in all, or fewer if the answers take too long for so few people.
 */
export async function startTraffic(origin: string, people = 8, perSecond = 1000): Promise<Traffic> {
  const ledger = new Ledger();
  const turn = takeTurns(perSecond);
  const browser = await signedInBrowser(origin);
  await obtainCode(browser);
  let isOver = false;
  let completed = 0;
  after(() => {
    isOver = true;
  });
  const person = async () => {
    while (!isOver) {
      await flow({ origin, browser, ledger, turn }, completed % 4 === 0);
      completed += 1;
    }
  };
  const all = Promise.all(Array.from({ length: people }, person));
  // a failure of the traffic itself must end the waiting, too
  const failed = all.then(() => undefined);
  const until = async (isReached: () => boolean) => {
    while (!isReached()) await Promise.race([pause(5), failed]);
  };
  return {
    ledger,
    async recovered(moment) {
      await until(() => ledger.hasChangedSince(moment));
      return performance.now() - moment;
    },
    async flows(count) {
      const goal = completed + count;
      const [start, before] = [performance.now(), ledger.requests()];
      await until(() => completed >= goal);
      return (ledger.requests() - before) / ((performance.now() - start) / 1000);
    },
    async refusals(count) {
      const refused = () => ledger.answers.get(503) ?? 0;
      const goal = refused() + count;
      await until(() => refused() >= goal);
    },
    async stop() {
      isOver = true;
      await all;
    },
  };
}

interface Parties {
  readonly origin: string;
  readonly browser: Browser;
  readonly ledger: Ledger;
  /** resolves when the next request may be sent */
  readonly turn: () => Promise<void>;
}

/** Turns at equal intervals; those that nobody took are lost, except for what timers are late. */
function takeTurns(perSecond: number): () => Promise<void> {
  let next = 0;
  return () => {
    const now = performance.now();
    next = Math.max(next + 1000 / perSecond, now - 50);
    return pause(next - now);
  };
}

async function flow(parties: Parties, revokes: boolean): Promise<void> {
  const { origin, browser, ledger, turn } = parties;
  await turn();
  const page = await browser.open(`/authorize?${authorizationQuery()}`);
  if (!ledger.check('authorize', page, [302])) return pause(20);
  const code = codeIn(page);
  const tokens = await exchange(parties, code);
  if (tokens === undefined) return;
  remember(ledger, tokens);
  const refreshed = await insist(parties, 'refresh', () => refresh(origin, tokens['refresh_token']));
  remember(ledger, refreshed);
  const token = String(refreshed['access_token']);
  await turn();
  ledger.check('user', await getUser(origin, token), [200]);
  if (!revokes) return;
  for (const member of [tokens, refreshed]) ledger.unsettled.add(String(member['access_token']));
  await insist(parties, 'revoke', () => post(`${origin}/revoke`, { token: String(refreshed['refresh_token']) }));
  for (const member of [tokens, refreshed]) {
    ledger.unsettled.delete(String(member['access_token']));
    ledger.tokens.set(String(member['access_token']), false);
  }
}

function remember(ledger: Ledger, { access_token }: TokenAnswer['body']): void {
  ledger.tokens.set(String(access_token), true);
}

/** After a 503 nobody knows whether the code was used: the application tries again and may be told to start over. */
async function exchange({ origin, ledger, turn }: Parties, code: string): Promise<TokenAnswer['body'] | undefined> {
  for (let expected = [200]; ; expected = [200, 400]) {
    await turn();
    const sentAt = performance.now();
    const answer = await redeem(origin, code);
    if (!ledger.check('exchange', answer, expected)) {
      if (answer.status !== 503) return undefined;
      await pause(20);
      continue;
    }
    if (answer.status !== 200) return undefined;
    ledger.changed(sentAt);
    ledger.codes.set(code, (ledger.codes.get(code) ?? 0) + 1);
    return answer.body;
  }
}

/** Refreshing and revoking can be repeated until the answer arrives. */
async function insist(
  { ledger, turn }: Parties,
  what: string,
  send: () => Promise<TokenAnswer>,
): Promise<TokenAnswer['body']> {
  for (;;) {
    await turn();
    const sentAt = performance.now();
    const answer = await send();
    if (ledger.check(what, answer, [200])) {
      ledger.changed(sentAt);
      return answer.body;
    }
    if (answer.status !== 503) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    await pause(20);
  }
}
