/** A stretch of a URI; `differs` stretches are the ones to look at. */
export interface UriPiece {
  text: string;
  differs: boolean;
}

export type UriPart = 'scheme' | 'host' | 'port' | 'path' | 'slash' | 'query' | 'fragment';

export interface RedirectUriDifference {
  received: UriPiece[];
  /** the nearest first, which is also the one that `received` is marked against */
  registered: { pieces: UriPiece[]; differs_in: UriPart[] }[];
}

/** No more than can be registered today; a registration from before that bound may hold thousands. */
const most = 50;

/**
 * Why a redirection URI is not a registered one, for its developer. The comparison that counts is the one of raw strings
 * [9700 §2.1]; this one only explains it, so it takes URIs apart without a parser, which would repair what is wrong.
 */
export function redirectUriDifference(received: string, registered: readonly string[]): RedirectUriDifference {
  const compared = registered
    .slice(0, most)
    .map((uri) => compare(split(received), split(uri)))
    .sort((one, other) => one.differs_in.length - other.differs_in.length || one.distance - other.distance);
  return {
    received: compared[0]?.received ?? [{ text: visible(received), differs: false }],
    registered: compared.map(({ pieces, differs_in }) => ({ pieces, differs_in })),
  };
}

type Parts = Record<UriPart, string>;

const order: readonly UriPart[] = ['scheme', 'host', 'port', 'path', 'slash', 'query', 'fragment'];

/** After RFC 3986 Appendix B, with the port and a trailing slash set apart; matches every string. */
const syntax = /^([^:/?#]+:)?(?:(\/\/[^/?#]*?)(:\d*)?(?=[/?#]|$))?([^?#]*?)(\/?)(\?[^#]*)?(#.*)?$/s;

function split(uri: string): Parts {
  const found = syntax.exec(uri) ?? [];
  const parts = order.map((part, index) => [part, found[index + 1] ?? '']);
  return Object.fromEntries(parts) as Parts;
}

function compare(received: Parts, registered: Parts) {
  const isOtherPath = received.path !== registered.path;
  // after another path a slash more or less is part of the difference, not a second one
  const [one, other] = isOtherPath ? [joinSlash(received), joinSlash(registered)] : [received, registered];
  const marked = order.map((part) => ({ part, ...mark(one[part], other[part]) }));
  return {
    received: marked.flatMap(({ here }) => here),
    pieces: marked.flatMap(({ there }) => there),
    differs_in: marked.filter(({ distance }) => distance > 0).map(({ part }) => part),
    distance: marked.reduce((sum, { distance }) => sum + distance, 0),
  };
}

function joinSlash(parts: Parts): Parts {
  return { ...parts, path: parts.path + parts.slash, slash: '' };
}

/** Everything between what both begin with and what both end with; by whole characters, not halves of them. */
function mark(one: string, other: string): { here: UriPiece[]; there: UriPiece[]; distance: number } {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start += 1;
  if (isHalfway(one, start) || isHalfway(other, start)) start -= 1;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  if (isHalfway(one, one.length - end) || isHalfway(other, other.length - end)) end -= 1;
  const cut = (text: string) => piecesOf(text, start, text.length - end);
  return { here: cut(one), there: cut(other), distance: Math.max(one.length, other.length) - start - end };
}

/** Between the two halves of one character. */
function isHalfway(text: string, place: number): boolean {
  return place > 0 && (text.codePointAt(place - 1) ?? 0) > 0xffff;
}

function piecesOf(text: string, from: number, to: number): UriPiece[] {
  const stretches = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  return stretches
    .map((stretch, index) => ({ text: visible(stretch), differs: index === 1 }))
    .filter(({ text }) => text !== '');
}

/** A space, a look-alike letter or an invisible character shows as what it is on the wire. */
function visible(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\uFFFD' : character),
  );
}
