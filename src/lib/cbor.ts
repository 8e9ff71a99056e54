/** What authenticators write in CBOR: no floats, tags and indefinite lengths [8949; CTAP 2.2 §8]. */
export type Cbor = number | boolean | null | string | Buffer | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

/** Thrown when the bytes are not CBOR that this server reads; the message continues a sentence about them. */
export class CborError extends Error {}

/** The deepest nesting: an attestation object is three deep, and a statement of any format five. */
const maxDepth = 8;

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

/** Reads the first item, and where it ends. */
export function readCbor(bytes: Buffer): { item: Cbor; end: number } {
  const cursor = { bytes, at: 0 };
  const item = readItem(cursor, 0);
  return { item, end: cursor.at };
}

const simpleValues: ReadonlyMap<number, boolean | null> = new Map([
  [0xf4, false],
  [0xf5, true],
  [0xf6, null],
]);

function readItem(cursor: Cursor, depth: number): Cbor {
  if (depth > maxDepth) throw new CborError('its CBOR is nested too deeply');
  const head = take(cursor, 1).readUInt8();
  const simple = simpleValues.get(head);
  if (simple !== undefined) return simple;
  const kind = head >> 5;
  const number = readNumber(cursor, head & 31);
  if (kind === 0) return number;
  if (kind === 1) return -1 - number;
  if (kind === 2) return take(cursor, number);
  if (kind === 3) return readText(take(cursor, number));
  if (kind === 4) return repeat(cursor, number, () => readItem(cursor, depth + 1));
  if (kind === 5) return readMap(cursor, number, depth);
  throw new CborError('its CBOR has a tag or a float');
}

/** Reads a number. Numbers of 64 bits and indefinite lengths are refused: nothing here is that large. */
function readNumber(cursor: Cursor, info: number): number {
  if (info < 24) return info;
  if (info > 26) throw new CborError('its CBOR has a length that is too large or indefinite');
  const size = 2 ** (info - 24);
  return take(cursor, size).readUIntBE(0, size);
}

function take(cursor: Cursor, length: number): Buffer {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new CborError('its CBOR is cut off');
  const taken = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return taken;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new CborError('its CBOR has a text that is not UTF-8');
  }
}

/** Reads items. Each has one byte at least, so a length that promises more ends the reading before anything is made of it. */
function repeat<T>(cursor: Cursor, count: number, read: () => T): T[] {
  if (count > cursor.bytes.length - cursor.at) throw new CborError('its CBOR is cut off');
  return Array.from({ length: count }, read);
}

function readMap(cursor: Cursor, count: number, depth: number): ReadonlyMap<Cbor, Cbor> {
  const map = new Map<Cbor, Cbor>();
  repeat(cursor, count, () => {
    const key = readItem(cursor, depth + 1);
    if (typeof key !== 'number' && typeof key !== 'string') throw new CborError('its CBOR has a key of another type');
    if (map.has(key)) throw new CborError('its CBOR has a key twice');
    map.set(key, readItem(cursor, depth + 1));
  });
  return map;
}
