import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

/** A span in OTLP's JSON. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
}

export interface Collector {
  readonly endpoint: string;
  /** the bodies of all requests, and the headers */
  readonly received: { body: string; headers: IncomingHttpHeaders; path: string | undefined }[];
  /** the status that it answers with */
  status: number;
  /** it answers after this */
  answers: Promise<void>;
  spans(): ReceivedSpan[];
  /** Waits until there are so many spans of this name. */
  awaitSpans(name: string, count?: number): Promise<ReceivedSpan[]>;
}

/** Takes traces over HTTP, as a collector of OpenTelemetry does. */
export async function startCollector(): Promise<Collector> {
  const received: Collector['received'] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, async (req, res) => {
    received.push({ body: await text(req), headers: req.headers, path: req.url });
    await collector.answers;
    res.writeHead(collector.status, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
  }).listen(0, '127.0.0.1');
  after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const spans = () =>
    received.flatMap(({ body }): ReceivedSpan[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  const collector: Collector = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    status: 200,
    answers: Promise.resolve(),
    spans,
    async awaitSpans(name, count = 1) {
      const found = () => spans().filter((span) => span.name === name);
      for (let tries = 0; tries < 600 && found().length < count; tries += 1) await pause(50);
      if (found().length < count) throw new Error(`no ${name} among ${spans().map((span) => span.name)}`);
      return found();
    },
  };
  return collector;
}
