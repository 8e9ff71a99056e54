import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// The load generator, a process of its own: raw sockets, so that it takes little of the machine that it shares.

/** One request per value: in headers and body `{}` stands for the value, `{1}` for its first word. */
export interface Task {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  values: string[];
  /** requests a second; without it each connection sends the next as soon as it has an answer */
  rate?: number;
}

export interface Order extends Task {
  connections: number;
}

export interface Outcome {
  seconds: number;
  p50: number;
  p99: number;
  statuses: Record<number, number>;
  /** the last answer, for when it is not the one that was expected */
  answer: string;
}

function compose({ port, method, path, headers, body = '' }: Task, value: string): Buffer {
  const words = value.split(' ');
  const fill = (text: string) =>
    text.replace(/\{(\d?)\}/g, (_, n: string) => (n === '' ? value : (words[Number(n) - 1] ?? '')));
  const content = fill(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, text]) => `${name}: ${fill(text)}`),
    ...(method === 'POST' ? [`Content-Length: ${Buffer.byteLength(content)}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

/** One request, one answer; every contestant states the length of what it sends. */
class Connection {
  readonly #socket: Socket;
  #received: Buffer | undefined;
  /** of the whole answer, once its head is there */
  #length = -1;
  #settle: { resolve(answer: Buffer): void; reject(error: Error): void } | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    const lost = () =>
      this.#settle?.reject(new Error(`the connection was closed after: ${this.#received ?? 'nothing'}`));
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('close', lost).on('error', lost);
  }

  send(request: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#received = undefined;
      this.#length = -1;
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const received = this.#received ? Buffer.concat([this.#received, chunk]) : chunk;
    this.#received = received;
    if (this.#length < 0) {
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const stated = /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', 0, head));
      if (!stated) return this.#settle?.reject(new Error(`an answer without its length: ${received}`));
      this.#length = head + 4 + Number(stated[1]);
    }
    if (received.length >= this.#length) this.#settle?.resolve(received);
  }
}

async function drive(task: Order): Promise<Outcome> {
  const requests = task.values.map((value) => compose(task, value));
  const connections = await Promise.all(Array.from({ length: task.connections }, () => open(task.port)));
  const times = new Float64Array(requests.length);
  const statuses: Record<number, number> = {};
  let answer = '';
  let next = 0;
  const begin = performance.now();
  const work = async (connection: Connection) => {
    for (let index = next++; index < requests.length; index = next++) {
      // at a fixed rate time counts from when the request was due, also if nobody was free to send it
      const due = task.rate ? begin + (index * 1000) / task.rate : performance.now();
      if (due > performance.now()) await pause(due - performance.now());
      const whole = await connection.send(requests[index] as Buffer);
      times[index] = performance.now() - due;
      const status = Number(whole.toString('latin1', 9, 12));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (index === requests.length - 1 || status >= 400) answer = whole.toString();
    }
  };
  await Promise.all(connections.map(work));
  const seconds = (performance.now() - begin) / 1000;
  for (const connection of connections) connection.close();
  times.sort();
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { seconds, p50: quantile(0.5), p99: quantile(0.99), statuses, answer };
}

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Connection(socket)));
    socket.once('error', reject);
  });
}

process.on('message', (task: Order) => {
  drive(task).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
