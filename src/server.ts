import cluster from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startMailing } from './accounts/mail/mailing.ts';
import { createApp } from './app.ts';
import { startFetchingLogos } from './clients/client-logos.ts';
import { type Config, ConfigError, loadConfig, misspelledVariables } from './config/config.ts';
import type { Deps } from './deps.ts';
import { createExamination, startErrors } from './doctor/doctor.ts';
import { createHashingQueue, type HashingQueue } from './identity/hashing-queue.ts';
import { createPasswords, hashingTooFast } from './identity/password-hashing.ts';
import { hasUsers } from './identity/users.sql.ts';
import { startComparing } from './identity/view/view-comparison.ts';
import { describeStart, poolSize, type Wait, waitAtStart } from './operations/connections.ts';
import { startCounting } from './operations/counting.ts';
import { connectDatabase, type DatabaseServer, migrateAndSeed } from './operations/database-server.ts';
import { borrowHashingSlots } from './operations/hashing-slots.ts';
import { checkCanListen, type HttpServer, serveHttp } from './operations/http-server.ts';
import { type Announce, createAnnounce, createLog, logWarnings } from './operations/log.ts';
import { startMetrics } from './operations/monitoring/metrics.ts';
import { processFamilies } from './operations/monitoring/process-metrics.ts';
import { answerPrimary } from './operations/monitoring/worker-metrics.ts';
import { type Shutdown, watchForShutdown } from './operations/stop.ts';
import { startSweeping } from './operations/sweeping.ts';
import { commandName } from './operations/version.ts';
import { answerPulse, awaitStopMessage, startWorkers, workerDatabase } from './operations/workers.ts';
import { demoAccount } from './playground/demo.sql.ts';
import { adviceWithoutAccounts, demoWarning, endDemo } from './playground/demo.ts';
import { registerPlayground } from './playground/demo-client.ts';
import { openDatabase, requestSettings } from './postgres/database.ts';
import type { Alarm, DatabaseAddress } from './postgres/hosts.ts';
import { findServerSettings } from './postgres/server-settings.ts';
import { findSessionSecrets } from './postgres/settings.sql.ts';
import { contrastWarning } from './web/brand.ts';
import { serviceOf } from './web/served-app.ts';

// files that this process creates are readable by its user only
process.umask(0o077);
// ignore EPIPE on stdout and stderr
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** The server, or with several workers its primary process. Resolves after the shutdown: true if that was asked for. */
async function runServer(config: Config, log: Logger): Promise<boolean> {
  const announce = createAnnounce(log);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const shutdown = watchForShutdown({ log, signals, drainDelay: config.drain_delay });
  for (const warning of configWarnings(config)) log.warn(warning);
  await checkCanListen(config);
  const { signal } = shutdown;
  const wait = waitAtStart(config, { announce, signal });
  return unlessStopped(shutdown, async () => {
    const databaseServer = await wait(() => connectDatabase(config, { announce, alarm: alarmIn(log), signal }));
    try {
      const run = runOn(databaseServer, { config, log, announce, shutdown, wait }).catch(async (error) => {
        // a statement fails a moment before the end of its embedded database is known, which is the reason to report
        await setTimeout(200);
        throw error;
      });
      return await Promise.race([run, databaseLost(databaseServer, log)]);
    } finally {
      await databaseServer.close();
    }
  });
}

function alarmIn(log: Logger): Alarm {
  return (message) => log.error(message);
}

/** The process ends at once, because it can answer nothing without its embedded database: so whoever restarts it does so now. */
async function databaseLost({ exited }: DatabaseServer, log: Logger): Promise<false> {
  // a failure is logged at every LOG_LEVEL
  log.fatal(await exited);
  return false;
}

interface Run {
  readonly config: Config;
  readonly log: Logger;
  readonly announce: Announce;
  readonly shutdown: Shutdown;
  readonly wait: Wait;
}

