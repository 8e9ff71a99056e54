import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findVisitor } from '../identity/person.ts';
import type { Addresses } from '../oauth/addresses.ts';
import { answerCacheableText } from '../web/answers.ts';
import { renderView } from '../web/render.ts';
import type { Visitor } from '../web/views/parts.ts';
import type { Views } from '../web/views/views.ts';
import { type Facts, findFacts } from './facts.ts';
import { messages } from './messages.ts';
import { writePlainText } from './plain-text.ts';
import type { PortalSection } from './portal.view.ts';
import { errors, reference } from './reference.ts';
import { registering } from './registering.ts';
import { startOf } from './start.ts';
import { tasks } from './tasks.ts';
import type { Chapter } from './words.ts';

const others = [registering, ...tasks, messages, reference, errors];

/** The documentation for developers, in the order of its contents. */
export const chapters: readonly Chapter[] = [startOf(others), ...others];

const sectionsOf = ({ sections }: Chapter, facts: Facts): PortalSection[] =>
  sections(facts).filter((section) => section !== undefined);

/** A page with the contents beside it. */
export const portalPage = (facts: Facts, chapter: Chapter): Omit<Views['portal'], keyof Visitor> => ({
  title: chapter.title,
  sections: sectionsOf(chapter, facts),
  contents: chapters.map((one) => ({ title: one.title, href: facts.base + one.path, is_current: one === chapter })),
  plain_href: `${facts.base}/developer/docs.txt`,
});

/** Shows a chapter. But for the header, the page is the same for everybody. */
const showChapter =
  (deps: Deps, chapter: Chapter): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    renderView(page, 'portal', { ...(await findVisitor(page)), ...portalPage(await findFacts(deps), chapter) });
  };

/** Caches keep the text for a minute; after that everybody reads a changed scope or setting. */
const maxAge = 60;

/** All pages as one text in English, for coding agents. */
const showPlainText =
  (deps: Deps): RequestHandler =>
  async (_req, res) => {
    const facts = await findFacts(deps);
    const pages = chapters.map((one) => ({ path: one.path, title: one.title, sections: sectionsOf(one, facts) }));
    answerCacheableText(res, writePlainText(facts, pages), maxAge);
  };

export function addPortal({ deps, pageDeps, pageRoute, publicDocument }: Addresses): void {
  for (const chapter of chapters) pageRoute(chapter.path, showChapter(pageDeps, chapter));
  publicDocument('/developer/docs.txt', showPlainText(deps));
}
