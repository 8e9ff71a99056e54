/** How many fetches each site and address may get in a minute; they become available again one by one. */
export interface FetchBudget {
  /** False if this was one too many for one of the keys: then nothing is taken. */
  spend(keys: readonly string[]): boolean;
}

const minuteMs = 60_000;
/** How many sites and addresses are remembered, those that were used last. An older one had its minute long ago, unless there is a flood of new ones. */
const maxKeys = 10_000;

export function createFetchBudget(perMinute: number): FetchBudget {
  const left = new Map<string, { fetches: number; at: number }>();

  function available(key: string, now: number): number {
    const { fetches, at } = left.get(key) ?? { fetches: perMinute, at: now };
    return Math.min(perMinute, fetches + ((now - at) / minuteMs) * perMinute);
  }

  return {
    spend(keys) {
      const now = performance.now();
      if (keys.some((key) => available(key, now) < 1)) return false;
      for (const key of keys) {
        const fetches = available(key, now) - 1;
        // to the end, as the key that was used last
        left.delete(key);
        left.set(key, { fetches, at: now });
      }
      for (const key of left.keys()) {
        if (left.size <= maxKeys) break;
        left.delete(key);
      }
      return true;
    },
  };
}
