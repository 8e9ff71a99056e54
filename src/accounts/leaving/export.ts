import type { RequestHandler } from 'express';
import { findEventsOfUser } from '../../audit/events.sql.ts';
import { listOwnApplications } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { isFresh, staleProof } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { listSessionsOfUser } from '../../identity/sessions.sql.ts';
import { findLanguagesAndLastSeen } from '../../identity/users.sql.ts';
import { listIdentitiesOfUser } from '../../people/providers/identities.sql.ts';
import type { Database } from '../../postgres/database.ts';
import { type Page, pagesOf } from '../../postgres/pagination.sql.ts';
import { answerDownload } from '../../web/answers.ts';
import { renderView } from '../../web/render.ts';
import { listConnectedApplications, listOwnDecisions } from '../applications/connected-applications.sql.ts';
import { listPasskeysOfUser, shownPasskey } from '../passkeys/passkeys.sql.ts';

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

/** What is kept of a person beside the profile: one list for each kind, read a page at a time. No part contains what opens anything. */
interface ExportPart {
  /** the member of the document */
  name: string;
  read(page: SignedInPage, after: string | undefined): Promise<Page<object>>;
}

const pageSize = 500;

type Read<Row> = (database: Database, user_id: number, after: string | undefined) => Promise<Page<Row>>;

const part = <Row extends object>(name: string, read: Read<Row>, shown: (row: Row) => object): ExportPart => ({
  name,
  async read({ deps, user }, after) {
    const { rows, next } = await read(deps.database, user.user_id, after);
    return { rows: rows.map(shown), next };
  },
});

/** A list that is read as a whole. */
const whole =
  <Row>(read: (database: Database, user_id: number) => Promise<Row[]>): Read<Row> =>
  async (database, user_id) => ({ rows: await read(database, user_id), next: undefined });

/** A list that is read page by page. */
const paged =
  <Row>(read: (...given: [...Parameters<Read<Row>>, limit: number]) => Promise<Page<Row>>): Read<Row> =>
  (database, user_id, after) =>
    read(database, user_id, after, pageSize);

const exportParts: readonly ExportPart[] = [
  part('identities', whole(listIdentitiesOfUser), ({ issuer, subject, label, linked_at, last_used_at }) => {
    return { issuer, subject, label, linked_at, last_used_at };
  }),
  part('passkeys', whole(listPasskeysOfUser), shownPasskey),
  part('sessions', whole(listSessionsOfUser), ({ user_agent, address, created_at, last_used_at }) => {
    return { user_agent, address, created_at, last_used_at };
  }),
  part(
    'grants',
    paged(listConnectedApplications),
    ({ client_id, name, site_domain, scopes, refused_scopes, ...grant }) => {
      const { duration, granted_at, last_used_at, expires_at } = grant;
      return { client_id, name, site_domain, scopes, refused_scopes, duration, granted_at, last_used_at, expires_at };
    },
  ),
  part(
    'applications',
    paged(listOwnApplications),
    ({ client_id, name, site_domain, redirect_uris, scopes, ...more }) => {
      const { disabled_at, last_used_at } = more;
      return { client_id, name, site_domain, redirect_uris, scopes, disabled_at, last_used_at };
    },
  ),
  // a decision may be about an application of which the person has no grant
  part('own_decisions', paged(listOwnDecisions), (decision) => decision),
  part('activity', paged(findEventsOfUser), ({ happened_at, event, client_id, client_name, ...more }) => {
    const { address, by_operator, detail } = more;
    return { happened_at, event, client_id, client_name, address, by_operator, detail };
  }),
];

/** The person as this server knows them. */
async function profileOf({ deps, user }: SignedInPage): Promise<object> {
  const { user_id: id, sub, source, username, name, email, email_verified, pending_email } = user;
  const { has_password, has_second_factor, is_admin, created_at } = user;
  const address = { email, email_verified, pending_email };
  const state = { has_password, has_second_factor, is_admin, created_at };
  const kept = { wants_notices: user.wants_notices, ...(await findLanguagesAndLastSeen(deps.database, id)) };
  return { id, sub, source, username, name, ...address, ...state, ...kept };
}
