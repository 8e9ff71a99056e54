import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Outcome, Task } from './load.ts';

/** A load generator in a process of its own, whose CPU is nobody's. */
export class Generator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('load.ts', import.meta.url)));
  readonly #connections: number;

  constructor(connections: number) {
    this.#connections = connections;
  }

  /** All requests must be answered with the expected status, or what was measured is something else. */
  async drive(task: Task, expected?: number): Promise<Outcome> {
    const answered = once(this.#child, 'message');
    this.#child.send({ ...task, connections: this.#connections } satisfies Order);
    const [outcome] = (await answered) as [Outcome | { error: string }];
    if ('error' in outcome) throw new Error(`${task.method} ${task.path}: ${outcome.error}`);
    if (expected !== undefined && outcome.statuses[expected] !== task.values.length) {
      throw new Error(
        `${task.method} ${task.path} was answered ${JSON.stringify(outcome.statuses)}, not ${expected}: ${outcome.answer}`,
      );
    }
    return outcome;
  }

  stop(): void {
    this.#child.disconnect();
  }
}
