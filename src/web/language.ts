import type { Request } from 'express';
import { readCookie } from './cookies.ts';
import { type TextKey, textsIn } from './texts.ts';

/** The languages in the order of the menu, each in its own language. */
export const languages = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'Deutsch' },
  { language: 'fr', name: 'Français' },
  { language: 'es', name: 'Español' },
  { language: 'zh', name: '简体中文' },
] as const;
export type Language = (typeof languages)[number]['language'];

const rightToLeft: readonly string[] = ['ar', 'fa', 'he', 'ur'];
export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.includes(language) ? 'rtl' : 'ltr');

export type Translate = (key: TextKey, parameters?: Readonly<Record<string, string>>) => string;
/** A part of a sentence. Each parameter is a part of its own, so that a template can isolate its writing direction. */
interface Piece {
  /** a date is shown as date and time */
  text: string | Date;
  parameter?: string;
}

/**
 * Chooses the language: ui_locales of the request [OpenID Connect Core §3.1.2.1], what the person chose, the languages of the browser,
 * else English.
 */
export function chooseLanguage(req: Request): Language {
  const known = languages.map(({ language }) => language);
  // some pages are shown without looking for a session
  const chosen = requestedLanguage(req) ?? languageOfBrowser(req) ?? languageNamed(req.session?.chosen_language);
  return chosen ?? ((req.acceptsLanguages(...known) || 'en') as Language);
}

/** Returns the language that was chosen before in this browser. */
export function languageOfBrowser(req: Request): Language | undefined {
  return languageNamed(readCookie(req, '__Host-language') ?? readCookie(req, 'language'));
}

/** Returns the language that the switch of a page, or a client, sends. */
export function requestedLanguage(req: Request): Language | undefined {
  const requested = (queryOf(req).get('ui_locales') ?? '').split(' ');
  return requested.map((tag) => languageNamed(tag.toLowerCase().split('-')[0])).find((one) => one !== undefined);
}

/** Whether a client wishes for the language, in this browser only; what a person's account keeps is the person's choice. */
export const isWishOfClient = (req: Request): boolean => queryOf(req).has('client_id');

/** Reads the query without queryParameters, which refuses a malformed query: its error page needs a language, too. */
const queryOf = (req: Request) => new URLSearchParams(req.originalUrl.replace(/^[^?]*/, ''));

const languageNamed = (name: string | null | undefined): Language | undefined =>
  languages.find(({ language }) => language === name)?.language;

export function translator(language: Language) {
  const pieces = (key: TextKey, parameters: Readonly<Record<string, string | Date>> = {}): Piece[] =>
    textsIn(language)
      [key].split(/(\{\w+\})/)
      .flatMap((text): Piece[] => {
        const parameter = text.startsWith('{') ? text.slice(1, -1) : undefined;
        if (parameter === undefined) return text ? [{ text }] : [];
        return [{ text: parameters[parameter] ?? '', parameter }];
      });
  const t: Translate = (key, parameters) =>
    pieces(key, parameters)
      .map(({ text }) => text)
      .join('');
  const has = (key: string): key is TextKey => Object.hasOwn(textsIn(language), key);
  return { t, pieces, has };
}
