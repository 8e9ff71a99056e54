import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { readTraceparent } from '../lib/traceparent.ts';

/** Identifies a step, and the step that it is part of [Trace Context §2.2]. */
export interface SpanContext {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string | undefined;
}

/** A step that has ended. Its name and attributes come from fixed sets, never from what a request contains. */
export interface Span extends SpanContext {
  readonly name: string;
  readonly kind: 'server' | 'client';
  /** milliseconds, as of performance.now() */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isFailed: boolean;
}

/** Where spans go, while tracing is on. */
export interface SpanRecorder {
  /** the share of requests that are traced */
  readonly rate: number;
  record(span: Span): void;
}

let recorder: SpanRecorder | undefined;

/** Until this is called, a request pays for tracing with one comparison. */
export function startTracing(given: SpanRecorder | undefined): void {
  recorder = given;
}

/**
 * The requests on whose behalf the code runs: one, none if it is not traced, or several, which share a statement. Without
 * tracing nothing is stored.
 */
const behalf = new AsyncLocalStorage<readonly SpanContext[]>();
const nobody: readonly SpanContext[] = [];

export function currentSpans(): readonly SpanContext[] {
  return recorder === undefined ? nobody : (behalf.getStore() ?? nobody);
}

export function onBehalfOf<Result>(spans: readonly SpanContext[], run: () => Result): Result {
  return recorder === undefined ? run() : behalf.run(spans, run);
}

/** Lets a callback of a stream run on behalf of the request that set it up, so that its spans belong to that. */
export function onSameBehalf<Given extends unknown[]>(callback: (...given: Given) => void): typeof callback {
  const spans = currentSpans();
  return spans.length === 0 ? callback : (...given) => behalf.run(spans, callback, ...given);
}

/**
 * The span of a request continues the trace of the caller if the header is valid. Whether it is recorded is decided here
 * alone: a stranger who sets the flag, or chooses the trace id, could otherwise make this server record every request.
 */
export function startRequestSpan(traceparent: unknown): RequestSpan {
  if (recorder === undefined && traceparent === undefined) return untraced;
  const parent = readTraceparent(traceparent);
  const isRecorded = recorder !== undefined && Math.random() < recorder.rate;
  if (!isRecorded) return { trace_id: parent?.trace_id, span: undefined };
  const trace_id = parent?.trace_id ?? newId(16);
  return { trace_id, span: { trace_id, span_id: newId(8), parent_span_id: parent?.span_id } };
}

export interface RequestSpan {
  /** the trace in the log, which is the caller's also where nothing is recorded here */
  readonly trace_id: string | undefined;
  /** if it is recorded */
  readonly span: SpanContext | undefined;
}

const untraced: RequestSpan = { trace_id: undefined, span: undefined };

export function endSpan(context: SpanContext, step: Omit<Span, keyof SpanContext>): void {
  recorder?.record({ ...context, ...step });
}

/** A step of all the requests on whose behalf the code runs. */
export function recordStep(parents: readonly SpanContext[], step: Omit<Span, keyof SpanContext>): void {
  for (const { trace_id, span_id } of parents) {
    recorder?.record({ trace_id, span_id: newId(8), parent_span_id: span_id, ...step });
  }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
