/** Names the step of another program that called this one [Trace Context §3.2]. */
export interface CallingSpan {
  readonly trace_id: string;
  readonly span_id: string;
}

/** Version 00 ends after the flags; a later one may continue with a dash [§4.3]. Ids of zeros only are invalid [§3.2.2]. */
const syntax =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2}(?=.{53}(?:-|$)))-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}/;

/** Undefined for a header that is missing, malformed or sent twice: then a trace begins here [§4.1]. */
export function readTraceparent(header: unknown): CallingSpan | undefined {
  const [, trace_id, span_id] = (typeof header === 'string' && syntax.exec(header)) || [];
  return trace_id === undefined || span_id === undefined ? undefined : { trace_id, span_id };
}
