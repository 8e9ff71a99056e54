import { oneLine } from '../lib/one-line.ts';
import type { Translate } from './language.ts';
import type { NamedClient } from './views/parts.ts';

/** Shown instead of a missing logo: the first letter or digit of the name. */
export const initial = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·';

/**
 * Parts a host before the name that somebody registered: its last two labels, or three where the last two are as short as those of co.uk.
 * An address of numbers is one name.
 */
export function partsOfHost(host: string): { before: string; registered: string } {
  const labels = host.split('.');
  const [last = '', ...others] = host.replace(/:\d+$/, '').split('.').reverse();
  const own = /^\d+$/.test(last) ? labels.length : last.length <= 3 && (others[0]?.length ?? 0) <= 3 ? 3 : 2;
  const start = labels.slice(0, -own).join('.').length;
  return { before: host.slice(0, start), registered: host.slice(start) };
}

/** Says the name of an application; in quotation marks, those of the language, if it is only what the application says of itself. */
export const namer =
  (t: Translate) =>
  ({ name, vouched }: NamedClient): string =>
    vouched ? oneLine(name) : t('client.quoted', { name: oneLine(name, 46) });

/** The parsed URI if its scheme is https: a link to a javascript: or data: URI would run a script. */
export function httpsUri(uri: string | undefined): URL | undefined {
  // strict, because the origin is written into the Content-Security-Policy, where a semicolon starts a directive
  return uri !== undefined && /^https:\/\/[a-z0-9.-]+(:\d+)?(\/|$)/.test(uri) && URL.canParse(uri)
    ? new URL(uri)
    : undefined;
}

function formatsOf(language: string) {
  // British English, as the texts of the pages
  const locale = language === 'en' ? 'en-GB' : language;
  return {
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
    moment: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    second: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }),
    day_of_month: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    time_of_day: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
    seconds: new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }),
    minutes: new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }),
    number: new Intl.NumberFormat(locale),
  };
}

const formats = new Map<string, ReturnType<typeof formatsOf>>();

/** Formats dates and times in the reader's language, in UTC: the server does not know the reader's time zone. */
export function clock(language: string, now: () => number = Date.now) {
  const cached = formats.get(language) ?? formatsOf(language);
  formats.set(language, cached);
  const { day, moment, second, day_of_month, time_of_day, relative, seconds, minutes, number } = cached;
  return {
    number: (count: number) => number.format(count),
    date: (date: Date) => day.format(date),
    moment: (date: Date) => `${moment.format(date)} UTC`,
    second: (date: Date) => `${second.format(date)} UTC`,
    dayOfMonth: (date: Date) => day_of_month.format(date),
    timeOfDay: (date: Date) => time_of_day.format(date),
    /** less than one in seconds */
    minutes: (count: number) =>
      count < 1 ? seconds.format(Math.max(1, Math.round(count * 60))) : minutes.format(Math.ceil(count)),
    ago: (date: Date) => {
      const since = Math.min(0, (date.getTime() - now()) / 1000);
      if (since > -60) return relative.format(0, 'second');
      if (since > -3600) return relative.format(Math.round(since / 60), 'minute');
      if (since > -86_400) return relative.format(Math.round(since / 3600), 'hour');
      return since > -30 * 86_400 ? relative.format(Math.round(since / 86_400), 'day') : day.format(date);
    },
  };
}

/** When something was used last. That is stored once in five minutes, so minutes are not exact. */
export const lastUse =
  (t: Translate, ago: (date: Date) => string, now: () => number = Date.now) =>
  (date: Date): string => {
    const age = now() - date.getTime();
    if (age < 60_000) return t('time.now');
    return age < 3600_000 ? t('time.about', { ago: ago(date) }) : ago(date);
  };

/** A guess at browser and system, such as "Firefox · Linux", by which people recognise a session. */
export const deviceOf = (user_agent: string): string => knownDevice(user_agent) ?? oneLine(user_agent, 40);

/** Names browser and system only, and quotes nothing of what a browser says of itself; undefined if neither is known. */
export function knownDevice(user_agent: string): string | undefined {
  const browsers = [
    ['Edg', 'Edge'],
    ['OPR', 'Opera'],
    ['Firefox', 'Firefox'],
    ['Chrome', 'Chrome'],
    ['Safari', 'Safari'],
    ['curl', 'curl'],
  ];
  const systems = [
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Android', 'Android'],
    ['Windows', 'Windows'],
    ['Mac OS X', 'macOS'],
    ['Linux', 'Linux'],
  ];
  const named = [browsers, systems].flatMap(
    (list) => list.find(([word]) => user_agent.includes(word ?? '-'))?.[1] ?? [],
  );
  return named.length > 0 ? named.join(' · ') : undefined;
}
