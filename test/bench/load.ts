import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// The load generator, a process of its own: raw sockets, so that it takes little of the machine that it shares.

/** `{}` in headers and body stands for a value; one request per value. */
export interface Task {
  port: number;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  values: string[];
  connections: number;
  /** requests a second; without it each connection sends the next as soon as it has an answer */
  rate?: number;
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
  const content = body.replaceAll('{}', value);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, text]) => `${name}: ${text.replaceAll('{}', value)}`),
    ...(method === 'POST' ? [`Content-Length: ${Buffer.byteLength(content)}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

/** One request, one answer; every contestant states the length of what it sends. */
function send(socket: Socket, request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let answer: Buffer | undefined;
    let length = -1;
    const settle = (act: () => void) => {
      socket.removeAllListeners();
      socket.on('error', () => {});
      act();
    };
    const lost = () => settle(() => reject(new Error(`the connection was closed after: ${answer ?? 'nothing'}`)));
    socket.on('data', (chunk: Buffer) => {
      answer = answer ? Buffer.concat([answer, chunk]) : chunk;
      const head = length < 0 ? answer.indexOf('\r\n\r\n') : 0;
      if (head < 0) return;
      if (length < 0) {
        const stated = /\r\ncontent-length: *(\d+)/i.exec(answer.toString('latin1', 0, head));
        if (!stated) return settle(() => reject(new Error(`an answer without its length: ${answer}`)));
        length = head + 4 + Number(stated[1]);
      }
      const whole = answer;
      if (whole.length >= length) settle(() => resolve(whole));
    });
    socket.on('close', lost).on('error', lost);
    socket.write(request);
  });
}

async function drive(task: Task): Promise<Outcome> {
  const requests = task.values.map((value) => compose(task, value));
  const sockets = await Promise.all(Array.from({ length: task.connections }, () => open(task.port)));
  const times = new Float64Array(requests.length);
  const statuses: Record<number, number> = {};
  let answer = '';
  let next = 0;
  const begin = performance.now();
  const work = async (socket: Socket) => {
    for (let index = next++; index < requests.length; index = next++) {
      // at a fixed rate time counts from when the request was due, also if nobody was free to send it
      const due = task.rate ? begin + (index * 1000) / task.rate : performance.now();
      if (due > performance.now()) await pause(due - performance.now());
      const whole = await send(socket, requests[index] as Buffer);
      times[index] = performance.now() - due;
      const status = Number(whole.toString('latin1', 9, 12));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (index === requests.length - 1 || status >= 400) answer = whole.toString();
    }
  };
  await Promise.all(sockets.map(work));
  const seconds = (performance.now() - begin) / 1000;
  for (const socket of sockets) socket.destroy();
  times.sort();
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { seconds, p50: quantile(0.5), p99: quantile(0.99), statuses, answer };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

process.on('message', (task: Task) => {
  drive(task).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
