import { findEventsOfUser } from '../../audit/events.sql.ts';
import { listOwnApplications } from '../../clients/clients.sql.ts';
import type { SignedInPage } from '../../identity/person.ts';
import { listSessionsOfUser } from '../../identity/sessions.sql.ts';
import { findLanguages } from '../../identity/users.sql.ts';
import { listIdentitiesOfUser } from '../../people/providers/identities.sql.ts';
import type { Page } from '../../postgres/pagination.sql.ts';
import { listPasskeysOfUser, shownPasskey } from '../passkeys/passkeys.sql.ts';
import { listConnectedApplications, listOwnDecisions } from '../profile/connected-applications.sql.ts';

/** What is kept of a person beside the profile: one list for each kind, read a page at a time. No part contains what opens anything. */
export interface ExportPart {
  /** the member of the document */
  name: string;
  read(page: SignedInPage, after: string | undefined): Promise<Page<object>>;
}

const pageSize = 500;

const whole = (rows: object[]): Page<object> => ({ rows, next: undefined });

const identities: ExportPart = {
  name: 'identities',
  async read({ deps, user }) {
    const found = await listIdentitiesOfUser(deps.database, user.user_id);
    return whole(
      found.map(({ issuer, subject, label, linked_at, last_used_at }) => {
        return { issuer, subject, label, linked_at, last_used_at };
      }),
    );
  },
};

const passkeys: ExportPart = {
  name: 'passkeys',
  async read({ deps, user }) {
    return whole((await listPasskeysOfUser(deps.database, user.user_id)).map(shownPasskey));
  },
};

const sessions: ExportPart = {
  name: 'sessions',
  async read({ deps, user }) {
    const found = await listSessionsOfUser(deps.database, user.user_id);
    return whole(
      found.map(({ user_agent, address, created_at, last_used_at }) => {
        return { user_agent, address, created_at, last_used_at };
      }),
    );
  },
};

const grants: ExportPart = {
  name: 'grants',
  async read({ deps, user }, after) {
    const { rows, next } = await listConnectedApplications(deps.database, user.user_id, after, pageSize);
    return {
      next,
      rows: rows.map(({ client_id, name, site_domain, scopes, refused_scopes, ...grant }) => {
        const { duration, granted_at, last_used_at, expires_at } = grant;
        return { client_id, name, site_domain, scopes, refused_scopes, duration, granted_at, last_used_at, expires_at };
      }),
    };
  },
};

const activity: ExportPart = {
  name: 'activity',
  async read({ deps, user }, after) {
    const { rows, next } = await findEventsOfUser(deps.database, user.user_id, after, pageSize);
    return {
      next,
      rows: rows.map(({ happened_at, event, client_id, client_name, address, detail }) => {
        return { happened_at, event, client_id, client_name, address, detail };
      }),
    };
  },
};

const applications: ExportPart = {
  name: 'applications',
  async read({ deps, user }, after) {
    const { rows, next } = await listOwnApplications(deps.database, user.user_id, after, pageSize);
    return {
      next,
      rows: rows.map(({ client_id, name, site_domain, redirect_uris, scopes, disabled_at, last_used_at }) => {
        return { client_id, name, site_domain, redirect_uris, scopes, disabled_at, last_used_at };
      }),
    };
  },
};

/** Decisions about applications for which the person may have no grant. */
const ownDecisions: ExportPart = {
  name: 'own_decisions',
  read: ({ deps, user }, after) => listOwnDecisions(deps.database, user.user_id, after, pageSize),
};

export const exportParts: readonly ExportPart[] = [
  identities,
  passkeys,
  sessions,
  grants,
  applications,
  ownDecisions,
  activity,
];

/** The person as this server knows them. */
export async function profileOf({ deps, user }: SignedInPage): Promise<object> {
  const { user_id: id, sub, source, username, name, email, email_verified, pending_email } = user;
  const { has_password, has_second_factor, is_admin, created_at } = user;
  const address = { email, email_verified, pending_email };
  const state = { has_password, has_second_factor, is_admin, created_at };
  const settings = { wants_notices: user.wants_notices, ...(await findLanguages(deps.database, id)) };
  return { id, sub, source, username, name, ...address, ...state, ...settings };
}
