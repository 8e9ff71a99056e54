import pg, { type Connection, type Submittable } from 'pg';
import utils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';

interface Column {
  name: string;
  parse(text: string): unknown;
}

type Callback = (error: Error | null, result?: PreparedQuery) => void;

/** What a connection has been told about the columns of a statement, by the statement's name. */
const described = new WeakMap<Connection, Map<string, readonly Column[]>>();

/**
 * A named statement that a connection parses and describes once, as pg's own Query does not: that asks Postgres at each
 * execution what the columns are, and works out anew how each of them is read.
 */
export class PreparedQuery implements Submittable {
  /** pg remembers by them what this connection has parsed */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: Record<string, unknown>[] = [];
  /** the pool sets it */
  callback: Callback | undefined;
  #columns: readonly Column[] | undefined;
  #known: Map<string, readonly Column[]> | undefined;

  constructor(name: string, text: string, values: readonly unknown[]) {
    this.name = name;
    this.text = text;
    this.values = values;
  }

  submit(connection: Connection): void {
    this.#known = described.get(connection) ?? new Map();
    described.set(connection, this.#known);
    this.#columns = this.#known.get(this.name);
    const bind = serialize.bind({ statement: this.name, values: [...this.values], valueMapper: utils.prepareValue });
    // in one piece: each costs as much as all of them
    connection.stream.write(
      Buffer.concat(this.#columns ? [bind, execution] : [...this.#parse(connection), bind, describe, execution]),
    );
  }

  #parse(connection: Connection): Buffer[] {
    const isParsed = (connection as ParsedStatements).parsedStatements[this.name] !== undefined;
    return isParsed ? [] : [serialize.parse({ name: this.name, text: this.text })];
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }));
    this.#known?.set(this.name, this.#columns);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    this.#columns?.forEach(({ name, parse }, index) => {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : parse(text);
    });
    this.rows.push(row);
  }

  handleCommandComplete(): void {
    // one that returns no rows is described as having no columns by saying nothing
    if (!this.#columns) this.#known?.set(this.name, []);
  }

  handleReadyForQuery(): void {
    this.callback?.(null, this);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

const describe = serialize.describe({ type: 'P' });
const execution = Buffer.concat([serialize.execute(), serialize.sync()]);

type ParsedStatements = Connection & { parsedStatements: Record<string, string> };
