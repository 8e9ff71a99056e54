import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A screenshot of a page in the 256 colours it gets by with [PNG, third edition]: about a third of the bytes. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, channels, rows } = decode(png);
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = rows.readUIntBE(at * channels, 3);
  let indexed: ReturnType<typeof index>;
  // text has far fewer shades than 2^24: drop low bits only until they fit
  for (let bits = 8; ; bits -= 1) {
    indexed = index(pixels, bits);
    if (indexed.palette.length <= 256) break;
  }
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    lines.set(indexed.indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(indexed.palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const body = deflateSync(lines, { level: 9 });
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function index(pixels: Uint32Array, bits: number) {
  const low = (1 << (8 - bits)) - 1;
  const mask = ~(low | (low << 8) | (low << 16));
  const known = new Map<number, number>();
  const palette: number[] = [];
  const indices = Uint8Array.from(pixels, (color) => {
    const key = color & mask;
    const place = known.get(key) ?? palette.push(color) - 1;
    if (place === palette.length - 1) known.set(key, place);
    return place;
  });
  return { palette, indices };
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Eight bits a channel, not interlaced: what Chromium writes. */
function decode(png: Buffer) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const rows = Buffer.alloc(stride * height);
  for (let at = 0; at < rows.length; at += 1) {
    const y = Math.floor(at / stride);
    const left = at % stride >= channels ? (rows[at - channels] ?? 0) : 0;
    const up = rows[at - stride] ?? 0;
    const corner = at % stride >= channels ? (rows[at - stride - channels] ?? 0) : 0;
    rows[at] = (raw[at + y + 1] ?? 0) + predict(raw[y * (stride + 1)] ?? 0, left, up, corner);
  }
  return { width, height, channels, rows };
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
