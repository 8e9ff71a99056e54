import { oneLine } from '../lib/one-line.ts';
import { translator } from '../web/language.ts';
import type { TextKey } from '../web/texts.ts';
import type { Facts } from './facts.ts';
import type { PortalPage, PortalProgram, PortalSection, PortalWords, Term } from './portal.view.ts';

const { t, has } = translator('en');
/** Longer than any sentence of a scope, shorter than a text that would hide the rest. */
const longest = 300;

/** The pages in the form of llms.txt: headings, lists and programs of Markdown. */
export function writePlainText(facts: Facts, pages: readonly PortalPage[]): string {
  const words = (one: PortalWords) => writeWords(facts, one);
  const written = pages.flatMap(({ path, title, sections }, at) => [
    `${at === 0 ? '#' : '##'} ${words({ key: title })}`,
    `${facts.issuer}${path}`,
    ...sections.flatMap((section) => writeSection(section, words)),
  ]);
  return `${written.join('\n\n')}\n`;
}

function writeSection(section: PortalSection, words: (one: PortalWords) => string): string[] {
  const { heading, sentences = [], steps = [], facts = [], programs = [] } = section;
  const numbered = steps.map((step, at) => `${at + 1}. ${words(step)}`).join('\n');
  const listed = facts
    .map(({ name, about, behind = [] }) => `- ${words(name)}: ${[...about, ...behind].map(words).join(' ')}`)
    .join('\n');
  return [
    heading ? `### ${words(heading)}` : '',
    ...sentences.map(words),
    numbered,
    listed,
    ...programs.map((program) => writeProgram(program, words)),
  ].filter((block) => block !== '');
}

function writeProgram({ name, file, about, text }: PortalProgram, words: (one: PortalWords) => string): string {
  const title = [name, file].filter((part) => part !== undefined).join(', ');
  return [title, ...about.map(words), `\`\`\`\n${text}\n\`\`\``].join('\n\n');
}

function writeWords(facts: Facts, one: PortalWords): string {
  if ('code' in one) return writeTerm(one);
  if ('permission' in one) {
    const { scope, sentence } = one.permission;
    const key = `scope.${scope}`;
    return `${has(key) ? t(key as 'scope.user:name') : oneLine(sentence, longest)}.`;
  }
  const values = Object.entries(one.values ?? {}).map(([name, value]) => [name, writeTerm(value)]);
  const brand = oneLine(facts.brand_name);
  // a text whose placeholders are only known by its data
  const written = (t as (key: TextKey, values: Record<string, string>) => string)(one.key as TextKey, {
    brand,
    ...Object.fromEntries(values),
  });
  return one.href === undefined ? written : `[${written}](${facts.issuer}${one.href.slice(facts.base.length)})`;
}

/** Addresses are written as they are, so that they can be followed. */
function writeTerm({ code, href }: Term): string {
  const text = oneLine(code, longest);
  return href === undefined || href === code || /^https?:/.test(code) ? text : `\`${text}\``;
}
