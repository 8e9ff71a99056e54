import { translator } from '../web/language.ts';
import type { TextKey } from '../web/texts.ts';
import type { Facts } from './facts.ts';
import type { PortalSection, PortalSentence, Term } from './portal.view.ts';

/** A page of the documentation, before anything is known of the server. */
export interface Chapter {
  path: `/developer${string}`;
  title: TextKey;
  about: TextKey;
  /** the page that leads to this page, which is no task of its own */
  of_page?: string;
  /** Whether the settings of this server give it something to tell; otherwise nothing leads to it. */
  isTold?: (facts: Facts) => boolean;
  sections: (facts: Facts) => readonly (PortalSection | undefined)[];
}

/** Chapters that people look for together. */
export interface Group {
  title: TextKey;
  chapters: readonly Chapter[];
}

/** Every language has the same keys. */
export const { has: isTextKey } = translator('en');

export function say(key: TextKey, values: Readonly<Record<string, Term | string>> = {}): PortalSentence {
  const terms = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? { code: value } : value,
  ]);
  return { key, values: Object.fromEntries(terms) };
}

export const term = (code: string): Term => ({ code });

/** A number within a sentence. */
export const plain = (number: number): Term => ({ code: `${number}`, is_plain: true });

/** An address that can be opened in a browser, or written to. */
export const linked = (address: string): Term => ({ code: address.replace(/^mailto:/, ''), href: address });

/** Whom to ask, where that is known. */
export const askThem = ({ support_url }: Facts): PortalSentence[] =>
  support_url === undefined ? [] : [say('portal.questions.text', { support: linked(support_url) })];

/** A page of this server, by its address. */
export const pageAt = ({ issuer, base }: Facts, path: `/${string}`): Term => ({
  code: issuer + path,
  href: base + path,
});

/** The page that says what an error means and what to do. */
export const errorAt = ({ base }: Facts, code: string): Term => ({ code, href: `${base}/errors/${code}` });

const units: readonly [seconds: number, symbol: string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** The anchor of a section stays the same whatever stands before it. */
export const anchorOf = (heading: string): string => heading.replace(/^.*\./, '');

/** A section, by its heading. */
export const sectionAt = (facts: Facts, { path }: Pick<Chapter, 'path'>, heading: TextKey): Term => ({
  ...pageAt(facts, `${path}#${anchorOf(heading)}`),
  title: heading,
});

/** From nothing to a running program; the last step says what its reader then sees. */
export const runs = (first: PortalSentence, last: PortalSentence, save = say('portal.run.save')): PortalSection => ({
  heading: say('portal.run'),
  steps: [first, save, last],
});

/** In the largest unit that divides it; the symbols are the same in every language. */
export function duration(seconds: number): string {
  const [unit, symbol] = units.find(([unit]) => seconds > 0 && seconds % unit === 0) ?? [1, 's'];
  return `${seconds / unit} ${symbol}`;
}
