import type { TestContext } from 'node:test';

/** Acts while the process, and whoever sends requests from it, have another clock than the database and the apps of people. */
export async function withClock<T>(t: TestContext, seconds: number, act: () => Promise<T>): Promise<T> {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1000 });
  try {
    return await act();
  } finally {
    t.mock.timers.reset();
  }
}
