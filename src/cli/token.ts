import { findAnyUser } from '../identity/users.sql.ts';
import { revokeShownToken } from '../oauth/token/revocation.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';
import { findTokenHistory } from '../registration/console/token-history.ts';
import { commandTrace } from './audit.ts';
import { command } from './command.ts';
import { formatFields } from './format.ts';
import { readSecret } from './secret-input.ts';
import { withSchema } from './with-database.ts';

export const showToken = command({
  name: 'token show',
  asksFor: 'code or token',
  summary: 'Show who a code or token belongs to, whether it is valid, and its history.',
  details: `The code or token is prompted for, or read from standard input. It is neither stored nor logged.
Needs the SESSION_SECRET of the server.`,
  async run({ shell }) {
    const config = shell.config();
    const token = await readSecret(shell, 'Code or token');
    const shown = await withSchema(shell, async (database) => {
      const sessionSecrets = await findSessionSecrets(config, database);
      const { history, facts } = await findTokenHistory({ config, database, sessionSecrets }, token.trim());
      const person = facts && (await findAnyUser(database, facts.user_id));
      return { user: person?.username ?? null, client_id: facts?.client_id ?? null, ...history };
    });
    if (!('events' in shown)) return { text: 'This is not a code or token of this server.', json: shown };
    const events = shown.events.map(({ at, event }) => `${at.toISOString()} ${event}`);
    return { text: formatFields({ ...shown, events }), json: shown };
  },
});

export const endToken = command({
  name: 'token revoke',
  asksFor: 'code or token',
  summary: 'Revoke a token: an access token by itself, a refresh token or code with all tokens of its authorization.',
  details: `The code or token is prompted for, or read from standard input. It is neither stored nor logged. What the user has allowed stays: to end the
access of the application, use latchkey grant revoke. Needs the SESSION_SECRET of the server.`,
  async run({ shell }) {
    const config = shell.config();
    const token = await readSecret(shell, 'Code or token');
    const { kind, client_id, user, revoked } = await withSchema(shell, async (database) => {
      const sessionSecrets = await findSessionSecrets(config, database);
      const { history, facts, key } = await findTokenHistory({ config, database, sessionSecrets }, token.trim());
      if (!facts) throw new Error('This is not a code or token of this server.');
      const person = await findAnyUser(database, facts.user_id);
      const event = key && (await revokeShownToken(database, key, commandTrace()));
      const { client_id } = facts;
      return { kind: history.kind, client_id, user: person?.username ?? null, revoked: event !== undefined };
    });
    const what = `the ${kind.replace('_', ' ')} of "${client_id}" for "${user}"`;
    return {
      text: revoked ? `Revoked ${what}.` : `It is no longer valid: nothing was changed.`,
      json: { user, client_id, kind, revoked },
    };
  },
});
