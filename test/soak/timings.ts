/** Milliseconds of the requests of one kind, since the last sample. */
export interface Latency {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
}

/** An answer that is not the right one. */
export class Unexpected extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(`${status} ${message}`);
    this.status = status;
  }
}

/** What the traffic has seen: how long its requests took, and every answer that is not the right one. */
export class Timings {
  #times = new Map<string, number[]>();
  /** of all samples */
  requests = 0;
  readonly faults: string[] = [];
  /** visits that did not begin, since everybody waited for answers */
  skipped = 0;
  /** visits that ended because the server was overloaded */
  refused = 0;
  /** visits that ended because a session or a token had expired */
  expired = 0;

  failed(error: unknown): void {
    if (error instanceof Unexpected && error.status === 503) this.refused += 1;
    else this.faults.push(String(error));
  }

  async measure<T>(kind: string, request: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const answer = await request();
    const times = this.#times.get(kind) ?? [];
    times.push(performance.now() - begin);
    this.#times.set(kind, times);
    this.requests += 1;
    return answer;
  }

  /** The kinds since the last call, in alphabetical order. */
  take(): Record<string, Latency> {
    const kinds = [...this.#times].sort(([one], [other]) => one.localeCompare(other));
    this.#times = new Map();
    return Object.fromEntries(kinds.map(([kind, times]) => [kind, latencyOf(times)]));
  }
}

function latencyOf(times: number[]): Latency {
  times.sort((one, other) => one - other);
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, p50: quantile(0.5), p99: quantile(0.99) };
}
