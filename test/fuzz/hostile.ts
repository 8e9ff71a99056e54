/**
 * Texts that are repeated to make a pattern or a parser do the same work again and again: beginnings of secrets, separators,
 * escapes, digits, and characters that are expensive to normalize.
 */
export const units = [
  'a',
  '1',
  '-',
  '_',
  '.',
  ':',
  ',',
  ';',
  ' ',
  '/',
  '%',
  '=',
  '&',
  '"',
  '\\',
  '@',
  '?',
  '#',
  '+',
  '[',
  '{"a":',
  'eyJ',
  'eyJhbGciOiJub25lIn0.',
  'lk_',
  'lk_at_',
  'lk_rt_%',
  '%2e',
  '%25',
  '%2525',
  '%C3%A9',
  'a.',
  'a,',
  'a ',
  'a=',
  'a@',
  '1.',
  '0:',
  '::',
  '/../',
  '//',
  ' ,',
  ';q=',
  'xn--',
  'CN=a,',
  'é',
  '\u0301\u0316',
  '\u{1F469}\u200D',
  '\r\n',
];

export function repeated(unit: string, length: number): string {
  const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  // not half of a character
  return text.replace(/[\ud800-\udbff]$/, '');
}

/** Texts that stand in a pattern as they are. */
export function literalsIn(pattern: string): string[] {
  const plain = pattern
    .replace(/\\[pPu](\{[^}]*\}|[0-9a-f]{4})/g, ' ')
    .replace(/\[(?:[^\]\\]|\\.)*\]/g, ' ')
    .replace(/\\[a-zA-Z]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/\{\d*,?\d*\}|\(\?[:=!<]+/g, ' ');
  return [...new Set(plain.split(/[\s()|*?^$]+/).filter((text) => text !== ''))];
}
