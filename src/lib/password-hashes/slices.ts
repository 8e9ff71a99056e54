import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which nothing else in this process has its turn. */
const slice = 5;

let last: Promise<unknown> = Promise.resolve();

/**
 * Repeats a step that no thread pool can take over, in slices, so that other requests are answered in between. Of several such works
 * one runs at a time: together, their slices would be a long one.
 */
export function inSlices(times: number, step: (index: number) => void): Promise<void> {
  const done = last.then(() => run(times, step));
  last = done.catch(() => {});
  return done;
}

async function run(times: number, step: (index: number) => void): Promise<void> {
  let end = performance.now() + slice;
  for (let index = 0; index < times; index += 1) {
    step(index);
    if (index % 32 === 31 && performance.now() > end) {
      await turn();
      end = performance.now() + slice;
    }
  }
}
