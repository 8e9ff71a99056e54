import { type DestinationStream, type Logger, pino } from 'pino';

/** JSON lines for machines; on a terminal, sentences for people, where only trouble is worth a line beside the progress. */
export function createLog(level: string, terminal = process.stdout.isTTY): Logger {
  if (!terminal) return pino({ level }, machineStream);
  return pino({ level: level === 'info' ? 'warn' : level }, peopleStream);
}

const longestBacklog = 2 ** 20;
let dropped = 0;

/** Whoever reads the log may stop reading: that must neither hold up the server nor fill its memory. */
const machineStream: DestinationStream = {
  write(line: string) {
    if (process.stdout.writableLength > longestBacklog) {
      dropped += 1;
      return;
    }
    if (dropped > 0) process.stdout.write(`${JSON.stringify({ level: 40, dropped, msg: 'log lines were dropped' })}\n`);
    dropped = 0;
    process.stdout.write(line);
  },
};

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
