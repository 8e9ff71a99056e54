import { oneLine } from '../lib/one-line.ts';
import { type Language, translator } from '../web/language.ts';
import type { TextKey } from '../web/texts.ts';
import type { Facts } from './facts.ts';
import type { FoundPlace, FoundSection, PortalPage, PortalSection, PortalWords } from './portal.view.ts';
import { term } from './words.ts';

/** Characters of a query that are read, words of it that are searched for, and sections that are shown. */
const longestQuery = 100;
const maxWords = 8;
const maxFound = 20;
/** Characters of a section's text that the result quotes, of them before the first word that was found, and of which they are a part. */
const excerptLength = 180;
const before = 40;
const longestBlock = 2000;
/** Characters of a line of a program that says nothing by itself. */
const shortLine = 24;
/** What stands between the cells of a row. */
const between = ' · ';

/** Small letters without accents, so that "reponse" finds "Réponse". */
const folded = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The query as it is searched for; undefined: nothing is searched for. */
export function readQuery(query: unknown): string | undefined {
  return (typeof query === 'string' && query.slice(0, longestQuery).trim()) || undefined;
}

/**
 * Finds the sections that contain every word of the query in this language: first those whose headings do, then those that are mostly
 * about the words, last those where only a program has them. Sections that quote the same are one result.
 */
export function searchPages(
  facts: Facts,
  pages: readonly PortalPage[],
  { query, language }: { query: string; language: Language },
): { count: number; best: FoundSection[] } {
  const words = [...new Set(folded(query).split(/\s+/).filter(Boolean).slice(0, maxWords))];
  const say = speaker(facts, language);
  const isIn = (text: string) => words.filter((word) => text.includes(word)).length;
  const found = pages.flatMap(({ path, title, about, sections }) =>
    sections.flatMap((section) => {
      const { heading, anchor } = section;
      const said = saidIn(section)
        .map((cells) => cells.map(say).join(between))
        .map((text) => ({ text, quoted: text, program: undefined, isSaid: true }));
      const lines = linesIn(section).map(({ of, text, near }) => ({
        text: say(text),
        quoted: say(near),
        // a line of a program says little without the name of the program
        program: say(of) || undefined,
        isSaid: false,
      }));
      const [chapter, name] = [folded(say({ key: title })), heading ? folded(say(heading)) : ''];
      const blocks = [...said, ...lines]
        .map((one) => ({ ...one, small: folded(one.text) }))
        .map((one) => ({ ...one, count: isIn(one.small) }));
      if (isIn([chapter, name, ...blocks.map(({ small }) => small)].join('\n')) < words.length) return [];
      const most = Math.max(0, ...blocks.map(({ count }) => count));
      const best = blocks.find(({ count, isSaid }) => count === most && (isSaid || most > 0));
      const href = `${facts.base}${path}${anchor ? `#${anchor}` : ''}`;
      // a sentence says more than a line of a program with the same words
      const weight = Math.max(0, ...blocks.map(({ count, isSaid }) => count / (isSaid ? 1 : 2)));
      const inHeading = isIn(name);
      const named = (inHeading === words.length ? 4 : 0.5) * inHeading + 2 * isIn(chapter);
      // how much of the heading the words are, and in how many of its sentences the section has them all
      const covered = words.filter((word) => name.includes(word)).join('').length / (1 + name.length);
      const density = blocks.filter(({ count, isSaid }) => isSaid && count === words.length).length / (1 + said.length);
      const rank = named + weight + 2 * covered + 4 * density;
      return { title, heading, href, program: best?.program, quoted: best?.quoted ?? say({ key: about }), rank };
    }),
  );
  const results = merged(found.toSorted((one, other) => other.rank - one.rank));
  return {
    count: results.length,
    best: results
      .slice(0, maxFound)
      .map(({ quoted, ...place }) => ({ ...place, excerpt: marked(cut(quoted, words), words) })),
  };
}

type Quoting = Omit<FoundSection, 'also' | 'excerpt'> & { quoted: string };

/** The results without those that quote what an earlier one quotes: that leads to them as well. */
function merged(found: readonly Quoting[]): (Quoting & { also: FoundPlace[] })[] {
  const results = new Map<string, Quoting & { also: FoundPlace[] }>();
  for (const { title, heading, href, program, quoted } of found) {
    const key = JSON.stringify([program, quoted]);
    const first = results.get(key);
    if (first) first.also.push({ title, heading, href });
    else results.set(key, { title, heading, href, program, quoted, also: [] });
  }
  return [...results.values()];
}

/** The part of a text around the first word that was found, cut between words where the language has spaces. */
function cut(text: string, words: readonly string[]): string {
  const whole = oneLine(text, longestBlock);
  const small = folded(whole);
  const first = Math.min(...words.map((word) => small.indexOf(word)).filter((at) => at >= 0));
  const isFar = Number.isFinite(first) && first > excerptLength - before;
  const start = isFar ? Math.max(whole.lastIndexOf(' ', first - before) + 1, first - 2 * before) : 0;
  const excerpt = oneLine(whole.slice(start), excerptLength).replace(/ \S{0,24}…$/, ' …');
  return start > 0 ? `… ${excerpt}` : excerpt;
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

/** Every block of a section's text that can be quoted by itself, with its cells if it is a row; but for the lines of its programs. */
function saidIn({
  sentences = [],
  steps = [],
  bullets = [],
  remarks = [],
  facts = [],
  tiles = [],
  programs = [],
  errors = [],
}: PortalSection): PortalWords[][][] {
  const abouts = programs.flatMap(({ about }) => about);
  return [
    ...[...sentences, ...steps, ...bullets, ...remarks, ...abouts].map((one) => [[one]]),
    ...[...facts, ...tiles, ...errors].map(({ name, about, details = [], behind = [] }) => {
      const rest: PortalWords[] = [...about, ...details, ...behind];
      const terms = rest.filter((one) => 'code' in one).map((one) => [one]);
      const sentences = rest.filter((one) => !('code' in one));
      return [[name], ...terms, ...(sentences.length > 0 ? [sentences] : [])];
    }),
  ];
}

interface ProgramLine {
  of: PortalWords[];
  text: PortalWords[];
  near: PortalWords[];
}

/** What each program of a section is, and its lines: a short one is quoted with those around it. */
const linesIn = ({ programs = [], steps = [] }: PortalSection): ProgramLine[] =>
  [...steps.flatMap(({ program = [] }) => program), ...programs].flatMap(({ label, name, file, text }) => {
    const title = [...(label ? [label] : []), ...[name, file].filter((one) => one !== undefined).map(term)];
    const written = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line));
    const lines = written.map((line) => term(line.trim()));
    return [
      { of: [], text: title, near: title },
      ...lines.map((line, at) => ({
        of: title,
        text: [line],
        near: line.code.length < shortLine ? lines.slice(Math.max(0, at - 1), at + 2) : [line],
      })),
    ];
  });

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
