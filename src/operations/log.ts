import { type DestinationStream, type Logger, pino } from 'pino';

/** Bytes of a log line, with its line feed: whatever a request contains, a collector of logs takes the line as one. */
const maxLineBytes = 4096;

/** The most that is kept of each text in a line that is too long; the first number with which the line fits counts. */
const keptCharacters = [1000, 300, 100, 20];

/** Shortens a line that is too long: it is still JSON, with all its members as far as they have room. */
function boundedLine(line: string): string {
  // UTF-8 has at most three bytes for a unit of UTF-16
  if (line.length * 3 <= maxLineBytes || Buffer.byteLength(line) <= maxLineBytes) return line;
  const entry = JSON.parse(line) as Record<string, unknown>;
  for (const kept of keptCharacters) {
    const cut = withShortTexts(entry, kept);
    if (Buffer.byteLength(cut) <= maxLineBytes) return cut;
  }
  const { level, time, request_id, msg } = entry;
  return withShortTexts({ level, time, request_id, msg }, 100);
}

function withShortTexts(entry: object, kept: number): string {
  const shorten = (_name: string, value: unknown) => (typeof value === 'string' ? value.slice(0, kept) : value);
  return `${JSON.stringify(entry, shorten)}\n`;
}

/** Makes the log: JSON lines, or sentences when standard output is a terminal. */
export function createLog(level: string, terminal = process.stdout.isTTY): Logger {
  return createLogTo(terminal ? sentenceStream(level === 'debug' || level === 'trace') : jsonStream, level);
}

/** Makes the log on another stream, in which no line is longer than the bound. */
export function createLogTo(stream: DestinationStream, level: string): Logger {
  return pino({ level, hooks: { streamWrite: boundedLine } }, stream);
}

/** Logs the warnings of Node, which would print them as they are; one of them contains the whole address of a request. */
export function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn({ err }, 'a warning of Node'));
}

const maxBacklogBytes = 2 ** 20;
let dropped = 0;
let pending = '';

/**
 * A stream that drops lines when the reader of standard output has stopped reading, instead of blocking or filling the memory. It writes
 * lines in groups: 3 µs less CPU for each than with `pino.destination`, which also blocks the exit when nobody reads.
 */
const jsonStream: DestinationStream = {
  write(line: string) {
    if (process.stdout.writableLength > maxBacklogBytes) {
      dropped += 1;
      return;
    }
    if (pending === '') setTimeout(flush, 10).unref();
    if (dropped > 0) pending += `${JSON.stringify({ level: 40, dropped, msg: 'log lines were dropped' })}\n`;
    dropped = 0;
    pending += line;
    if (pending.length > 2 ** 16) flush();
  },
};

function flush(): void {
  if (pending !== '') process.stdout.write(pending);
  pending = '';
}

process.once('exit', flush);

/** A stream that prints warnings, errors and refusals; at the levels `debug` and `trace` every request, too. */
function sentenceStream(isVerbose: boolean): DestinationStream {
  return {
    write(line: string) {
      const entry = JSON.parse(line) as Entry;
      if (entry.level < 40 && entry.error === undefined && !isVerbose) return;
      const sentence = withoutControls(entry.status === undefined ? entry.msg : sentenceOf(entry));
      const text = entry.err?.stack ? `${sentence}\n${entry.err.stack}` : sentence;
      process.stderr.write(entry.level >= 50 ? `Error: ${text}\n` : `${text}\n`);
    },
  };
}

interface Entry {
  level: number;
  msg: string;
  err?: { stack?: string };
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  client_id?: string;
  error?: string;
  reason?: string;
}

/** Returns a sentence such as `400 POST /token photo-printer invalid_grant: code expired`. */
function sentenceOf({ status, method, path, client_id, error, reason, ms }: Entry): string {
  const outcome = error === undefined ? `${ms} ms` : `${error}: ${reason}`;
  return [status, method, path, client_id, outcome].filter((word) => word !== undefined).join(' ');
}

/** Replaces control characters: paths and names come from requests, and must not send commands to the terminal. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\uFFFD');
}

/** Tells the operator about progress. */
export type Announce = (message: string) => void;

/** Returns a function that writes to the terminal, or to the log when standard output is no terminal. */
export function createAnnounce(log: Logger, terminal = process.stdout.isTTY): Announce {
  return (message) => {
    if (!terminal) log.info(message);
    else if (log.isLevelEnabled('info')) process.stdout.write(`${message}\n`);
  };
}
