import { type DestinationStream, type Logger, pino } from 'pino';

/** JSON lines for machines; on a terminal, sentences for people, where only trouble is worth a line beside the progress. */
export function createLog(level: string, terminal = process.stdout.isTTY): Logger {
  if (!terminal) return pino({ level }, machineStream);
  return pino({ level: level === 'info' ? 'warn' : level }, peopleStream);
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

const peopleStream: DestinationStream = {
  write(line: string) {
    const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { stack?: string } };
    const text = err?.stack ? `${msg}\n${err.stack}` : msg;
    process.stderr.write(level >= 50 ? `Trouble: ${text}\n` : `${text}\n`);
  },
};

/** What the person who started the process wants to read, or the machine that did. */
export function createSay(log: Logger, terminal = process.stdout.isTTY): (sentence: string) => void {
  return terminal ? (sentence) => void process.stdout.write(`${sentence}\n`) : (sentence) => log.info(sentence);
}
