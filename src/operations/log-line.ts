/** Bytes of a log line, with its line feed: whatever a request contains, a collector of logs takes the line as one. */
export const maxLineBytes = 4096;

/** The most that is kept of each text in a line that is too long; the first number with which the line fits counts. */
const keptCharacters = [1000, 300, 100, 20];

/** A line that is too long, with its texts cut: still JSON, and with all its members as far as they have room. */
export function boundedLine(line: string): string {
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
