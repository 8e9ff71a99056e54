import type { Config } from '../config/config.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { connectionsOf } from '../operations/connections.ts';
import type { StoredState } from '../operations/monitoring.sql.ts';
import type { ServerSettings } from '../postgres/server-settings.ts';

/** Returns what the settings of the database server mean for Latchkey; `instances` of this configuration share it. */
export function serverFindings(config: Config, settings: ServerSettings, instances = 1): Finding[] {
  return [...durabilityFindings(settings), ...connectionFindings(config, settings, instances)];
}

function durabilityFindings(settings: ServerSettings): Finding[] {
  const { fsync, full_page_writes, synchronous_commit, name } = settings;
  const found: Finding[] = [];
  if (!fsync) {
    found.push(
      finding('error', 'database_fsync', {
        what: 'a crash of the machine can destroy the whole database',
        value: 'fsync = off',
        change: 'alter system set fsync = on; select pg_reload_conf();',
      }),
    );
  }
  if (!full_page_writes) {
    found.push(
      finding('warning', 'database_full_page_writes', {
        what: 'a crash of the machine can destroy pages of the database, unless its file system writes them as a whole',
        value: 'full_page_writes = off',
        change: 'alter system set full_page_writes = on; select pg_reload_conf();',
      }),
    );
  }
  if (synchronous_commit === 'off') {
    found.push(
      finding('error', 'database_synchronous_commit', {
        what: 'a crash loses tokens that were issued, and makes used codes and revoked tokens valid again',
        value: 'synchronous_commit = off',
        change: `alter database "${name}" set synchronous_commit = on;`,
      }),
    );
  }
  return found;
}

function connectionFindings(config: Config, { connections }: ServerSettings, instances: number): Finding[] {
  const needed = connectionsOf(config) * instances;
  if (needed <= connections) return [];
  return [
    finding('error', 'database_connections', {
      what: 'the database accepts fewer connections than this configuration uses under load',
      value: `up to ${needed} for ${instances} × WEB_CONCURRENCY ${config.workers}, and the database accepts ${connections}`,
      change:
        config.database_url === undefined
          ? 'a smaller WEB_CONCURRENCY; several instances need a Postgres of your own: DATABASE_URL=postgres://…'
          : `alter system set max_connections = ${Math.ceil((needed + 20) / 10) * 10}; and a restart of Postgres, or fewer instances`,
    }),
  ];
}

/** Seconds by which the clocks may differ. */
const tolerance = 5;

/** Codes and tokens expire by the clock of the database, proofs and assertions of clients by that of this machine. */
export function clockFindings({ clock }: ServerSettings, askedAt: number, answeredAt: number): Finding[] {
  const ahead = clock > answeredAt ? clock - answeredAt : Math.min(0, clock - askedAt);
  const seconds = Math.round(ahead / 1000);
  if (Math.abs(seconds) <= tolerance) return [];
  return [
    finding(Math.abs(seconds) > 60 ? 'error' : 'warning', 'database_clock', {
      what: 'the clocks of this machine and of the database differ, so proofs and signed requests of clients are refused',
      value: `the database is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`,
      change: 'timedatectl set-ntp true, on both machines',
    }),
  ];
}

/** Days that a month may be due; it is dropped after one. */
const overdueDays = 2;

/** Whether the audit trail loses what it should. */
export function auditFindings(config: Config, state: StoredState | undefined): Finding[] {
  const days = Math.floor((state?.audit_overdue_seconds ?? 0) / 86_400);
  if (days < overdueDays) return [];
  return [
    finding('warning', 'audit_overdue', {
      what: `events of the audit trail are older than AUDIT_RETENTION (${config.audit_retention} days), and no server drops them`,
      value: `due for ${days} days`,
      change: 'let a server run for a day, whose clock agrees with that of the database; its log says what else fails',
    }),
  ];
}
