import { histogram } from '../telemetry/metric.ts';
import { currentSpans, onBehalfOf, type SpanContext } from '../telemetry/span.ts';
import { type Database, rows, sql } from './database.ts';
import { mayBeCausedByOneRow } from './database-errors.ts';

// A statement costs mostly its round trip, its start and its commit, and little for each row. So requests that arrive at
// the same moment, or while other statements are running, share a statement; a single request has a statement of its own.

/** How many statements of one kind run at a time, not counting slow ones. */
const maxRunning = 2;
/** Milliseconds after which a statement is slow and the next may start: it may be waiting for a lock or a hanging server. */
const slowAfter = 50;
/** The most requests in one statement. */
const maxBatchSize = 500;

/** The parameters of a request; Postgres gets an array for each. */
type Columns<Parameters> = Readonly<
  Record<keyof Parameters & string, 'bigint' | 'boolean' | 'bytea' | 'integer' | 'text'>
>;

const sizes = histogram(
  'latchkey_shared_statement_requests',
  'Requests in each statement that can be shared.',
  [1, 2, 4, 8, 16, 64],
  'statement',
);

/** A row of a shared statement, as the driver made it: copying each row without its position would cost a resource request 4 to 9 %. */
type Answer<Row> = Row & { readonly position: string };

interface PendingRequest<Parameters, Row> {
  readonly parameters: Parameters;
  /** the spans of the HTTP request that the row belongs to */
  readonly spans: readonly SpanContext[];
  resolve(row: Answer<Row> | undefined): void;
  reject(error: unknown): void;
}

interface Queue<Parameters, Row> {
  pending: PendingRequest<Parameters, Row>[];
  running: number;
  isScheduled: boolean;
}

/**
 * A statement for many requests at once. Its text selects from the table `requests`, which has a row for each request, and
 * returns the `position` of the request that each result row answers; a request without a result row gets undefined. If the
 * first column is the key of the row to be changed, rows are locked in the order of that column, which avoids deadlocks.
 */
export function batched<Parameters extends object, Row extends object>(
  name: string,
  columns: Columns<Required<Parameters>>,
  text: (requests: string) => string,
): (database: Database, parameters: Parameters) => Promise<Answer<Row> | undefined> {
  const names = Object.keys(columns) as (keyof Parameters & string)[];
  const arrays = names.map((column, index) => `$${index + 1}::${columns[column]}[]`);
  const list = names.join(', ');
  // planner hint: start from `requests`; the condition on the position filters nothing
  const requests = `(
     select ${list}, position
     from unnest(${arrays.join(', ')}) with ordinality parameters (${list}, position)
     where position between 1 and ${maxBatchSize}) requests`;
  const statement = sql(name, text(requests));
  const queues = new WeakMap<Database, Queue<Parameters, Row>>();

  /** Schedules a statement: requests that arrive in the same turn of the event loop share it. */
  function schedule(database: Database, queue: Queue<Parameters, Row>): void {
    if (queue.isScheduled || queue.pending.length === 0 || queue.running >= maxRunning) return;
    queue.isScheduled = true;
    setImmediate(async () => {
      queue.isScheduled = false;
      queue.running += 1;
      const batch = queue.pending.splice(0, maxBatchSize).sort(byFirstColumn);
      schedule(database, queue);
      await endOrSlow(run(database, batch));
      queue.running -= 1;
      schedule(database, queue);
    });
  }

  function byFirstColumn(one: PendingRequest<Parameters, Row>, other: PendingRequest<Parameters, Row>): number {
    const [first, second] = [one, other].map(({ parameters }): unknown => parameters[names[0] as keyof Parameters]);
    return Buffer.isBuffer(first) && Buffer.isBuffer(second) ? Buffer.compare(first, second) : 0;
  }

  async function run(database: Database, batch: PendingRequest<Parameters, Row>[]): Promise<void> {
    try {
      const values = names.map((column) => batch.map(({ parameters }) => parameters[column] ?? null));
      // a batch is tried once, because its requests are then tried one by one
      const tries = batch.length > 1 ? 1 : undefined;
      const spans = batch.flatMap((request) => request.spans);
      sizes.observe(batch.length, name);
      const found = await onBehalfOf(spans, () => rows<Answer<Row>>(database, statement, values, tries));
      const answers: Answer<Row>[] = [];
      for (const row of found) answers[Number(row.position) - 1] = row;
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]);
    } catch (error) {
      if (batch.length > 1 && mayBeCausedByOneRow(error)) {
        await Promise.all(batch.map((request) => run(database, [request])));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  return (database, parameters) => {
    const queue = queues.get(database) ?? { pending: [], running: 0, isScheduled: false };
    queues.set(database, queue);
    return new Promise((resolve, reject) => {
      queue.pending.push({ parameters, spans: currentSpans(), resolve, reject });
      schedule(database, queue);
    });
  };
}

/** Waits until the work has ended or is slow. Without clearing it, the timer of each answered statement would wake the process. */
function endOrSlow(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, slowAfter).unref();
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
