import { readFileSync } from 'node:fs';
import ejs from 'ejs';
import type { Config } from '../config/config.ts';
import { readColor } from '../config/values.ts';
import { root } from '../folders.ts';
import type { PreparedMail, WrittenMail } from '../lib/mail.ts';
import { oneLine } from '../lib/one-line.ts';
import { directionOf, type Language, languages, translator } from '../web/language.ts';

const template = ejs.compile(readFileSync(new URL('views/mail/mail.ejs', root), 'utf8'));

/** Mail programs make links of what looks like one: a name that somebody has chosen must not lead anywhere. */
const unlinked = (name: string) => oneLine(name).replace(/[./:@](?=\S)/g, (mark) => `${mark}\u2060`);

const isLanguage = (text: string): text is Language => languages.some(({ language }) => language === text);

/** The mail as text and as simple HTML: nothing is loaded, and no link leads to another site. */
export function writeMail({ issuer, brand }: Pick<Config, 'issuer' | 'brand'>, mail: PreparedMail): WrittenMail {
  const { to, subject: name, link } = mail;
  const language = isLanguage(mail.language) ? mail.language : 'en';
  const { t } = translator(language);
  const names = Object.fromEntries(
    Object.entries(mail.names).map(([key, value]) => [key, key === 'client' ? unlinked(value) : oneLine(value)]),
  );
  const say = t as (key: string, parameters: Record<string, string>) => string;
  const known = { ...names, brand: brand.name, host: new URL(issuer).host };
  const subject = say(`mail.${name}.subject`, known);
  const paragraphs = say(`mail.${name}.text`, known).split('\n');
  const button = link && say(`mail.${link.button}`, known);
  const footer = t('mail.footer', { brand: brand.name, host: new URL(issuer).host });
  const lines = link ? [...paragraphs, `${button}:\n${link.url}`] : paragraphs;
  const color = readColor(brand.color ?? '') ? brand.color : '#1f5f5b';
  const html = template({
    ...{ language, dir: directionOf(language), brand: brand.name, color, subject },
    ...{ paragraphs, button, url: link?.url, footer },
  });
  return { to, subject, text: `${[...lines, `-- \n${footer}`].join('\n\n')}\n`, html };
}
