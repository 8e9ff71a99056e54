import type { Config } from '../config/config.ts';
import { bySeverity, type Finding, finding } from '../lib/finding.ts';
import { findMailQueue } from '../mail/mails.sql.ts';
import { listPending } from '../operations/database-server.ts';
import { findStoredState } from '../operations/monitoring.sql.ts';
import type { Database } from '../postgres/database.ts';
import type { DatabaseAddress } from '../postgres/hosts.ts';
import { describePooler } from '../postgres/pooler.ts';
import { findServerSettings } from '../postgres/server-settings.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';
import { choiceFindings } from './choices.ts';
import { claimFindings } from './claims.ts';
import { authorityFindings, certificateFindings, diskFindings, readableFindings } from './files.ts';
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

interface LocalCheck {
  readonly subject: string;
  look(config: Config, env: Variables): Finding[];
}

const localChecks: readonly LocalCheck[] = [
  { subject: 'the settings', look: settingFindings },
  { subject: 'the secrets', look: secretFindings },
  { subject: 'files with secrets', look: readableFindings },
  { subject: 'the certificate', look: certificateFindings },
  { subject: 'certificate authorities', look: authorityFindings },
];

/** Returns what can be said without the database. */
export const localFindings = (config: Config, env: Variables): Finding[] =>
  localChecks.flatMap(({ look }) => look(config, env));

interface Server {
  readonly address: DatabaseAddress;
  readonly database: Database;
}

/** Returns what the database and the running server say. */
export async function remoteFindings(config: Config, server: Server, instances: number): Promise<Finding[]> {
  const { found, isComplete } = await serverState(config, server, instances);
  if (isComplete) return found;
  const given = { ...server, config, sessionSecrets: await findSessionSecrets(config, server.database) };
  for (const { look } of checks) found.push(...(await look(given)));
  return found;
}

/** Milliseconds for each check of a page. */
const patienceMs = 3000;

/**
 * Returns what the database and the running server say, for a page, which changes nothing and does not wait: the seed is not run, and a
 * check that takes too long or fails is a finding by itself. A check that hangs goes on, so callers must not begin another examination
 * with each request.
 */
async function pageFindings(env: Variables, given: Given): Promise<Finding[]> {
  const { found, isComplete } = await serverState(given.config, given, 1);
  for (const { subject, look } of localChecks)
    found.push(...(await withinPatience(subject, async () => look(given.config, env))));
  if (isComplete) return bySeverity(found);
  const harmless = checks.filter(({ runsSeed }) => !runsSeed);
  const looked = await Promise.all(
    harmless.map(({ subject, look }) => withinPatience(subject, async () => look(given))),
  );
  return bySeverity([...found, ...looked.flat()]);
}

async function withinPatience(subject: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  const unknown = (value: string) => {
    const what = 'a check took too long or failed, so its result is unknown';
    const change = 'latchkey doctor, which waits for it and says why';
    return [finding('note', 'check_unfinished', { what, value: `${subject}: ${value}`, change })];
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    timer = setTimeout(() => resolve(unknown(`more than ${patienceMs / 1000} s`)), patienceMs);
  });
  const looked = look().catch(() => unknown('it failed'));
  return Promise.race([looked, late]).finally(() => clearTimeout(timer));
}

interface Given extends Server {
  readonly config: Config;
  readonly sessionSecrets: readonly string[];
}
type Found = Finding[] | Promise<Finding[]>;

interface Check {
  readonly subject: string;
  /** whether the check runs SEED_FILE, in a transaction that is rolled back */
  readonly runsSeed?: true;
  look(given: Given): Found;
}

const checks: readonly Check[] = [
  {
    subject: 'the audit trail',
    look: async ({ config, database }) => auditFindings(config, await findStoredState(database)),
  },
  { subject: 'registrations', look: ({ config, database }) => registrationFindings(config, database) },
  { subject: 'the seed', runsSeed: true, look: ({ config, address }) => seedFindings(config, address) },
  { subject: 'ways in', look: ({ config, database }) => wayFindings(config, database) },
  { subject: 'the disk', look: ({ config }) => diskFindings(config) },
  { subject: 'mail', look: async ({ config, database }) => mailFindings(config, await findMailQueue(database)) },
  { subject: 'hashes of passwords', look: ({ database }) => foreignHashFindings(database) },
  { subject: 'the view of accounts', look: ({ database }) => viewFindings(database) },
  { subject: 'claims', look: ({ database }) => claimFindings(database) },
  { subject: 'choices', look: ({ database }) => choiceFindings(database) },
  { subject: 'providers', look: providerFindings },
  { subject: 'second factors', look: ({ database, sessionSecrets }) => secondFactorFindings(database, sessionSecrets) },
  {
    subject: 'the address of this server',
    look: ({ config, sessionSecrets }) => issuerFindings(config, sessionSecrets),
  },
];

/** The state of the database server, which may lack migrations: then there is nothing else to look at. */
async function serverState(config: Config, { address, database }: Server, instances: number) {
  const askedAt = Date.now();
  const settings = await findServerSettings(database);
  const clock = clockFindings(settings, askedAt, Date.now());
  const pooler = poolerFindings(await describePooler(database));
  const found = [...serverFindings(config, settings, instances), ...clock, ...pooler];
  const pending = await listPending(address);
  if (pending.length > 0) found.push(pendingFinding(pending));
  return { found, isComplete: pending.length > 0 };
}

function poolerFindings(mode: 'session' | 'transaction' | undefined): Finding[] {
  if (mode === undefined) return [];
  const what =
    'a connection pooler stands in front of the database, and can be used; the limit of connections is its own';
  const change = 'nothing; src/operations/growing.md has the settings of PgBouncer';
  return [finding('note', 'pooler', { what, value: `pool_mode ${mode}`, change })];
}

function pendingFinding(pending: string[]): Finding {
  const more = pending.length > 5 ? ` and ${pending.length - 5} more` : '';
  return finding('warning', 'database_migrations', {
    what: 'migrations are missing, so nothing else was checked; the next start applies them',
    value: `${pending.slice(0, 5).join(', ')}${more}`,
    change: 'latchkey migrate',
  });
}

/** Errors that a start reports, too: finding them costs neither a connection nor any noticeable time. */
export function startErrors(config: Config, settings: Parameters<typeof serverFindings>[1]): string[] {
  const files = [...certificateFindings(config), ...authorityFindings(config)];
  const found = [...secretFindings(config), ...files, ...serverFindings(config, settings)];
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ what, value, change }) => `${what} (${value}); to change it: ${change}`);
}

/** Milliseconds for which an examination counts. */
const freshMs = 10_000;

/**
 * Makes an examination that is shared by all who ask at that time, so that nobody can let many of them wait for the database or for
 * others.
 */
export function createExamination(...given: Parameters<typeof pageFindings>): () => Promise<Finding[]> {
  let last = { until: Number.NEGATIVE_INFINITY, findings: Promise.resolve<Finding[]>([]) };
  return () => {
    if (performance.now() > last.until) {
      const findings = pageFindings(...given);
      last = { until: performance.now() + freshMs, findings };
      findings.catch(() => {
        last.until = Number.NEGATIVE_INFINITY;
      });
    }
    return last.findings;
  };
}
