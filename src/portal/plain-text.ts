import { oneLine } from '../lib/one-line.ts';
import { translator } from '../web/language.ts';
import type { TextKey } from '../web/texts.ts';
import type { Facts } from './facts.ts';
import type {
  PortalChoice,
  PortalFact,
  PortalPage,
  PortalProgram,
  PortalSection,
  PortalSentence,
  PortalStep,
  PortalWords,
  Term,
} from './portal.view.ts';

const { t, has } = translator('en');
/** Longer than any sentence of a scope, shorter than a text that would hide the rest. */
const longest = 300;

/** The pages in the form of llms.txt: headings, lists and programs of Markdown. */
export function writePlainText(facts: Facts, pages: readonly PortalPage[]): string {
  const ids = new Set(
    pages.flatMap(({ sections }) => sections.flatMap(({ programs = [] }) => programs.map(({ id }) => id))),
  );
  const isElsewhere = ({ id }: PortalProgram) => ids.has(id);
  const written = pages.flatMap(({ path, title, sections }, at) => {
    const address = facts.issuer + path;
    const words = (one: PortalWords) => writeWords(facts, one, address);
    return [
      `${at === 0 ? '#' : '##'} ${words({ key: title })}`,
      address,
      ...sections.flatMap((section) => writeSection(section, words, isElsewhere)),
    ];
  });
  return `${written.join('\n\n')}\n`;
}

function writeSection(
  section: PortalSection,
  words: (one: PortalWords) => string,
  isElsewhere: (program: PortalProgram) => boolean,
): string[] {
  const { heading, sentences = [], steps = [], bullets = [], facts = [], tiles = [] } = section;
  const { remarks = [], programs = [], errors = [], choice } = section;
  const numbered = steps.map((step, at) => writeStep(step, at + 1, words, isElsewhere)).join('\n');
  const demand = (is_required: PortalFact['is_required']) =>
    is_required === undefined ? '' : ` (${words(demandOf(is_required))})`;
  const rows = (facts: readonly PortalFact[]) =>
    facts
      .map(
        ({ name, type, about, details = [], behind = [], is_required }) =>
          `- ${words(name)}${type ? ` (${type})` : ''}${demand(is_required)}: ${[...about, ...details, ...behind].map(words).join(' ')}`,
      )
      .join('\n');
  return [
    heading ? `### ${words(heading)}` : '',
    ...sentences.map(words),
    choice ? writeChoice(choice) : '',
    numbered,
    bullets.map((one) => `- ${words(one)}`).join('\n'),
    rows([...facts, ...tiles]),
    ...remarks.map(words),
    ...programs.map((program) => writeProgram(program, words)),
    errors.length > 0 ? `${t('portal.errors.label')}:` : '',
    rows(errors),
  ].filter((block) => block !== '');
}

/** A program that a chapter has as well is only named; another stands in the item of its step. */
function writeStep(
  step: PortalStep,
  number: number,
  words: (one: PortalWords) => string,
  isElsewhere: (program: PortalProgram) => boolean,
): string {
  const { program } = step;
  const said = `${number}. ${words(step)}`;
  if (program === undefined) return said;
  if (isElsewhere(program)) return `${said} ${program.name}`;
  return `${said}\n\n${writeProgram(program, words).replaceAll(/^(?=.)/gm, '   ')}\n`;
}

const demandOf = (is_required: boolean | PortalSentence): PortalSentence =>
  typeof is_required === 'boolean' ? { key: is_required ? 'portal.required' : 'portal.optional' } : is_required;

function writeChoice({ permission, sentence, may_be_all, all_sentence, entries }: PortalChoice): string {
  const named = (text: string) => oneLine(text, longest).replaceAll('{application}', 'My application');
  const asked = sentence === undefined ? t('portal.choices.question') : named(sentence);
  const listed = entries.map(
    ({ identifier, label, is_chosen }) => `- [${is_chosen ? 'x' : ' '}] ${label} (${identifier})`,
  );
  const all = may_be_all ? [`- [ ] ${named(all_sentence ?? t('choice.all'))}`] : [];
  const limited = permission ? oneLine(permission.sentence, longest) : t('portal.choices.permission');
  return [`- [x] ${limited}`, '', asked, '', ...all, ...listed, '', t('portal.choices.example')].join('\n');
}

function writeProgram({ label, name, file, about, text }: PortalProgram, words: (one: PortalWords) => string): string {
  const title = [label && words(label), name, file].filter((part) => part !== undefined).join(', ');
  return [title, ...about.map(words), `\`\`\`\n${text}\n\`\`\``].join('\n\n');
}

/** `address`: of the page, which a link to one of its sections leaves out. */
function writeWords(facts: Facts, one: PortalWords, address: string): string {
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
  const { href } = one;
  if (href === undefined) return written;
  return `[${written}](${href.startsWith('#') ? address + href : facts.issuer + href.slice(facts.base.length)})`;
}

/** Addresses are written as they are, so that they can be followed. */
function writeTerm({ code, href }: Term): string {
  const text = oneLine(code, longest);
  return href === undefined || href === code || /^https?:/.test(code) ? text : `\`${text}\``;
}
