import { oneLine } from '../lib/one-line.ts';
import { type Language, translator } from '../web/language.ts';
import type { TextKey } from '../web/texts.ts';
import type { Facts } from './facts.ts';
import type { FoundSection, PortalPage, PortalSection, PortalWords } from './portal.view.ts';

/** Characters of a query that are read, words of it that are searched for, and sections that are shown. */
const longestQuery = 100;
const maxWords = 8;
export const maxFound = 20;
/** Characters of a section's text that the result quotes. */
const excerptLength = 180;

/** Small letters without accents, so that "reponse" finds "Réponse". */
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The query as it is searched for; undefined: nothing is searched for. */
export function readQuery(query: unknown): string | undefined {
  return (typeof query === 'string' && query.slice(0, longestQuery).trim()) || undefined;
}

/** Finds the sections that contain every word of the query in this language, first those whose headings do, last those where only a program does. */
export function searchPages(
  facts: Facts,
  pages: readonly PortalPage[],
  { query, language }: { query: string; language: Language },
): FoundSection[] {
  const words = folded(query).split(/\s+/).filter(Boolean).slice(0, maxWords);
  const say = speaker(facts, language);
  const isIn = (text: string) => words.filter((word) => text.includes(word)).length;
  const found = pages.flatMap(({ path, title, about, sections }) =>
    sections.flatMap((section, at) => {
      const { heading } = section;
      const [said, programs] = [saidIn(section).map(say), programsIn(section).map(say)];
      const blocks = [...said, ...programs];
      const [chapter, name] = [folded(say({ key: title })), heading ? folded(say(heading)) : ''];
      const texts = blocks.map(folded);
      if (isIn([chapter, name, ...texts].join('\n')) < words.length) return [];
      // a sentence says more than a line of a program with the same words
      const counts = texts.map((text, nth) => isIn(text) / (nth < said.length ? 1 : 2));
      const most = Math.max(0, ...counts);
      const href = `${facts.base}${path}${heading ? `#part-${at}` : ''}`;
      const best = counts.indexOf(most);
      // a line of a program says nothing by itself
      const quoted = best < said.length ? blocks[best] : say({ key: about });
      // cut between words, where the language has spaces
      const excerpt = marked(oneLine(quoted ?? '', excerptLength).replace(/ \S{0,24}…$/, ' …'), words);
      // the shorter of two headings with the same words says more about them
      const rank = 4 * isIn(name) + 2 * isIn(chapter) + most + isIn(name) / (1 + name.length);
      return { title, heading, href, excerpt, rank };
    }),
  );
  return found.toSorted((one, other) => other.rank - one.rank).slice(0, maxFound);
}

/** The pieces of a text, those that are words of the query apart. */
function marked(text: string, words: readonly string[]): FoundSection['excerpt'] {
  const letters = [...text].map((letter) => ({ letter, small: folded(letter) }));
  const whole = letters.map(({ small }) => small).join('');
  const isFound = new Set<number>();
  for (const word of words) {
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + word.length)) {
      for (let nth = at; nth < at + word.length; nth += 1) isFound.add(nth);
    }
  }
  const pieces: { text: string; is_found: boolean }[] = [];
  let position = 0;
  for (const { letter, small } of letters) {
    const is_found = isFound.has(position);
    const last = pieces.at(-1);
    if (last?.is_found === is_found) last.text += letter;
    else pieces.push({ text: letter, is_found });
    position += small.length;
  }
  return pieces;
}

/** Every block of a section's text that can be quoted by itself, but for its programs. */
function saidIn({
  sentences = [],
  steps = [],
  bullets = [],
  remarks = [],
  facts = [],
  tiles = [],
}: PortalSection): PortalWords[][] {
  return [
    ...[...sentences, ...steps, ...bullets, ...remarks].map((one) => [one]),
    ...[...facts, ...tiles].map(({ name, about, details = [], behind = [] }) => [
      name,
      ...about,
      ...details,
      ...behind,
    ]),
  ];
}

/** The name of each program of a section, and its lines. */
const programsIn = ({ programs = [] }: PortalSection): PortalWords[][] =>
  programs.flatMap(({ label, name, about, text }) => [
    [...(label ? [label] : []), { code: name }, ...about],
    ...text.split('\n').map((line) => [{ code: line }]),
  ]);

/** Returns the function that writes words in a language, without links. */
function speaker({ brand_name: brand }: Facts, language: Language) {
  const { t, has } = translator(language);
  const one = (words: PortalWords): string => {
    if ('code' in words) return words.code;
    if ('permission' in words) {
      const { scope, sentence, sentences } = words.permission;
      const key = `scope.${scope}`;
      return has(key) ? t(key) : (sentences[language] ?? sentence);
    }
    const values = Object.entries(words.values ?? {}).map(([name, { code }]) => [name, code]);
    return t(words.key as TextKey, { brand, ...Object.fromEntries(values) });
  };
  return (words: PortalWords | readonly PortalWords[]): string =>
    Array.isArray(words) ? words.map(one).join(' ') : one(words as PortalWords);
}