async function runOn(databaseServer: DatabaseServer, run: Run): Promise<boolean> {
  const { config, log, announce, shutdown, wait } = run;
  const { address, database } = databaseServer;
  await wait(() => migrateAndSeed(config, databaseServer, announce));
  if (!config.demo) await wait(() => endDemo(database));
  const settings = await wait(() => findServerSettings(database));
  for (const error of startErrors(config, settings)) log.error(error);
  const hashingQueue = createHashingQueue();
  const metrics = await startMetrics(config, { database, hashingQueue });
  const server =
    config.workers > 1
      ? await startWorkers(config, address, log)
      : await wait(() => serve({ config, log, database, stopping: shutdown.signal, metrics, address }, hashingQueue));
  if (!(await wait(() => hasUsers(database))))
    announce(adviceWithoutAccounts(config, commandName(process.env['PATH'])));
  announce(describeStart(config, settings));
  announceUrl(config, announce);
  const sessionSecrets = await wait(() => findSessionSecrets(config, database));
  const sweeping = startSweeping({ config, database, log, sessionSecrets });
  const mailing = startMailing({ config, database, log, sessionSecrets });
  const comparing = startComparing({ config, database, log });
  const fetchingLogos = startFetchingLogos({ config, database, log });
  void hashingTooFast().then((warning) => warning && log.warn(warning));
  const { message, isExpected } = await shutdown.reason;
  sweeping.stop();
  comparing.stop();
  fetchingLogos.stop();
  mailing.stop();
  const drained = server.drain();
  // a failure is logged at every LOG_LEVEL
  if (isExpected) announce(message);
  else log.fatal(message);
  await drained;
  return isExpected;
}

/** Told to stop while it waits for the database, the process ends as it was told. */
async function unlessStopped(shutdown: Shutdown, run: () => Promise<boolean>): Promise<boolean> {
  try {
    return await run();
  } catch (error) {
    if (!shutdown.signal.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error;
    return (await shutdown.reason).isExpected;
  }
}

function configWarnings(config: Config): string[] {
  const warnings = [...misspelledVariables(process.env), contrastWarning(config.brand), demoWarning(config)];
  return warnings.filter((warning) => warning !== undefined);
}

function announceUrl({ demo, issuer, seed_file, passwords }: Config, announce: Announce): void {
  announce(demo ? `Open ${issuer}/playground` : `Latchkey serves ${issuer}`);
  const { username, password } = demoAccount;
  if (demo && passwords && seed_file === undefined) announce(`Sign in as ${username} with the password ${password}.`);
  if (process.stdout.isTTY) announce('Press Ctrl-C to stop.');
}

/** One of several processes that share the port. The primary process has prepared the database, and tells this one to stop. */
async function runWorker(config: Config, log: Logger): Promise<boolean> {
  answerPulse();
  const stopMessage = awaitStopMessage();
  const shutdown = watchForShutdown({ log, signals: ['SIGTERM'], drainDelay: config.drain_delay, stopMessage });
  const { signal } = shutdown;
  const wait = waitAtStart(config, { announce: createAnnounce(log), signal });
  const address = workerDatabase(process.env);
  const database = openDatabase(address, poolSize(config), requestSettings, alarmIn(log));
  const hashingQueue = borrowHashingSlots();
  const metrics = answerPrimary(() => processFamilies({ database, hashingQueue }));
  return unlessStopped(shutdown, async () => {
    const server = await wait(() => serve({ config, log, database, stopping: signal, metrics, address }, hashingQueue));
    const { isExpected } = await shutdown.reason;
    await server.drain();
    await database.end();
    return isExpected;
  });
}

type ProcessDeps = Pick<Deps, 'config' | 'log' | 'database' | 'stopping' | 'metrics'> & { address: DatabaseAddress };

async function serve({ address, ...processDeps }: ProcessDeps, queue: HashingQueue): Promise<HttpServer> {
  const { config, database } = processDeps;
  const sessionSecrets = await findSessionSecrets(config, database);
  const examine = createExamination(process.env, { config, database, address, sessionSecrets });
  const deps = { ...processDeps, sessionSecrets, examine, passwords: createPasswords(queue) };
  if (config.demo) await registerPlayground(deps);
  const tracing = await startTracing(config, processDeps.log);
  const app = createApp(deps);
  const server = await serveHttp(deps, serviceOf(app));
  const counting = startCounting(deps);
  const drain = async () => {
    await server.drain();
    await counting.stop();
    await tracing?.stop();
  };
  return { drain };
}

/** The exporter is not even loaded where nobody wants traces. */
async function startTracing({ tracing }: Config, log: Logger) {
  if (!tracing) return undefined;
  const { exportSpans } = await import('./operations/monitoring/span-exporter.ts');
  return exportSpans(tracing, log);
}

async function main(): Promise<boolean> {
  const config = loadConfig(process.env);
  const log = createLog(config.log_level);
  logWarnings(log);
  return cluster.isPrimary ? runServer(config, log) : runWorker(config, log);
}

main().then(
  (isExpected) => process.exit(isExpected ? 0 : 1),
  (error: Error) => {
    const heading = error instanceof ConfigError ? 'The configuration is invalid:\n' : '';
    process.stderr.write(`${heading}${error.message || error}\n`);
    process.exit(1);
  },
);
