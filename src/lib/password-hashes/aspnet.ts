import { base64, type HashFormat, numberIn } from './hash-format.ts';
import { type Prf, pbkdf2Digest, pbkdf2Work, roundsCost } from './pbkdf2.ts';

/** Their numbers in a hash. */
const prfs: ReadonlyMap<number, Prf> = new Map([
  [0, 'sha1'],
  [1, 'sha256'],
  [2, 'sha512'],
]);

/** The length that ASP.NET Identity makes; the beginning of a hash does not tell it. */
const usualLength = 32;

/**
 * ASP.NET Identity, version 3: base64 of the byte 1, the function, the rounds and the length of the salt (four bytes each), the
 * salt and the digest. The first twelve characters are the bytes before the length of the salt.
 */
export const aspnetFormat: HashFormat = {
  name: 'ASP.NET Identity',
  read(text) {
    if (!/^AQAAAA[A-Za-z0-9+/]{6}/.test(text)) return undefined;
    const beginning = base64(text.slice(0, 12));
    const [prf, rounds] = [beginning.readUInt32BE(1), String(beginning.readUInt32BE(5))];
    const name = prfs.get(prf) ?? 'sha1';
    const parts = partsOf(text);
    const count = numberIn(rounds);
    return {
      costs: [{ name: 'prf', text: String(prf), range: [0, 2] }, roundsCost('rounds', rounds)],
      work: () => pbkdf2Work(name, count, parts?.digest.length ?? usualLength),
      digest: parts && pbkdf2Digest(name, count, parts.salt, parts.digest),
    };
  },
};

function partsOf(text: string): Record<'salt' | 'digest', Buffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]{50,188}={0,2}$/.test(text)) return undefined;
  const bytes = base64(text);
  const end = 13 + bytes.readUInt32BE(9);
  const [salt, digest] = [bytes.subarray(13, end), bytes.subarray(end)];
  const isWhole = salt.length >= 8 && salt.length <= 64 && digest.length >= 16 && digest.length <= 64;
  return isWhole ? { salt, digest } : undefined;
}
