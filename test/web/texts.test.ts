import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accountActions, askedActions } from '../../src/accounts/account-actions.ts';
import { auditEvents } from '../../src/audit/audit.sql.ts';
import { plainMembers } from '../../src/lib/client-members.ts';
import { methodNames } from '../../src/lib/client-methods.ts';
import { errorStatus } from '../../src/lib/errors.ts';
import { profileFieldNames } from '../../src/lib/profile.ts';
import { languages } from '../../src/web/language.ts';
import { type Texts, textsIn } from '../../src/web/texts.ts';

const en = textsIn('en');
const keys = Object.keys(en);
const catalogues = languages.map(({ language }): [string, Readonly<Texts>] => [language, textsIn(language)]);
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

const views = new URL('../../views/', import.meta.url);
const templates = readdirSync(views, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ejs'))
  .map((name) => ({ name, source: readFileSync(new URL(name, views), 'utf8') }));
const sources = templates.map(({ source }) => source).join('\n');
const src = new URL('../../src/', import.meta.url);
const programs = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, source: readFileSync(new URL(name, src), 'utf8') }));

for (const [language, catalogue] of catalogues) {
  test(`${language} has every text of the English catalogue, and no other`, () => {
    assert.deepEqual(Object.keys(catalogue).sort(), keys.toSorted());
  });

  test(`${language} keeps the placeholders of every text`, () => {
    for (const [key, text] of Object.entries(catalogue)) {
      assert.deepEqual(placeholders(text), placeholders(en[key as keyof typeof en]), key);
    }
  });

  test(`${language} has no empty text, no stray space and no markup`, () => {
    for (const [key, text] of Object.entries(catalogue)) {
      assert.match(text, /\S/, key);
      assert.equal(text.trim(), text, key);
      assert.doesNotMatch(text, /[<>]|&\w+;| {2}|"/, key);
    }
  });
}

test('French has a narrow no-break space before ; : ! ? and inside guillemets', () => {
  for (const [key, text] of Object.entries(textsIn('fr'))) {
    assert.doesNotMatch(text, /[^\S\u202f][;:!?»]|«[^\u202f]|[^\u202f]»/u, key);
  }
});

test('a language has its own quotation marks, and Chinese its own punctuation', () => {
  const foreign = {
    en: /[«»„"]/,
    de: /[«»”"]/,
    fr: /[“”„"]/,
    es: /[“”„"]/,
    zh: /[«»„"]|\p{Script=Han}[,;:?!()]|[,;:?!()]\p{Script=Han}/u,
  };
  for (const [language, catalogue] of catalogues) {
    for (const [key, text] of Object.entries(catalogue)) {
      assert.doesNotMatch(text, foreign[language as keyof typeof foreign], `${language}: ${key}`);
    }
  }
});

/** What was decided against: another word for a thing that has one, or a word that means something else as well. */
const decidedAgainst = {
  en: /nobody here knows|verified address|whoever (operates|runs)|those who run|\bmails\b|\ba mail\b|e-mail/i,
  de: /\bNutzer|Kennwort|Zugriffstoken|Aktualisierungstoken|Metadaten-Dokument|vorab gesendet|zurückgerufen|\bBeweise\b/,
  fr: /personne qui gère|opérateur|\bconsole\b|\bun URI|codes de récupération|point d’accès|espace développeur\b/i,
  es: /quien(?:es)? administra|punto final|computadora|\b(?:la|una) URI\b|\bconsola\b/i,
  zh: /账户|帐|管理者|颁发者|第二因素|(?<!开发者)控制台|窃贼|网络地址|客户端密钥/,
};

test('a thing has one word in each language', () => {
  for (const [language, catalogue] of catalogues) {
    for (const [key, text] of Object.entries(catalogue)) {
      const words = text.replace(/\{\w+\}/g, '');
      assert.doesNotMatch(words, decidedAgainst[language as keyof typeof decidedAgainst], `${language}: ${key}`);
    }
  }
});

test('no text has the name of another one, which it would replace', () => {
  for (const { language } of languages) {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith(`/texts/${language}.json`),
    );
    const names = files.flatMap((file) => {
      // parsed, a name that is there twice would be there once
      const source = readFileSync(new URL(file, src), 'utf8');
      return [...source.matchAll(/^ {2}"([^"]+)":/gm)].map(([, name]) => name);
    });
    assert.equal(names.length, keys.length, language);
  }
});

test('a text gets a value for each of its placeholders, wherever it is named together with its values', () => {
  const calls = [...templates, ...programs].flatMap(({ name, source }) =>
    [...source.matchAll(/\bt\('([\w.]+)'(?:, \{([^}]*)\})?\)/g)].map(([, key = '', values = '']) => ({
      name,
      key,
      values,
    })),
  );
  assert.ok(calls.length > 200, `${calls.length}`);
  for (const { name, key, values } of calls) {
    const members = values.replace(/\([^()]*\)/g, '').split(',');
    const given = members.map((member) => `{${member.split(':')[0]?.trim()}}`).filter((one) => one !== '{}');
    assert.deepEqual(given.sort(), placeholders(en[key as keyof Texts]), `${name}: ${key}`);
  }
});

test('nearly every text of another language differs from the English one', () => {
  for (const [language, catalogue] of catalogues.filter(([language]) => language !== 'en')) {
    const same = keys.filter((key) => (catalogue as Record<string, string>)[key] === en[key as keyof typeof en]);
    assert.ok(same.length < 25, `${language} repeats the English of ${same.join(', ')}`);
  }
});

test('every text that a template uses is in the catalogue', () => {
  const used = templates.flatMap(({ name, source }) =>
    [...source.matchAll(/(?:\bt\(|key: )'([\w.:]+)(?<![._])'/g)].map(([, key = '']) => ({ name, key })),
  );
  assert.ok(used.length > 200, `${used.length}`);
  for (const { name, key } of used) assert.ok(keys.includes(key), `${name}: ${key}`);
});

const allSources = programs.map(({ source }) => source).join('\n');
/** What produces names; the types of views and of texts only declare them. */
const producers = programs
  .filter(({ name }) => !/(\.view|\/parts|\/views|\/texts)\.ts$/.test(name))
  .map(({ source }) => source)
  .join('\n');
const readAll = (directory: string) =>
  readdirSync(new URL(`../../${directory}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(new URL(`../../${directory}/${name}`, import.meta.url), 'utf8'))
    .join('\n');

/** The strings of a type as it is written: literals, templates, unions, and names of such types. */
function stringsOf(type: string): string[] {
  const parts = type.match(/`[^`]*`|[^|`]+/g)?.map((part) => part.trim()) ?? [];
  return parts
    .filter((part) => part !== '')
    .flatMap((part) => {
      if (part.startsWith("'")) return [part.slice(1, -1)];
      if (!part.startsWith('`')) return membersOf(part);
      const pieces = part.slice(1, -1).split(/\$\{([^}]*)\}/);
      return pieces.reduce(
        (texts, piece, at) => {
          const next = at % 2 === 0 ? [piece] : stringsOf(piece);
          return texts.flatMap((text) => next.map((one) => text + one));
        },
        [''],
      );
    });
}

/** The members of a named union. Each is produced somewhere, or the name, and its text, would be dead. */
function membersOf(name: string): string[] {
  if (name === 'ErrorCode') return Object.keys(errorStatus);
  if (name === 'AuditEventName') return [...auditEvents];
  if (name === 'PlainMember') return [...plainMembers];
  if (name === 'AccountAction') return [...accountActions];
  if (name === 'AskedAction') return [...askedActions];
  if (name === 'SecurityMethod') return methodNames.filter((one) => one !== 'client_secret_post');
  if (name === 'ProfileFieldName') return [...profileFieldNames];
  if (name === "TokenHistory['kind']")
    return ['unknown', 'malformed', 'client_secret', 'authorization_code', 'access_token', 'refresh_token'];
  const [, union] = new RegExp(`type ${name} =([^;]+);`).exec(allSources) ?? [];
  assert.ok(union, `there is no type ${name}`);
  const members = stringsOf(union);
  const literals = members.filter((member) => union.includes(`'${member}'`));
  for (const member of literals) assert.ok(producers.includes(`'${member}'`), `nothing produces ${name} ${member}`);
  return members;
}

/** Texts of names that are data, or that a template lists: used as long as there is such a name. */
const namedByData: readonly [key: RegExp, isUsed: (name: string) => boolean][] = [
  [/^scope\.(.+)$/, (scope) => migrations.includes(`'${scope}'`)],
  [/^group\.(.+)$/, (group) => migrations.includes(`'${group}'`)],
  [/^security\.(\w+?)(?:_hint)?$/, (name) => plainMembers.some((one) => one === name)],
  [
    /^security_problem\.(\w+)$/,
    (name) => producers.includes(`'${name}'`) || rules.some((rule) => name.endsWith(`_${rule}`)),
  ],
  [/^parameter\.(\w+)$/, (name) => new RegExp(`\\b${name}\\b`).test(producers)],
  [/^register\.preset\.(\w+)$/, (name) => producers.includes(`{ name: '${name}', page: `)],
  [/^drift\.(\w+)$/, (name) => migrations.includes(`'${name}'`)],
  [/^error_text\.(\w+)$/, (code) => code in errorStatus],
  [/^explained\.(\w+)\.(?:cause|fix)\.[1-4]$/, (code) => code in errorStatus],
  [/^home\.(\w+?)(?:_text)?$/, (name) => sources.includes(`['${name}', '/`)],
  [/^tries\.(?:text_)?(\w+)$/, (name) => sources.includes(`['${name}', data.`)],
];
const migrations = readAll('migrations');
const rules = [...migrations.matchAll(/array\['(\w+)'/g)].map(([, rule = '']) => rule);

test('every text in the catalogue is used, and every name that a text belongs to is produced', () => {
  const declared = programs.filter(({ name }) => name.endsWith('/texts.ts'));
  const named = declared.flatMap(({ source }) => /type \w*Names =([^;]+);/.exec(source)?.[1] ?? []);
  assert.equal(named.length, 9);
  const used = new Set(named.flatMap(stringsOf));
  for (const [, key = ''] of (sources + producers).matchAll(/'([a-z_]+\.[\w.]+)'/g)) used.add(key);
  const isNamedByData = (key: string) =>
    namedByData.some(([pattern, isUsed]) => pattern.test(key) && isUsed(pattern.exec(key)?.[1] ?? ''));
  assert.deepEqual(
    keys.filter((key) => !used.has(key) && !isNamedByData(key)),
    [],
  );
});

test('templates escape everything: the raw tag is used for our own partials only', () => {
  const raw = templates.flatMap(({ name, source }) =>
    [...source.matchAll(/<%-[^%]*/g)].map(([tag]) => ({ name, tag })),
  );
  assert.ok(raw.length > templates.length, 'every page includes its head and its foot');
  for (const { name, tag } of raw) assert.match(tag, /^<%- include\('/, `${name}: ${tag}`);
});

test('templates contain no inline script, style or event handler, which the policy would block', () => {
  // mails have no policy, and mail programs read no style sheets
  for (const { name, source } of templates.filter((one) => one.name !== 'mail/mail.ejs')) {
    assert.doesNotMatch(source, /<style|\sstyle=|\son\w+=|javascript:|<script(?! src=)/, name);
  }
});
