import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { listPeople, type PeopleList, peopleLists } from '../identity/people-lists.sql.ts';
import { type FoundPerson, findPeople } from '../identity/people-search.sql.ts';
import type { SignedInPage } from '../identity/person.ts';
import { afterOf, pagingOf } from '../web/paging.ts';
import { renderView } from '../web/render.ts';
import { fieldOf, queryParameters } from '../web/request-parameters.ts';
import { forAdministrator } from './administrator.ts';
import { frameOf } from './parts.ts';
import { newPersonPath, pathWith, peoplePath, personPath } from './path.ts';

const shownPeople = 20;
/** A search compares all ways in which somebody can be found, so a further page would cost as much as all before it. */
const mostFound = 100;

/** Finds people, or shows a list of them. Of too many that are found it shows the first, more if asked, and then asks for more of the name. */
export const showPeople = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const { base } = deps.config;
    const query = queryParameters(page.req);
    const typed = fieldOf(query, 'find').trim();
    const list = peopleLists.find((name) => name === query['list']) ?? 'newest';
    const limit = query['show'] === String(mostFound) ? mostFound : shownPeople;
    const { people, more, next } =
      typed === ''
        ? { ...(await listPeople(deps.database, list, numberOf(afterOf(page.req)), shownPeople)), more: false }
        : { ...(await findPeople(deps.database, typed, limit)), next: undefined };
    const canShowMore = more && limit < mostFound;
    const further = base + pathWith(peoplePath, { find: typed, show: String(mostFound) });
    const ofSearch = canShowMore ? { next_href: further } : {};
    renderView(page, 'admin-people', {
      ...frameOf(page, 'people'),
      action: base + peoplePath,
      add_href: deps.config.passwords ? base + newPersonPath : undefined,
      typed: typed.slice(0, 255),
      lists: peopleLists.map((name) => ({
        name,
        href: base + pathWith(peoplePath, restrictionOf(name)),
        is_current: typed === '' && name === list,
      })),
      people: people.map((person) => shownPerson(page, person)),
      more: more && !canShowMore,
      paging: typed === '' ? pagingOf(page, peoplePath, next?.toString(), restrictionOf(list)) : ofSearch,
    });
  });

const numberOf = (after: string | undefined) => (/^[1-9]\d{0,8}$/.test(after ?? '') ? Number(after) : undefined);

const restrictionOf = (list: PeopleList): Record<string, string> => (list === 'newest' ? {} : { list });

const shownPerson = ({ deps: { config } }: SignedInPage, person: FoundPerson) => ({
  href: config.base + personPath(person.user_id),
  username: person.username,
  name: person.name ?? undefined,
  email: person.email ?? undefined,
  email_verified: person.email_verified,
  is_admin: person.is_admin,
  created_at: person.created_at,
  seen_on: person.last_day ?? undefined,
  disabled: person.disabled_at !== null,
});
