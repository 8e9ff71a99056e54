/** Control characters, overrides of the writing direction, and characters without width: the tools of a forged name. */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u034f/gu;

/** Making one takes longer than using it a hundred times; so it is with everything of Intl. */
const graphemes = new Intl.Segmenter();

/**
 * Text from outside, safe to stand in a sentence of ours: one line, no invisible characters, no endless stacks of accents,
 * clipped by grapheme so that an emoji is not cut in half. Escaping is the template's work, this is about honesty.
 */
export function oneLine(text: string, length = 48): string {
  const clean = text
    .slice(0, 8192)
    .replace(/[\t\r\n]/g, ' ')
    .replace(unseen, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const window = clean.slice(0, length * 32);
  const signs = Array.from(graphemes.segment(window), ({ segment }) => segment);
  if (signs.length <= length && window.length === clean.length) return clean || '–';
  return `${signs.slice(0, Math.min(length, signs.length) - 1).join('')}…`;
}

/** Stands in for a logo: the first letter or digit of the name. */
export const initial = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·';

/** Only https, and only when a parser agrees: javascript: and data: are URIs too. */
export function httpsUri(uri: string | undefined): URL | undefined {
  // the origin goes into a policy, where a semicolon would begin the next directive
  return uri !== undefined && /^https:\/\/[a-z0-9.-]+(:\d+)?(\/|$)/.test(uri) && URL.canParse(uri)
    ? new URL(uri)
    : undefined;
}

function formatsOf(language: string) {
  // day before month: a long date that nobody can misread, and the spelling of our English
  const locale = language === 'en' ? 'en-GB' : language;
  return {
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
    moment: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
    minute: new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }),
  };
}

const formats = new Map<string, ReturnType<typeof formatsOf>>();

/** Dates in the reader's language. The server does not know the reader's time zone, so times say theirs. */
export function clock(language: string, now: () => number = Date.now) {
  const known = formats.get(language) ?? formatsOf(language);
  formats.set(language, known);
  const { day, moment, relative, minute } = known;
  return {
    date: (date: Date) => day.format(date),
    moment: (date: Date) => `${moment.format(date)} UTC`,
    minutes: (count: number) => minute.format(Math.max(1, Math.ceil(count))),
    ago: (date: Date) => {
      const seconds = Math.min(0, (date.getTime() - now()) / 1000);
      if (seconds > -60) return relative.format(0, 'second');
      if (seconds > -3600) return relative.format(Math.round(seconds / 60), 'minute');
      if (seconds > -86_400) return relative.format(Math.round(seconds / 3600), 'hour');
      return seconds > -30 * 86_400 ? relative.format(Math.round(seconds / 86_400), 'day') : day.format(date);
    },
  };
}

/** "Firefox · Linux", as far as the header tells; a guess for recognition, not a fact. */
export function deviceOf(user_agent: string): string {
  const browser = [
    ['Edg', 'Edge'],
    ['OPR', 'Opera'],
    ['Firefox', 'Firefox'],
    ['Chrome', 'Chrome'],
    ['Safari', 'Safari'],
    ['curl', 'curl'],
  ];
  const system = [
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Android', 'Android'],
    ['Windows', 'Windows'],
    ['Mac OS X', 'macOS'],
    ['Linux', 'Linux'],
  ];
  const named = [browser, system].flatMap((list) => list.find(([sign]) => user_agent.includes(sign ?? '-'))?.[1] ?? []);
  return named.length > 0 ? named.join(' · ') : oneLine(user_agent, 40);
}
