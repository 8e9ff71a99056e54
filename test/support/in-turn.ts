import { relative } from 'node:path';
import { after, describe } from 'node:test';

/** Before the time limit of the process, which would not say which of its files hangs. */
const timeout = 840_000;

/** Runs test files one after the other in this process, each as a suite: what it opens is closed before the next one begins. */
export async function runInTurn(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await new Promise<void>((ended) => {
      void describe(relative(process.cwd(), file), { timeout }, async () => {
        after(() => ended());
        await import(file).catch((error: unknown) => {
          ended();
          throw error;
        });
      });
    });
  }
}
