// ci: waits for processes
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { credentialKey } from '../../src/lib/secrets.ts';
import { findActiveAccessToken } from '../../src/oauth/resource/access-tokens.sql.ts';
import { exportSpans } from '../../src/operations/monitoring/span-exporter.ts';
import { oneAtATime } from '../../src/operations/pipelining.ts';
import { endSpan, onBehalfOf, type Span, startTracing } from '../../src/telemetry/span.ts';
import { findSecrets } from '../support/attack.ts';
import { startCollector } from '../support/collector.ts';
import { createDatabase } from '../support/database.ts';
import { obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { password, startWithPrinter } from '../support/latchkey.ts';
import { startServing } from '../support/process.ts';
import { scratch } from '../support/scratch.ts';
import { wholeFlow } from '../support/whole-flow.ts';

const { origin, deps, logged } = await startWithPrinter({ TRUST_PROXY: 'true' });
const collector = await startCollector();
const tracing = { url: `${collector.endpoint}/v1/traces`, headers: { 'api-key': 'of the collector' }, service: 'id' };
let exporter = exportSpans({ ...tracing, rate: 1 }, deps.log);

beforeEach(async () => {
  await exporter.stop();
  collector.received.splice(0);
  exporter = exportSpans({ ...tracing, rate: 1 }, deps.log);
});
after(() => exporter.stop());

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
const span_id = '00f067aa0ba902b7';
const traceparent = `00-${trace_id}-${span_id}-01`;

const getUser = (token: unknown, headers: Record<string, string> = {}) =>
  fetch(`${origin}/user`, { headers: { authorization: `Bearer ${token}`, ...headers } });

async function obtainToken(): Promise<unknown> {
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  return body['access_token'];
}

test('a request continues the trace of its caller, and its statements are steps of it [Trace Context §3.2]', async () => {
  const code = await obtainCode(await signedInBrowser(origin));
  const answer = await redeem(origin, code, {}, { traceparent });
  assert.equal(answer.status, 200);
  const spans = await collector.awaitSpans('POST /token');
  const [request] = spans.filter(({ traceId }) => traceId === trace_id);
  assert.ok(request && request.kind === 2 && request.parentSpanId === span_id, JSON.stringify(spans));
  assert.notEqual(request.spanId, span_id);
  const attributes = Object.fromEntries(request.attributes.map(({ key, value }) => [key, value]));
  assert.deepEqual(attributes, {
    'http.request.method': { stringValue: 'POST' },
    'http.route': { stringValue: '/token' },
    'http.response.status_code': { intValue: '200' },
    'latchkey.request_id': { stringValue: answer.headers.get('x-request-id') },
  });
  const [statement] = await collector.awaitSpans('redeem_authorization_code');
  assert.deepEqual([statement?.traceId, statement?.parentSpanId, statement?.kind], [trace_id, request.spanId, 3]);
  const [start, end] = [BigInt(request.startTimeUnixNano), BigInt(request.endTimeUnixNano)];
  assert.ok(start <= BigInt(statement?.startTimeUnixNano ?? 0) && BigInt(statement?.endTimeUnixNano ?? 0) <= end);
  assert.ok(Math.abs(Number(end / 1_000_000n) - Date.now()) < 60_000);
  const [first] = collector.received;
  assert.ok(first);
  assert.equal(first.path, '/v1/traces');
  assert.equal(first.headers['content-type'], 'application/json');
  assert.equal(first.headers['api-key'], 'of the collector');
});

test('requests that share a statement each have it as a step of their own trace', async () => {
  const key = credentialKey(String(await obtainToken()));
  const requests = Array.from({ length: 20 }, (_, index) => {
    const [trace, span] = [32, 16].map((length) => `${index + 10}`.padStart(length, '0'));
    return { trace_id: trace ?? '', span_id: span ?? '', parent_span_id: undefined };
  });
  // asked in one turn of the event loop, they are one statement
  const ask = () => findActiveAccessToken(deps.database, key);
  await Promise.all(requests.map((request) => onBehalfOf([request], ask)));
  const steps = await collector.awaitSpans('find_active_access_token', requests.length);
  const parents = steps.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]);
  assert.deepEqual(
    parents.sort(),
    requests.map(({ trace_id, span_id }) => [trace_id, span_id]),
  );
  assert.equal(new Set(steps.map(({ startTimeUnixNano }) => startTimeUnixNano)).size, 1);
});

