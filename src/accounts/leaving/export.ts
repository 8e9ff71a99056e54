import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { isFresh, staleProof } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { pagesOf } from '../../postgres/pagination.sql.ts';
import { answerDownload } from '../../web/answers.ts';
import { renderView } from '../../web/render.ts';
import { exportParts, profileOf } from './export-parts.ts';

/**
 * Everything that is kept about the person, as one JSON document; for somebody who has just signed in, so that a stranger at an
 * unlocked browser gets nothing.
 */
export const exportAccount = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    if (!isFresh(page)) return showStale(page);
    await answerDownload(page.res, 'application/json;charset=UTF-8', 'account.json', documentOf(page));
  });

/** The document in pieces: a person may have a million events, so a page of each list is read when the one before was taken. */
async function* documentOf(page: SignedInPage): AsyncGenerator<string> {
  yield `{"profile":${JSON.stringify(await profileOf(page))}`;
  for (const { name, read } of exportParts) {
    yield `,${JSON.stringify(name)}:[`;
    let separator = '';
    for await (const rows of pagesOf((after) => read(page, after))) {
      for (const row of rows) {
        yield `${separator}\n${JSON.stringify(row)}`;
        separator = ',';
      }
    }
    yield ']';
  }
  yield '}\n';
}

function showStale(page: SignedInPage): void {
  const { viewer, csrf } = page;
  const query = new URLSearchParams({ to: '/account', fresh: '1' });
  const href = `${page.deps.config.base}/login?${query}`;
  renderView(page, 'account-export', { viewer, csrf, problem: staleProof(page), href }, 403);
}
