// Names of certificates are compared attribute by attribute: two different ones can look the same when they are printed.
import { type Element, elementsIn, oidOf, signedFieldsOf } from './der.ts';

/** The relative names from the most general one on; each is a set of attributes, here sorted, each an OID with its value. */
export type DistinguishedName = readonly (readonly string[])[];

/** The keywords of RFC 4514 §3, and those that openssl prints in addition. */
const attributeTypes: ReadonlyMap<string, string> = new Map([
  ['CN', '2.5.4.3'],
  ['SERIALNUMBER', '2.5.4.5'],
  ['C', '2.5.4.6'],
  ['L', '2.5.4.7'],
  ['ST', '2.5.4.8'],
  ['STREET', '2.5.4.9'],
  ['O', '2.5.4.10'],
  ['OU', '2.5.4.11'],
  ['BUSINESSCATEGORY', '2.5.4.15'],
  ['ORGANIZATIONIDENTIFIER', '2.5.4.97'],
  ['UID', '0.9.2342.19200300.100.1.1'],
  ['DC', '0.9.2342.19200300.100.1.25'],
  ['EMAILADDRESS', '1.2.840.113549.1.9.1'],
]);

/** Reads the text of RFC 4514, which begins with the most specific part; undefined if it is none. */
export function readDistinguishedName(text: string): DistinguishedName | undefined {
  const relative: string[][] = [[]];
  let rest = text;
  while (rest !== '') {
    const [all = '', type = '', value = '', separator = ''] =
      /^([A-Za-z]+|\d+(?:\.\d+)+)=((?:\\[0-9A-Fa-f]{2}|\\.|[^\\",+;<>\0])*)(,(?=.)|\+(?=.)|$)/su.exec(rest) ?? [];
    const oid = attributeTypes.get(type.toUpperCase()) ?? (/^\d/.test(type) ? type : undefined);
    const decoded = value.startsWith('#') ? textOfHex(value.slice(1)) : unescaped(value);
    if (oid === undefined || decoded === undefined) return undefined;
    relative.at(-1)?.push(attribute(oid, decoded));
    if (separator === ',') relative.push([]);
    rest = rest.slice(all.length);
  }
  return relative[0]?.length === 0 ? undefined : relative.reverse().map((one) => one.sort());
}

/** Reads the subject of a certificate; undefined if it cannot be compared: empty, or with values that are no text. */
export function subjectOf(certificate: Buffer): DistinguishedName | undefined {
  const [, , , , subject] = signedFieldsOf(certificate);
  const name = elementsIn(subject?.content).map(({ content }) =>
    elementsIn(content).map((pair) => {
      const [type, value] = elementsIn(pair.content);
      const text = type && value && textOf(value);
      return text === undefined ? undefined : attribute(oidOf(type?.content), text);
    }),
  );
  const isReadable = name.length > 0 && name.every((one) => one.length > 0 && !one.includes(undefined));
  return isReadable ? (name as string[][]).map((one) => one.sort()) : undefined;
}

export function areSameNames(one: DistinguishedName | undefined, other: DistinguishedName | undefined): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

const attribute = (oid: string, value: string) => `${oid}=${value}`;

/** Removes escapes; spaces at the ends count only if they are escaped [4514 §2.4]; bytes are UTF-8. */
function unescaped(value: string): string | undefined {
  const characters: string[] = value.match(/\\[0-9A-Fa-f]{2}|\\.|[^\\]/gsu) ?? [];
  const isMeant = (character: string) => character !== ' ';
  const [first, last] = [characters.findIndex(isMeant), characters.findLastIndex(isMeant)];
  const bytes = characters
    .slice(first, last + 1)
    .map((one) =>
      /^\\[0-9A-Fa-f]{2}$/.test(one) ? Buffer.from(one.slice(1), 'hex') : Buffer.from(one.replace(/^\\/, '')),
    );
  return decode('utf8', Buffer.concat(bytes));
}

function textOfHex(hex: string): string | undefined {
  const [value] = elementsIn(Buffer.from(hex, 'hex'));
  return value && textOf(value);
}

/** The encodings of text by tag: the same text is the same name in each of them. */
const textEncodings: ReadonlyMap<number, string> = new Map([
  [12, 'utf8'], // UTF8String
  [19, 'utf8'], // PrintableString, a part of ASCII
  [22, 'utf8'], // IA5String, ASCII
  [30, 'utf-16be'], // BMPString
]);

function textOf({ tag, content }: Element): string | undefined {
  const encoding = textEncodings.get(tag);
  return encoding && decode(encoding, content);
}

function decode(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