test('a traceparent that is malformed or sent twice is ignored: the request is answered, and a trace begins here [Trace Context §4.1] [A424]', async () => {
  const token = await obtainToken();
  const wrong = [
    `00-${'0'.repeat(32)}-${span_id}-01`,
    `00-${trace_id}-${'0'.repeat(16)}-01`,
    `ff-${trace_id}-${span_id}-01`,
    `00-${trace_id}-${span_id}-01-more`,
    `00-${trace_id.toUpperCase()}-${span_id}-01`,
    `00-${trace_id}-${span_id}`,
    `00-${trace_id}-${span_id}-01, 00-${trace_id}-${span_id}-01`,
    `00-${trace_id}-${span_id}-0%0a`,
    `${traceparent}${'x'.repeat(10_000)}`,
    '{"level":60}',
  ];
  const ids: (string | null)[] = [];
  for (const header of wrong) {
    const answer = await getUser(token, { traceparent: header });
    assert.equal(answer.status, 200, header);
    ids.push(answer.headers.get('x-request-id'));
  }
  const spans = await collector.awaitSpans('GET /user', wrong.length);
  for (const [index, header] of wrong.entries()) {
    const own = spans.find(({ attributes }) => attributes.some(({ value }) => value.stringValue === ids[index]));
    assert.match(own?.traceId ?? '', /^[0-9a-f]{32}$/, header);
    assert.notEqual(own?.traceId, trace_id, header);
    assert.equal(own?.parentSpanId, undefined, header);
  }
  const later = `cc-${trace_id}-${span_id}-01-what-the-future-will-be-like`;
  await getUser(token, { traceparent: later });
  const all = await collector.awaitSpans('GET /user', wrong.length + 1);
  assert.ok(
    all.some(({ traceId }) => traceId === trace_id),
    'a later version [§4.3]',
  );
});

test('whether a request is traced is decided here, whatever flags and ids strangers send [A424]', async () => {
  const token = await obtainToken();
  await exporter.stop();
  collector.received.splice(0);
  exporter = exportSpans({ ...tracing, rate: 0 }, deps.log);
  for (let time = 0; time < 50; time += 1) await getUser(token, { traceparent, tracestate: 'a=b' });
  await exporter.stop();
  assert.deepEqual(
    collector.spans().filter(({ traceId }) => traceId === trace_id),
    [],
  );
});

