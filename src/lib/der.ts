// The encoding of certificates, as far as their names need it [X.690 §8.1].

export interface Element {
  tag: number;
  content: Buffer;
}

/** Reads the elements that follow each other in a piece of DER; none for what is no DER. */
export function elementsIn(der: Buffer | undefined): Element[] {
  const elements: Element[] = [];
  for (let rest = der ?? Buffer.alloc(0); rest.length > 1; ) {
    const [tag = 0, first = 0] = rest;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > 4 || rest.length < 2 + lengthBytes) return [];
    const length = lengthBytes === 0 ? first : rest.readUIntBE(2, lengthBytes);
    const end = 2 + lengthBytes + length;
    if (end > rest.length) return [];
    elements.push({ tag, content: rest.subarray(2 + lengthBytes, end) });
    rest = rest.subarray(end);
  }
  return elements;
}

const versionTag = 0xa0;

/**
 * Returns what the issuer of a certificate has signed, from the serial number on [5280 §4.1]: algorithm, issuer, validity, subject, key,
 * then what is optional.
 */
export function signedFieldsOf(certificate: Buffer): Element[] {
  const [signed] = elementsIn(elementsIn(certificate)[0]?.content);
  return elementsIn(signed?.content).filter(({ tag }) => tag !== versionTag);
}

export function oidOf(content: Buffer = Buffer.alloc(0)): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
    }
  }
  const [first = 0, ...others] = numbers;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...others].join('.');
}
