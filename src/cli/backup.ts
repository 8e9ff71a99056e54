import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { writeBackupFile } from '../operations/backup-file.ts';
import { listOwnTables } from '../operations/database-server.ts';
import { type Restored, restoreBackup } from '../operations/restore.ts';
import { dumpLines } from '../postgres/dump.ts';
import { revokeAll } from '../postgres/restored.ts';
import { command } from './command.ts';
import { announceIn, interruptible, withDatabaseServer, withSchema } from './with-database.ts';

/**
 * Tables that a backup leaves out: what they have is dead or untrue after a restore, or lives for minutes only. The larger part of a
 * database is in them.
 */
const notInBackups: readonly string[] = [
  'access_tokens',
  'attempts',
  'authorization_codes',
  'client_key_sets',
  'consent_decisions',
  'database_clock',
  'overdue_audit_partitions',
  'pushed_requests',
  'refusals',
  'sessions',
  'started_sign_ins',
  'used_proofs',
  'used_tickets',
];

function requireEmbedded(config: Config, instead: string): void {
  if (config.database_url === undefined) return;
  throw new Error(`This command is for the embedded database; for the database of DATABASE_URL, use ${instead}.`);
}

export const backup = command({
  name: 'backup',
  needsSchema: false,
  takes: ['FILE'],
  summary: 'Write the embedded database to a new file, even while the server runs.',
  details: `The file has accounts, applications, settings and the audit trail as they are at one moment. It has no codes, tokens and sessions,
which end with a restore anyway. Keep it secret: it has the digests of all passwords and client secrets, and without the variable
SESSION_SECRET also the secret that signs cookies.`,
  async run({ args: [file = ''], shell }) {
    const settings = shell.config();
    requireEmbedded(settings, 'pg_dump');
    const path = resolve(file);
    const left_out: string[] = [];
    await withDatabaseServer(shell, async ({ address }, signal) => {
      const own = await listOwnTables(address);
      const isTaken = (table: string) => {
        const isOther = own !== undefined && !own.has(table);
        if (isOther) left_out.push(table);
        return !isOther && !notInBackups.includes(table);
      };
      return writeBackupFile(path, dumpLines(address, isTaken), signal);
    });
    const others = left_out.length > 0 ? `\nIt lacks what Latchkey has not made: ${left_out.join(', ')}.` : '';
    return { text: `Wrote ${path}.${others}`, json: { backup: path, left_out } };
  },
});

const ended =
  'All codes, tokens, sessions, consents, pushed requests, invitations and mailed links have ended: people sign in and allow again.';
const asOf = 'Passwords, client secrets, and what was disabled are as they were then: check what has changed since.';

export const restore = command({
  name: 'restore',
  needsSchema: false,
  takes: ['FILE'],
  summary: 'Replace the embedded database with a backup. Stop the server first.',
  details: `If anything fails, the database stays as it was. ${ended}\n${asOf}`,
  async run({ args: [file = ''], shell }) {
    const settings = shell.config();
    requireEmbedded(settings, 'pg_restore, and then latchkey revoke-all');
    const { data_dir } = settings;
    const restored = await interruptible(shell, (signal) =>
      restoreBackup(resolve(file), { data_dir, announce: announceIn(shell), signal }),
    );
    const { made_at, rows, assertions_not_before } = restored;
    const text = `Restored ${rows} rows of ${made_at}.\n${ended}\n${asOf}\n${assertionNote(assertions_not_before)}${keptNote(restored)}`;
    return { text, json: restored };
  },
});

const mostNamed = 20;

function keptNote({ kept, others }: Restored): string {
  if (kept === undefined) return '';
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
  const named = others.slice(0, mostNamed).join(', ');
  return `\nThe database of before stays as ${kept}, for it has what is not in the backup: ${named}${more}.`;
}

const assertionNote = (from: Date) => `Client assertions made before ${from.toISOString()} are refused.`;

export const revokeEverything = command({
  name: 'revoke-all',
  summary: 'End all access. Run it after restoring a backup with the tools of Postgres, before the server starts.',
  details: `${ended} Accounts and applications stay.`,
  async run({ shell }) {
    const from = await withSchema(shell, (_database, { address }) => revokeAll(address));
    return { text: `${ended}\n${assertionNote(from)}`, json: { revoked: true, assertions_not_before: from } };
  },
});
