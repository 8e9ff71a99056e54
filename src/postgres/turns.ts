/**
 * So many at a time, and so many waiting; the others are refused. What it returns waits for a turn, and resolves with a function that
 * ends it.
 */
export function createTurns(atOnce: number, { longestWait, mostWaiting = Number.POSITIVE_INFINITY }: TurnLimits) {
  const waiting = new Set<() => void>();
  let running = 0;

  const leave = () => {
    const [next] = waiting;
    if (next) return next();
    running -= 1;
  };

  return async (): Promise<() => void> => {
    if (running < atOnce) {
      running += 1;
      return leave;
    }
    if (waiting.size >= mostWaiting) throw new Error('too many are waiting for their turn');
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        waiting.delete(admit);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(admit);
        reject(new Error('no turn within the time for it'));
      }, longestWait);
      waiting.add(admit);
    });
    return leave;
  };
}

export interface TurnLimits {
  /** milliseconds */
  longestWait: number;
  mostWaiting?: number;
}