test('a request that waited behind a traced one of its connection does not run on behalf of that one', async () => {
  const token = await obtainToken();
  const spans: Span[] = [];
  let requests = 0;
  // the first one is traced, and no other
  startTracing({
    record: (span) => void spans.push(span),
    get rate() {
      return requests++ === 0 ? 1 : 0;
    },
  });
  const server = createServer(oneAtATime(createApp(deps))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const get = (fields: string) => `GET /user HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\n${fields}\r\n`;
  socket.write(get('') + get('') + get('Connection: close\r\n'));
  assert.equal((await text(socket)).match(/HTTP\/1\.1 200/g)?.length, 3);
  server.close();
  assert.equal(requests, 3);
  assert.deepEqual(spans.map(({ name }) => name).sort(), ['GET /user', 'find_active_access_token']);
});

test('the line of a request has the id of its trace, also where nothing is traced [A424]', async () => {
  startTracing(undefined);
  const traced = await fetch(`${origin}/healthz`, { headers: { traceparent } });
  const forged = await fetch(`${origin}/healthz`, { headers: { traceparent: `"}${traceparent}` } });
  const lineOf = async ({ headers }: Response) => {
    const id = `"request_id":"${headers.get('x-request-id')}"`;
    const find = () => logged.find((line) => line.includes(id) && line.includes('"status"'));
    for (let tries = 0; tries < 600 && find() === undefined; tries += 1) await pause(20);
    return JSON.parse(find() ?? '{}');
  };
  assert.equal((await lineOf(traced)).trace_id, trace_id);
  assert.notEqual((await lineOf(traced)).request_id, trace_id);
  const { status, trace_id: none } = await lineOf(forged);
  assert.deepEqual([status, none], [200, undefined]);
});

test('no span holds a secret or anything else of a request: neither path, query, headers nor parameters of SQL [A424]', async () => {
  const secrets = await wholeFlow(origin);
  const query = 'access_token=lk_at_in-the-query&evil=query';
  const headers = { baggage: 'key=a-secret-in-baggage', authorization: 'Bearer evil-header', cookie: 'evil=cookie' };
  await fetch(`${origin}/user?${query}`, { headers });
  await fetch(`${origin}/account/applications/evil-client`, { headers });
  await fetch(`${origin}/evil-path`, { headers });
  await collector.awaitSpans('GET /account/applications/:client_id');
  await collector.awaitSpans('GET unknown');
  await exporter.stop();
  const all = collector.received.map(({ body }) => body).join('\n');
  assert.ok(collector.spans().length > 100);
  assert.deepEqual(findSecrets(all, [...secrets, password]), []);
  assert.doesNotMatch(all, /lk_|evil|baggage|alice|photo-printer|127\.0\.0\.1/);
  assert.match(all, /"GET \/account\/applications\/:client_id"/);
});

test('a collector that is away or refuses costs spans and nothing else, and is reported once', async () => {
  const token = await obtainToken();
  collector.status = 500;
  const before = logged.length;
  for (let time = 0; time < 3; time += 1) {
    assert.equal((await getUser(token)).status, 200);
    await collector.awaitSpans('GET /user', time + 1);
  }
  const reports = () => logged.slice(before).filter((line) => line.includes('spans could not be sent'));
  for (let tries = 0; tries < 600 && reports().length === 0; tries += 1) await pause(50);
  await exporter.stop();
  collector.status = 200;
  assert.equal(reports().length, 1);
  assert.match(reports()[0] ?? '', /the collector answered with status 500/);
});

function recordSteps(count: number): void {
  const step = { name: 'step', kind: 'client', start: 0, end: 1, attributes: {}, isFailed: false } as const;
  for (let done = 0; done < count; done += 1) endSpan({ trace_id, span_id, parent_span_id: undefined }, step);
}

/** From now on the collector answers no request, until the function is called. */
function holdAnswers(): () => void {
  let release = () => {};
  collector.answers = new Promise((resolve) => {
    release = resolve;
  });
  return release;
}

test('full batches that waited for a slow answer are sent one after the other, without waiting for the timer', async (t) => {
  await exporter.stop();
  t.mock.timers.enable({ apis: ['setInterval'] });
  exporter = exportSpans({ ...tracing, rate: 1 }, deps.log);
  const answer = holdAnswers();
  recordSteps(500);
  await collector.awaitSpans('step', 500);
  recordSteps(2000);
  assert.equal(collector.received.length, 1, 'one request at a time');
  answer();
  assert.equal((await collector.awaitSpans('step', 2500)).length, 2500);
  await exporter.stop();
});

test('at the end, too, the collector has one request at a time, and gets everything', async () => {
  const answerFirst = holdAnswers();
  recordSteps(500);
  await collector.awaitSpans('step', 500);
  recordSteps(700);
  const stopped = exporter.stop();
  const answerSecond = holdAnswers();
  answerFirst();
  await collector.awaitSpans('step', 1000);
  assert.equal(collector.received.length, 2);
  answerSecond();
  assert.equal((await collector.awaitSpans('step', 1200)).length, 1200);
  await stopped;
});

test('processes have different names, also in containers, where each has the same number', async () => {
  await fetch(`${origin}/healthz`);
  await collector.awaitSpans('GET /healthz');
  const instance = { key: 'service.instance.id', value: { stringValue: `${hostname()}-${process.pid}` } };
  const [first] = collector.received;
  assert.deepEqual(JSON.parse(first?.body ?? '').resourceSpans[0].resource.attributes[1], instance);
});

test('what waits when the server stops is sent', async () => {
  const before = logged.length;
  await fetch(`${origin}/readyz`);
  // its span is recorded with its line
  const hasEnded = () => logged.slice(before).some((line) => line.includes('"/readyz"'));
  for (let tries = 0; tries < 600 && !hasEnded(); tries += 1) await pause(20);
  await exporter.stop();
  await collector.awaitSpans('GET /readyz');
});

/** The files of the program that a process loaded, as V8 reports them at its end. */
function loadedFiles(directory: string): string[] {
  const reports = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  return reports.flatMap((report) =>
    [...report.matchAll(/"url":"file:[^"]*\/program\/src\/([^"]+)"/g)].map(([, file = '']) => file),
  );
}

test('OTEL_EXPORTER_OTLP_ENDPOINT switches tracing on; without it the exporter is not even loaded', async () => {
  const DATABASE_URL = await createDatabase();
  const run = async (name: string, env: Record<string, string>) => {
    const NODE_V8_COVERAGE = join(scratch, name);
    mkdirSync(NODE_V8_COVERAGE);
    const latchkey = await startServing({ DATABASE_URL, NODE_V8_COVERAGE, ...env });
    await fetch(`${latchkey.origin}/healthz`);
    if ('OTEL_SERVICE_NAME' in env) await collector.awaitSpans('GET /healthz');
    latchkey.child.kill('SIGTERM');
    assert.equal(await latchkey.exit, 0);
    return loadedFiles(NODE_V8_COVERAGE);
  };
  const exporterFile = 'operations/monitoring/span-exporter.js';
  const without = await run('untraced', {});
  assert.ok(without.includes('operations/monitoring/metrics.js') && !without.includes(exporterFile));
  const OTEL_EXPORTER_OTLP_ENDPOINT = `${collector.endpoint}/`;
  const OTEL_EXPORTER_OTLP_HEADERS = 'api-key=a%20key, x-tenant=1';
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME: 'identity' };
  assert.ok((await run('traced', traced)).includes(exporterFile));
  const service = '{"key":"service.name","value":{"stringValue":"identity"}}';
  const posted = collector.received.find(({ body }) => body.includes(service));
  assert.deepEqual([posted?.headers['api-key'], posted?.headers['x-tenant']], ['a key', '1']);
});
