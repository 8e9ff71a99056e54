import { once } from 'node:events';
import type { Shell } from './shell.ts';

/** Writes as fast as standard output takes it, so that a list of any length needs no memory. Fails if nobody reads it to its end. */
export async function writeLines({ process: { stdout } }: Shell, lines: AsyncIterable<string>): Promise<void> {
  let problem: NodeJS.ErrnoException | undefined;
  stdout.once('error', (error) => {
    problem = error;
  });
  for await (const line of lines) {
    if (!stdout.write(`${line}\n`)) await drained(stdout);
    if (problem || stdout.destroyed) throw new Error(`Standard output takes nothing (${problem?.code ?? 'closed'}).`);
  }
}

/** Leaves no listener behind, of which there would be one for each time. */
async function drained(stdout: NodeJS.WritableStream): Promise<void> {
  const waiting = new AbortController();
  const happens = (event: string) => once(stdout, event, { signal: waiting.signal });
  await Promise.race([happens('drain'), happens('close')]);
  waiting.abort();
}

/** The lines of a JSON array. */
export async function* jsonList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield `${before}${JSON.stringify(item)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** How far a long command has got, on a terminal; elsewhere nothing. */
export function progressIn({ process: { stderr } }: Shell, what: string): { show(count: number): void; end(): void } {
  if (!stderr.isTTY) return { show() {}, end() {} };
  let shownAt = 0;
  return {
    show(count) {
      const now = performance.now();
      if (now - shownAt < 100) return;
      shownAt = now;
      stderr.write(`\r${count} ${what}\u001b[K`);
    },
    end() {
      if (shownAt > 0) stderr.write('\r\u001b[K');
    },
  };
}
