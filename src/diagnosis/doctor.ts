import type { Config } from '../config.ts';
import type { Database } from '../postgres/database.ts';
import type { DatabaseAddress } from '../postgres/hosts.ts';
import { describePooler } from '../postgres/pooler.ts';
import { findServerSettings } from '../postgres/server-settings.ts';
import { listPending } from '../process/database-server.ts';
import { findMailQueue } from '../store/mails.ts';
import { findStoredState } from '../store/monitoring.ts';
import { findSessionSecrets } from '../store/settings.ts';
import { claimFindings } from './claims.ts';
import { authorityFindings, certificateFindings, diskFindings, readableFindings } from './files.ts';
import { type Finding, finding } from './finding.ts';
import { foreignHashFindings } from './foreign-hashes.ts';
import { issuerFindings } from './issuer.ts';
import { mailFindings } from './mail.ts';
import { providerFindings } from './providers.ts';
import { registrationFindings } from './registrations.ts';
import { secondFactorFindings } from './second-factors.ts';
import { secretFindings } from './secrets.ts';
import { seedFindings } from './seed.ts';
import { auditFindings, clockFindings, serverFindings } from './server.ts';
import { settingFindings } from './settings.ts';
import { viewFindings } from './view-accounts.ts';
import { wayFindings } from './ways-in.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What can be said without the database. */
export function localFindings(config: Config, env: Variables): Finding[] {
  return [
    ...settingFindings(config, env),
    ...secretFindings(config),
    ...readableFindings(config, env),
    ...certificateFindings(config),
    ...authorityFindings(config),
  ];
}

interface Server {
  readonly address: DatabaseAddress;
  readonly database: Database;
}

/** What the database and the running server say. */
export async function remoteFindings(config: Config, server: Server, instances: number): Promise<Finding[]> {
  const { address, database } = server;
  const askedAt = Date.now();
  const settings = await findServerSettings(database);
  const clock = clockFindings(settings, askedAt, Date.now());
  const found = [
    ...serverFindings(config, settings, instances),
    ...clock,
    ...poolerFindings(await describePooler(database)),
  ];
  const pending = await listPending(address);
  if (pending.length > 0) return [...found, pendingFinding(pending)];
  found.push(...auditFindings(config, await findStoredState(database)));
  found.push(...(await registrationFindings(config, database)), ...(await seedFindings(config, address)));
  found.push(...(await wayFindings(config, database)));
  const sessionSecrets = await findSessionSecrets(config, database);
  return [
    ...found,
    ...diskFindings(config),
    ...mailFindings(config, await findMailQueue(database)),
    ...(await foreignHashFindings(database)),
    ...(await viewFindings(database)),
    ...(await claimFindings(database)),
    ...(await providerFindings({ config, database, sessionSecrets })),
    ...(await secondFactorFindings(database, sessionSecrets)),
    ...(await issuerFindings(config, sessionSecrets)),
  ];
}

function poolerFindings(mode: 'session' | 'transaction' | undefined): Finding[] {
  if (mode === undefined) return [];
  const what =
    'a connection pooler stands in front of the database, and can be used; the limit of connections is its own';
  const change = 'nothing; src/process/growing.md has the settings of PgBouncer';
  return [finding('note', 'pooler', { what, value: `pool_mode ${mode}`, change })];
}

function pendingFinding(pending: string[]): Finding {
  const more = pending.length > 5 ? ` and ${pending.length - 5} more` : '';
  return finding('warning', 'database_migrations', {
    what: 'migrations are missing, so nothing further was looked at; the next start applies them',
    value: `${pending.slice(0, 5).join(', ')}${more}`,
    change: 'latchkey migrate',
  });
}

/** What a start says, too: it costs neither a connection nor any noticeable time. */
export function startErrors(config: Config, settings: Parameters<typeof serverFindings>[1]): string[] {
  const files = [...certificateFindings(config), ...authorityFindings(config)];
  const found = [...secretFindings(config), ...files, ...serverFindings(config, settings)];
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ what, value, change }) => `${what} (${value}); to change it: ${change}`);
}
