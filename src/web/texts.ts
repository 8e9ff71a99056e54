import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { program } from '../folders.ts';
import type en from './texts/en.json';
import type { FormProblem } from './views/parts.ts';
import type { BackLabel, MessageName } from './views/views.ts';

/** The English texts. Each module declares those of its own `texts/en.json`; the files of the other languages have the same keys. */
export interface Texts extends Record<keyof typeof en, string> {}
export type TextKey = keyof Texts;

/** Keys that templates put together from a name in their data: each module declares those of its names. */
export interface NamedTexts extends Record<WebNames, string> {}
type WebNames = BackLabel | `message.${MessageName}.${'title' | 'text'}` | `problem.${FormProblem}`;
type Written<Key extends TextKey> = Key;
/** A name without its text does not compile here. */
export type NamedKey = Written<keyof NamedTexts>;

/** Read at the start: no page needs a file, and none mixes the texts of two versions while a server is being replaced. */
const files = readdirSync(program, { encoding: 'utf8' })
  .map((module) => new URL(`${module}/texts/`, program))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { encoding: 'utf8' }).map((name) => ({ name, folder })))
  .map(({ name, folder }) => ({ language: basename(name, '.json'), bytes: readFileSync(new URL(name, folder)) }));
const parsed = new Map<string, Readonly<Texts>>();

/** A language is parsed when it is first needed. Spread instead of assigned, the parts would leave 76 MB of garbage [measured, Node 24]. */
export function textsIn(language: string): Readonly<Texts> {
  const known = parsed.get(language);
  if (known) return known;
  const parts = files.filter((file) => file.language === language).map(({ bytes }) => JSON.parse(bytes.toString()));
  const texts: Texts = Object.assign({}, ...parts);
  parsed.set(language, texts);
  return texts;
}
