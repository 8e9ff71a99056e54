import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { counter } from '../../telemetry/metric.ts';
import { writeSpans } from '../../telemetry/otlp.ts';
import { type Span, startTracing } from '../../telemetry/span.ts';

/** This module is loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set. */

const spans = counter('latchkey_spans_total', 'Spans of traces, if tracing is on.', {
  outcome: ['exported', 'failed', 'dropped'],
});

/** Spans are sent when there are so many, or after so many milliseconds; more than the third number are dropped. */
const [batchSize, intervalMs, maxWaiting] = [500, 1000, 5000];
const timeoutMs = 5000;
/** How long the end of the process waits for the last spans: a collector that is away must not delay it. */
const maxStopMs = 1000;
/** A collector that is away is reported once in this time. */
const reportIntervalMs = 60_000;

type Tracing = NonNullable<Config['tracing']>;

/** Sends the spans of this process to the collector. A collector that is away costs spans and nothing else. */
export function exportSpans({ url, headers, service, rate }: Tracing, log: Logger): { stop(): Promise<void> } {
  // in containers every process has the same number
  const resource = { 'service.name': service, 'service.instance.id': `${hostname()}-${process.pid}` };
  const waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;

  function record(span: Span): void {
    if (waiting.length >= maxWaiting) return spans.add('dropped');
    waiting.push(span);
    if (waiting.length >= batchSize) void send();
  }

  /** Sends one request at a time, so that requests do not pile up before a slow collector; the next full batch follows at once. */
  async function send(): Promise<void> {
    if (sending || waiting.length === 0) return sending;
    const batch = waiting.splice(0, batchSize);
    sending = post(batch).finally(() => {
      sending = undefined;
      if (waiting.length >= batchSize) void send();
    });
    return sending;
  }

  async function post(batch: readonly Span[]): Promise<void> {
    let outcome = 'failed';
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: writeSpans(resource, batch),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered with status ${response.status}`);
      outcome = 'exported';
    } catch (error) {
      report(error);
    }
    for (const _span of batch) spans.add(outcome);
  }

  function report(error: unknown): void {
    if (performance.now() - reportedAt < reportIntervalMs) return;
    reportedAt = performance.now();
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    log.warn({ reason }, 'OTEL_EXPORTER_OTLP_ENDPOINT: spans could not be sent and are lost');
  }

  startTracing({ rate, record });
  const timer = setInterval(send, intervalMs);
  const sendRest = async () => {
    while (sending) await sending;
    if (waiting.length > 0) await post(waiting.splice(0));
  };
  const stop = async () => {
    clearInterval(timer);
    await Promise.race([sendRest(), pause(maxStopMs, undefined, { ref: false })]);
  };
  return { stop };
}
