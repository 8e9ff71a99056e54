import { randomBytes } from 'node:crypto';
import type { Database } from '../postgres/database.ts';
import { type AuditEvent, listEvents, registerAuditEvent } from '../store/audit.ts';
import { command } from './command.ts';
import { migrationRule, withSchema } from './connect.ts';
import { readLimit } from './list.ts';
import { table } from './print.ts';

/** What an operator did, beside what people and applications do; there is no request, so the command has a name instead. */
export function record(database: Database, event: AuditEvent): Promise<void> {
  return registerAuditEvent(database, event, {
    request_id: `command-${randomBytes(6).toString('hex')}`,
    address: null,
  });
}

export const audit = command({
  name: 'audit',
  summary: 'Show what happened last: sign-ins, consents, tokens, changes of registrations.',
  details: migrationRule,
  options: { limit: { type: 'string', value: 'N', help: 'how many events, 50 unless said otherwise' } },
  async run({ options, config }) {
    const limit = readLimit('audit', options.limit ?? '50');
    const events = await withSchema(config(), (database) => listEvents(database, limit));
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
    return { text: table(rows, 'Nothing has happened yet.'), json: events };
  },
});
