import { type DestinationStream, type Logger, pino } from 'pino';

/** JSON lines for machines; on a terminal, sentences for people. */
export function createLog(level: string, terminal = process.stdout.isTTY): Logger {
  if (!terminal) return pino({ level }, machineStream);
  return pino({ level }, peopleStream(level === 'debug' || level === 'trace'));
}

const longestBacklog = 2 ** 20;
let dropped = 0;
let pending = '';

/**
 * Whoever reads the log may stop reading: that must neither hold up the server nor fill its memory. Lines go out a few
 * at a time, for each write is a call of the system; what is pending when the process ends is written then.
 */
const machineStream: DestinationStream = {
  write(line: string) {
    if (process.stdout.writableLength > longestBacklog) {
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

/** Beside the progress, trouble and refusals are worth a line; who wants to see every request and event asks for `debug`. */
function peopleStream(everything: boolean): DestinationStream {
  return {
    write(line: string) {
      const entry = JSON.parse(line) as Entry;
      if (entry.level < 40 && entry.error === undefined && !everything) return;
      const sentence = inOneLine(entry.status === undefined ? entry.msg : sentenceOf(entry));
      const text = entry.err?.stack ? `${sentence}\n${entry.err.stack}` : sentence;
      process.stderr.write(entry.level >= 50 ? `Trouble: ${text}\n` : `${text}\n`);
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

/** `400 POST /token photo-printer invalid_grant: code expired` */
function sentenceOf({ status, method, path, client_id, error, reason, ms }: Entry): string {
  const outcome = error === undefined ? `${ms} ms` : `${error}: ${reason}`;
  return [status, method, path, client_id, outcome].filter((word) => word !== undefined).join(' ');
}

/** Paths and names come from strangers, and must not steer the reader's terminal. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\uFFFD');
}

/** What the person who started the process wants to read, or the machine that did. */
export function createSay(log: Logger, terminal = process.stdout.isTTY): (sentence: string) => void {
  return (sentence) => {
    if (!terminal) log.info(sentence);
    else if (log.isLevelEnabled('info')) process.stdout.write(`${sentence}\n`);
  };
}
