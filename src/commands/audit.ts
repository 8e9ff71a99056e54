import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { sendsMail } from '../grants/mail-queue.ts';
import { orderNotice } from '../grants/notices.ts';
import type { Database } from '../postgres/database.ts';
import { type AuditEvent, listEvents, registerAuditEvent, type Trace } from '../store/audit.ts';
import { findSessionSecrets } from '../store/settings.ts';
import { command } from './command.ts';
import { formatTable } from './format.ts';
import { readLimit } from './list.ts';
import { migrationNote, withSchema } from './with-database.ts';

/** Records what an operator did. */
export function recordEvent(database: Database, event: AuditEvent): Promise<void> {
  return registerAuditEvent(database, event, commandTrace());
}

/** Lets the person know by mail, if mail is sent, of what was recorded. */
export async function tellPerson(config: Config, database: Database, event: AuditEvent): Promise<void> {
  if (!sendsMail(config)) return;
  const sessionSecrets = await findSessionSecrets(config, database);
  await orderNotice({ config, database, sessionSecrets }, commandTrace(), event, 'operator');
}

/** A command has no request, so its request id is a random one. */
export function commandTrace(): Trace {
  return { request_id: `command-${randomBytes(6).toString('hex')}`, address: null };
}

export const audit = command({
  name: 'audit',
  summary: 'Show the latest audit events.',
  details: `Events are sign-ins, consents, tokens, and changes of accounts and registrations.\n${migrationNote}`,
  options: { limit: { type: 'string', value: 'N', help: 'maximum number of events (default 50)' } },
  async run({ options, shell }) {
    const limit = readLimit('audit', options.limit ?? '50');
    const events = await withSchema(shell, (database) => listEvents(database, limit));
    const rows = events.map(({ happened_at, event, user_id, client_id, address, request_id, detail }) => {
      return {
        at: happened_at,
        event,
        user_id: user_id ?? null,
        client_id: client_id ?? null,
        address,
        request_id,
        detail: detail ?? null,
      };
    });
    return { text: formatTable(rows, 'There are no audit events.'), json: events };
  },
});
