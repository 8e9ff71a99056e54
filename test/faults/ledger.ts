import assert from 'node:assert/strict';
import { getUser, redeem, type TokenAnswer } from '../support/flow.ts';

/** What the server has acknowledged, and every answer that it must never give. */
export class Ledger {
  /** access tokens whose answer has arrived; true until their revocation was acknowledged */
  readonly tokens = new Map<string, boolean>();
  /** tokens whose revocation was sent and not answered yet, or answered with 503 */
  readonly unsettled = new Set<string>();
  /** how often each code was redeemed with success */
  readonly codes = new Map<string, number>();
  readonly faults: string[] = [];
  /** counted by status */
  readonly answers = new Map<number, number>();
  #lastSuccess = 0;

  /** Whether the answer is the expected one. Good credentials may only be answered with that, or with 503 for the moment. */
  check(
    what: string,
    { status, headers, body }: Pick<TokenAnswer, 'status' | 'headers'> & { body?: object },
    expected: number[],
  ): boolean {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (expected.includes(status)) return true;
    const isAway = status === 503 && /^\d+$/.test(headers.get('retry-after') ?? '');
    if (!isAway) this.faults.push(`${what}: ${status} ${JSON.stringify(body)}`);
    return false;
  }

  /** How many were answered. */
  requests(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  /** A change was made by a request that was sent at this time. */
  changed(sentAt: number): void {
    this.#lastSuccess = Math.max(this.#lastSuccess, sentAt);
  }

  /** Whether a change was made by a request that was sent after this moment. */
  hasChangedSince(moment: number): boolean {
    return this.#lastSuccess > moment;
  }

  /** When everything works again: what was acknowledged is there, once. */
  async verify(origin: string): Promise<void> {
    assert.deepEqual(this.faults, []);
    const settled = [...this.tokens].filter(([token]) => !this.unsettled.has(token));
    await inGroups(settled, async ([token, isLive]) => {
      const { status } = await getUser(origin, token);
      assert.equal(status, isLive ? 200 : 401, isLive ? 'an acknowledged token is lost' : 'a revoked token is alive');
    });
    await inGroups([...this.codes], async ([code, times]) => {
      assert.equal(times, 1, 'a code was redeemed twice');
      const { status, body } = await redeem(origin, code);
      assert.deepEqual([status, body['error']], [400, 'invalid_grant'], 'a used code was redeemed again');
    });
  }
}

async function inGroups<T>(all: T[], act: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += 20) await Promise.all(all.slice(start, start + 20).map(act));
}
