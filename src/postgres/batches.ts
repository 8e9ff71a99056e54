import { setTimeout as pause } from 'node:timers/promises';
import { type Database, rows, sql } from './database.ts';
import { isOneOfManyToBlame } from './errors.ts';

// What a statement costs is mostly the way there, the start, the commit and the way back, and hardly the row. So requests
// that come at the same moment, or while others are under way, share one; a request that comes alone has one of its own.

/** Statements of one kind at a time, without those that take long. */
const mostUnderWay = 2;
/** Milliseconds after which one gives way to the next: it may be waiting for a lock, or for a Postgres that hangs. */
const long = 50;
/** Requests in one statement. */
const most = 500;

/** What each request asks: Postgres gets an array for each column. */
type Columns<Ask> = Readonly<Record<keyof Ask & string, 'bigint' | 'boolean' | 'bytea' | 'integer' | 'text'>>;

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  answer(row: Answer | undefined): void;
  fail(error: unknown): void;
}

interface Queue<Ask, Answer> {
  waiting: Waiting<Ask, Answer>[];
  underWay: number;
  isAboutToStart: boolean;
}

/**
 * A statement for many requests at once: its text is made around the table `asked`, a row a request, and each of its rows
 * is the answer to the request whose place it returns. A request without a row is answered with nothing. Where the first
 * column is the digest of the row that is changed, rows are locked in that order, so that statements do not wait in a circle.
 */
export function batched<Ask extends object, Answer extends object>(
  name: string,
  columns: Columns<Required<Ask>>,
  text: (asked: string) => string,
): (database: Database, ask: Ask) => Promise<Answer | undefined> {
  const names = Object.keys(columns) as (keyof Ask & string)[];
  const firstOf = ({ ask }: Waiting<Ask, Answer>): unknown => ask[names[0] as keyof Ask];
  const arrays = names.map((column, index) => `$${index + 1}::${columns[column]}[]`);
  const list = names.join(', ');
  // the bound holds anyway; by it the planner expects a single row, and begins with that
  const asked = `(
     select ${list}, place
     from unnest(${arrays.join(', ')}) with ordinality given (${list}, place)
     where place between 1 and ${most}) asked`;
  const statement = sql(name, text(asked));
  const queues = new WeakMap<Database, Queue<Ask, Answer>>();

  /** What has arrived by the end of this turn of the event loop starts together. */
  function start(database: Database, queue: Queue<Ask, Answer>): void {
    if (queue.isAboutToStart || queue.waiting.length === 0 || queue.underWay >= mostUnderWay) return;
    queue.isAboutToStart = true;
    setImmediate(async () => {
      queue.isAboutToStart = false;
      queue.underWay += 1;
      const requests = queue.waiting.splice(0, most).sort((one, other) => compareBytes(firstOf(one), firstOf(other)));
      start(database, queue);
      await Promise.race([run(database, requests), pause(long, undefined, { ref: false })]);
      queue.underWay -= 1;
      start(database, queue);
    });
  }

  async function run(database: Database, requests: Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const values = names.map((column) => requests.map(({ ask }) => ask[column] ?? null));
      const tries = requests.length > 1 ? 1 : undefined;
      const found = await rows<Answer & { place: string }>(database, statement, values, tries);
      const answers = new Map(found.map((row) => [Number(row.place), row]));
      for (const [index, { answer }] of requests.entries()) answer(answers.get(index + 1));
    } catch (error) {
      if (requests.length > 1 && isOneOfManyToBlame(error)) {
        await Promise.all(requests.map((request) => run(database, [request])));
      } else {
        for (const { fail } of requests) fail(error);
      }
    }
  }

  return (database, ask) => {
    const queue = queues.get(database) ?? { waiting: [], underWay: 0, isAboutToStart: false };
    queues.set(database, queue);
    return new Promise((answer, fail) => {
      queue.waiting.push({ ask, answer, fail });
      start(database, queue);
    });
  };
}

function compareBytes(one: unknown, other: unknown): number {
  return Buffer.isBuffer(one) && Buffer.isBuffer(other) ? Buffer.compare(one, other) : 0;
}
