export type Ask = () => Promise<{ status: number }>;

export interface Outcome {
  /** answers by status, and errors by their text */
  readonly counted: Record<string, number>;
  /** requests sent in a second */
  readonly rate: number;
  /** milliseconds in which 99 of 100 were answered, from the moment at which the request was due */
  readonly p99: number;
}

const wanted = Number(process.env['FAULT_RATE'] ?? 200);

/** Requests a second: FAULT_RATE, or half of what this machine answers at all. */
export async function chooseRate(ask: Ask): Promise<number> {
  const start = performance.now();
  let answered = 0;
  const client = async () => {
    for (; performance.now() - start < 2000; answered += 1) await ask();
  };
  await Promise.all(Array.from({ length: 16 }, client));
  return Math.min(wanted, answered / 4);
}

/** Sends requests at this rate, whether or not the ones before were answered; the function that it returns ends that. */
export function keepAsking(ask: Ask, perSecond: number): () => Promise<Outcome> {
  const counted: Record<string, number> = {};
  const open = new Set<Promise<void>>();
  const times: number[] = [];
  const start = performance.now();
  let sent = 0;
  const send = async (due: number) => {
    const outcome = await ask().then(
      ({ status }) => String(status),
      (error) => String(error.cause ?? error),
    );
    counted[outcome] = (counted[outcome] ?? 0) + 1;
    times.push(performance.now() - due);
  };
  const timer = setInterval(() => {
    for (;;) {
      const due = start + (sent / perSecond) * 1000;
      if (due > performance.now()) return;
      sent += 1;
      const request = send(due).finally(() => open.delete(request));
      open.add(request);
    }
  }, 5).unref();
  return async () => {
    clearInterval(timer);
    const seconds = (performance.now() - start) / 1000;
    await Promise.all(open);
    times.sort((one, other) => one - other);
    return { counted, rate: sent / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
  };
}
