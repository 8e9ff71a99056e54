/** Control characters, changes of the writing direction, and characters without width, with which a name can be forged. */
const invisible =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u034f/gu;

/** Whether all of a name is visible, so that nothing in it can change what stands around it. */
export const isVisible = (text: string) => text.search(invisible) < 0;

/** A segmenter that is created once: creating any object of Intl takes longer than using it a hundred times. */
const graphemes = new Intl.Segmenter();

/**
 * Prepares text from outside for a sentence of a page: one line, no invisible characters, at most three combining marks in
 * a row, cut between graphemes. It prevents deception; escaping is left to the template.
 */
export function oneLine(text: string, length = 48): string {
  const clean = text
    .slice(0, 8192)
    .replace(/[\t\r\n]/g, ' ')
    .replace(invisible, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const window = clean.slice(0, length * 32);
  const characters = firstGraphemes(window, length + 1);
  if (characters.length <= length && window.length === clean.length) return clean || '–';
  return `${characters.slice(0, Math.min(length, characters.length) - 1).join('')}…`;
}

/** Returns the first graphemes, and no more than are shown: in V8, each of them takes time in proportion to the whole text. */
function firstGraphemes(text: string, count: number): string[] {
  // each character of ASCII is one, and most names have no other
  if (/^[\x20-\x7e]*$/.test(text)) return [...text.slice(0, count)];
  const found: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    found.push(segment);
    if (found.length === count) break;
  }
  return found;
}
