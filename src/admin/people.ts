import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { findPeople } from '../identity/people-search.sql.ts';
import { renderView } from '../web/render.ts';
import { fieldOf, queryParameters } from '../web/request-parameters.ts';
import { forAdministrator } from './administrator.ts';
import { frameOf } from './parts.ts';
import { personPath } from './path.ts';

const shownPeople = 20;

/** Finds people; of too many it shows the first, and asks for more of the name. */
export const showPeople = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const { base } = deps.config;
    const typed = fieldOf(queryParameters(page.req), 'find').trim();
    const { people, more } = await findPeople(deps.database, typed, shownPeople);
    renderView(page, 'admin-people', {
      ...frameOf(page, 'people'),
      action: `${base}/admin/people`,
      typed: typed.slice(0, 255),
      people: people.map(({ user_id, username, name, email, disabled_at, ...person }) => ({
        href: base + personPath(user_id),
        username,
        name: name ?? undefined,
        email: email ?? undefined,
        email_verified: person.email_verified,
        is_admin: person.is_admin,
        disabled: disabled_at !== null,
      })),
      more,
    });
  });
