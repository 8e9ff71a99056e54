import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findVisitor } from '../identity/person.ts';
import { ownDocuments } from '../lib/client-id.ts';
import type { Addresses } from '../oauth/addresses.ts';
import { listPath } from '../registration/console/path.ts';
import { answerCacheableText } from '../web/answers.ts';
import { chooseLanguage } from '../web/language.ts';
import { renderView } from '../web/render.ts';
import { queryParameters } from '../web/request-parameters.ts';
import type { TextKey } from '../web/texts.ts';
import type { Visitor } from '../web/views/parts.ts';
import type { Views } from '../web/views/views.ts';
import { api } from './api.ts';
import { choices } from './choices.ts';
import { choicesRequest } from './choices-request.ts';
import { clientAuthentication } from './client-authentication.ts';
import { boundTokens } from './dpop.ts';
import { acceptsBound } from './dpop-api.ts';
import { type Facts, findFacts } from './facts.ts';
import { fields } from './fields.ts';
import { mcpServer } from './mcp-server.ts';
import { messages } from './messages.ts';
import { writePlainText } from './plain-text.ts';
import type { PortalPage, PortalSection } from './portal.view.ts';
import { errors, reference } from './reference.ts';
import { registering } from './registering.ts';
import { readQuery, searchPages } from './search.ts';
import { startOf } from './start.ts';
import { stronger } from './stronger.ts';
import { apis, applications, end, signIn } from './tasks.ts';
import { anchorOf, type Chapter, type Group } from './words.ts';

const subjects: readonly Group[] = [
  { title: 'portal.build', chapters: applications },
  { title: 'portal.protect', chapters: apis },
  {
    title: 'portal.look_up',
    chapters: [messages, fields, stronger, clientAuthentication, boundTokens, reference, errors, end],
  },
];

export const start = startOf([...applications, ...apis.filter(({ of_page }) => of_page === undefined)]);

/** The contents of the documentation for developers. */
export const groups: readonly Group[] = [{ title: 'portal.get_started', chapters: [start, registering] }, ...subjects];

export const chapters: readonly Chapter[] = groups.flatMap((group) => group.chapters);

/** Chapters that begin with links to their sections. */
const longChapters: readonly Chapter[] = [
  registering,
  signIn,
  api,
  mcpServer,
  choices,
  choicesRequest,
  messages,
  fields,
  clientAuthentication,
  boundTokens,
  acceptsBound,
  reference,
  errors,
];

const toldIn = (facts: Facts, told: readonly Chapter[]) => told.filter(({ isTold }) => isTold?.(facts) ?? true);

const sectionsOf = ({ sections }: Chapter, facts: Facts): PortalSection[] =>
  sections(facts)
    .filter((section) => section !== undefined)
    .map((section) => ({ ...(section.heading && { anchor: anchorOf(section.heading.key) }), ...section }));

/** A page with the contents beside it. */
export const portalPage = (facts: Facts, chapter: Chapter): Omit<Views['portal'], keyof Visitor> => ({
  title: chapter.title,
  sections: sectionsOf(chapter, facts),
  is_long: longChapters.includes(chapter),
  ...partOf(chapter, facts),
  // the first page begins with its sentences
  ...(chapter !== start && { about: chapter.about }),
  contents: groups.map((group, at) => ({
    title: group.title,
    chapters: [
      ...toldIn(facts, group.chapters).map((one) => ({
        title: one.title,
        href: facts.base + one.path,
        is_current: one === chapter,
      })),
      ...(at === 0 ? beside(facts) : []),
    ],
  })),
  plain_href: `${facts.base}/developer/docs.txt`,
  search_href: facts.base + start.path,
  titles: titlesOf(facts),
});

/** What a page needs further styles for. */
const chaptersOfPart = { choice: choices, endpoints: reference, errors, start } as const;

function partOf(chapter: Chapter, facts: Facts): Pick<Views['portal'], 'part'> {
  const names = Object.keys(chaptersOfPart) as (keyof typeof chaptersOfPart)[];
  const part = names.find((name) => chaptersOfPart[name] === chapter);
  if (part) return { part };
  const sections = sectionsOf(chapter, facts);
  if (sections.some(({ is_exchange }) => is_exchange)) return { part: 'exchange' };
  return sections.some(({ programs }) => programs?.some(({ language }) => language)) ? { part: 'programs' } : {};
}

/** Pages that developers use together with the documentation. */
function beside({ base, demo }: Facts) {
  const link = (path: keyof typeof otherPages) => ({ title: otherPages[path], href: base + path, is_current: false });
  return [...(demo ? [link('/playground')] : []), link(listPath)];
}

/** Pages beside the chapters that sentences link to. */
const otherPages = {
  [listPath]: 'home.developer',
  [`${listPath}/new`]: 'register.title',
  [ownDocuments]: 'documents.title',
  '/account': 'home.account',
  '/playground': 'home.playground',
} as const;

function titlesOf({ base }: Facts): Record<string, TextKey> {
  const titles: Record<string, TextKey> = {};
  for (const { path, title } of chapters) titles[base + path] = title;
  for (const [path, title] of Object.entries(otherPages)) titles[base + path] = title;
  return titles;
}

const pagesOf = (facts: Facts): PortalPage[] =>
  toldIn(facts, chapters).map((one) => ({ ...one, sections: sectionsOf(one, facts) }));

/** Shows a chapter, or on the first page what a search has found. But for the header, the page is the same for everybody. */
const showChapter =
  (deps: Deps, chapter: Chapter): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const facts = await findFacts(deps);
    const query = chapter === start ? readQuery(queryParameters(req)['q']) : undefined;
    const found = query && searchPages(facts, pagesOf(facts), { query, language: chooseLanguage(req) });
    const search = found && { query, found: found.best, count: found.count };
    renderView(page, 'portal', {
      ...(await findVisitor(page)),
      ...portalPage(facts, chapter),
      ...(search && { search }),
    });
  };

/** Caches keep the text for a minute; after that everybody reads a changed scope or setting. */
const maxAge = 60;

/** All pages as one text in English, for coding agents. */
const showPlainText =
  (deps: Deps): RequestHandler =>
  async (_req, res) => {
    const facts = await findFacts(deps);
    answerCacheableText(res, writePlainText(facts, pagesOf(facts)), maxAge);
  };

export function addPortal({ deps, pageDeps, pageRoute, publicDocument }: Addresses): void {
  for (const chapter of chapters) pageRoute(chapter.path, showChapter(pageDeps, chapter));
  publicDocument('/developer/docs.txt', showPlainText(deps));
}
