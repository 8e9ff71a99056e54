/** A part of a URI, and whether it differs from the other URI. */
export interface UriPiece {
  text: string;
  differs: boolean;
}

export type UriPart = 'scheme' | 'host' | 'port' | 'path' | 'slash' | 'query' | 'fragment';

export interface RedirectUriDifference {
  received: UriPiece[];
  /** the most similar one first; the differences in `received` are those from it */
  registered: { pieces: UriPiece[]; differs_in: UriPart[] }[];
}

/** The most URIs that are compared, as many as a registration may have; an old registration may have thousands. */
const maxCompared = 50;

/**
 * Explains to a developer how a redirection URI differs from the registered ones. It decides nothing: verifyRedirectUri
 * compares raw strings [9700 §2.1]. It splits URIs without a URL parser, which would normalize the differences away.
 */
export function redirectUriDifference(received: string, registered: readonly string[]): RedirectUriDifference {
  const compared = registered
    .slice(0, maxCompared)
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
  // if the paths differ, a missing slash at the end is a part of that difference
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

/** Marks what lies between the common beginning and the common end; never splits a surrogate pair. */
function mark(one: string, other: string): { here: UriPiece[]; there: UriPiece[]; distance: number } {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start += 1;
  if (isInsidePair(one, start) || isInsidePair(other, start)) start -= 1;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  if (isInsidePair(one, one.length - end) || isInsidePair(other, other.length - end)) end -= 1;
  const cut = (text: string) => piecesOf(text, start, text.length - end);
  return { here: cut(one), there: cut(other), distance: Math.max(one.length, other.length) - start - end };
}

/** Whether a position is inside a surrogate pair. */
function isInsidePair(text: string, position: number): boolean {
  return position > 0 && (text.codePointAt(position - 1) ?? 0) > 0xffff;
}

function piecesOf(text: string, from: number, to: number): UriPiece[] {
  const parts = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  return parts.map((part, index) => ({ text: visible(part), differs: index === 1 })).filter(({ text }) => text !== '');
}

/** Percent-encodes everything but printable ASCII, so that spaces, look-alike letters and invisible characters can be seen. */
function visible(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\uFFFD' : character),
  );
}
