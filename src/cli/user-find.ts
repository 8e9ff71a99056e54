import { listConnectedApplications } from '../accounts/applications/connected-applications.sql.ts';
import { listPasskeysOfUser } from '../accounts/passkeys/passkeys.sql.ts';
import { findEvents } from '../audit/audit-search.sql.ts';
import { listOwnApplications } from '../clients/clients.sql.ts';
import { findLock } from '../identity/attempt-limits.sql.ts';
import { findPeople, shortestPart } from '../identity/people-search.sql.ts';
import { listSessionsOfUser } from '../identity/sessions.sql.ts';
import { listIdentitiesOfUser } from '../people/providers/identities.sql.ts';
import { command } from './command.ts';
import { formatFields, formatTable, readLimit } from './format.ts';
import { requireUser } from './named-user.ts';
import { withSchema } from './with-database.ts';

export const findUsers = command({
  name: 'user find',
  takes: ['TEXT'],
  summary: 'Find users by username, address or subject, by a part of these, or by their name.',
  details: `The text is compared literally; there are no wildcards. A part has at least ${shortestPart} characters; with fewer, only names and
addresses that begin with the text are found. Of a full name, its beginning and each word count, by how it begins; of more than five words, the first three and the last two.`,
  options: { limit: { type: 'string', value: 'N', help: 'maximum number of users (default 20)' } },
  async run({ args: [text = ''], options, shell }) {
    const limit = readLimit('user find', options.limit ?? '20');
    const { people, more } = await withSchema(shell, (database) => findPeople(database, text.trim(), limit));
    const rows = people.map(
      ({ user_id, username, name, email, email_verified, sub, source, is_admin, disabled_at }) => {
        const state = disabled_at ? 'disabled' : 'active';
        return { user_id, username, name, email, email_verified, sub, source, admin: is_admin, state };
      },
    );
    const hint = more ? '\n\nThere are more: enter more of the name.' : '';
    return { text: formatTable(rows, 'No users were found.') + hint, json: people };
  },
});

const shownRefusals = 5;

export const showUser = command({
  name: 'user show',
  takes: ['NAME'],
  summary: 'Show a user: address, ways to sign in, lock, sessions, applications, and refused sign-ins.',
  details: `Of refused sign-ins, the latest ${shownRefusals} with their reasons; all: latchkey audit --user NAME --event sign_in_refused.`,
  async run({ args: [username = ''], shell }) {
    const shown = await withSchema(shell, async (database) => {
      const user = await requireUser(database, username);
      const { user_id } = user;
      const [lock, identities, passkeys, sessions, grants, looksAfter] = [
        await findLock(database, user_id),
        await listIdentitiesOfUser(database, user_id),
        await listPasskeysOfUser(database, user_id),
        await listSessionsOfUser(database, user_id),
        await listConnectedApplications(database, user_id, undefined, 100),
        await listOwnApplications(database, user_id, undefined, 100),
      ];
      const { rows: refused } = await findEvents(
        database,
        { user_id, event: 'sign_in_refused' },
        undefined,
        shownRefusals,
      );
      return {
        ...user,
        locked_until: lock.until,
        wrong_attempts: lock.attempts,
        identities: identities.map(({ issuer, subject }) => `${issuer} ${subject}`),
        passkeys: passkeys.map(({ name }) => name),
        sessions: sessions.map(({ sid_sha256: _, ...session }) => session),
        applications: grants.rows.map(({ client_id }) => client_id),
        refused_sign_ins: refused.map(({ happened_at, detail, address }) => ({ happened_at, reason: detail, address })),
        looks_after: looksAfter.rows.map(({ client_id }) => client_id),
      };
    });
    const sessions = shown.sessions.map(
      ({ last_used_at, address }) => `${last_used_at.toISOString()} ${address ?? ''}`,
    );
    const refused_sign_ins = shown.refused_sign_ins.map(
      ({ happened_at, reason, address }) => `${happened_at.toISOString()} ${reason ?? '-'} ${address ?? ''}`,
    );
    return { text: formatFields({ ...shown, sessions, refused_sign_ins }), json: shown };
  },
});
