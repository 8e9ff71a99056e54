// before anything else, see there
import './process/memory.ts';
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { type Config, ConfigError, loadConfig, misspelledVariables } from './config.ts';
import type { Deps } from './deps.ts';
import { createHashingQueue, type HashingQueue } from './grants/hashing-queue.ts';
import { createPasswords, hashingTooFast } from './grants/passwords.ts';
import { contrastWarning } from './pages/brand.ts';
import { registerPlayground } from './playground/client.ts';
import { openDatabase } from './postgres/database.ts';
import { bootDatabase, prepareDatabase } from './process/database.ts';
import { adviceWithoutAccounts, demoWarning, endDemo } from './process/demo.ts';
import { borrowHashingSlots } from './process/hashing-slots.ts';
import { checkListening, type HttpServer, serveHttp } from './process/http-server.ts';
import { createLog, createSay } from './process/log.ts';
import { awaitEnding } from './process/stop.ts';
import { startSweeping } from './process/sweeping.ts';
import { awaitOrder, startWorkers, workerDatabase } from './process/workers.ts';
import { demoAccount } from './store/demo.ts';
import { findOrIssueSessionSecret } from './store/settings.ts';
import { hasUsers } from './store/users.ts';

// what this process writes is nobody else's to read
process.umask(0o077);
// a reader of our output that goes away takes nothing down with it
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** Everything that must be true before the first request is let in; then serve until told to stop. True if that was wanted. */
async function runServer(config: Config, log: Logger): Promise<boolean> {
  const say = createSay(log);
  const ending = awaitEnding(log, ['SIGINT', 'SIGTERM', 'SIGHUP'], config.drain_delay);
  for (const sentence of misspelledVariables(process.env)) log.warn(sentence);
  const contrast = contrastWarning(config.brand);
  if (contrast) log.warn(contrast);
  const openDemo = demoWarning(config);
  if (openDemo) log.warn(openDemo);
  await checkListening(config);
  const boot = await bootDatabase(config, say, false, ending.signal).catch((error) => {
    if (!ending.signal.aborted) throw error;
  });
  // told to stop before there was anything to stop
  if (!boot) return (await ending.reached).wanted;
  try {
    await prepareDatabase(config, boot.address, say);
    if (!config.demo) await endDemo(boot.database);
    const server =
      config.workers > 1
        ? await startWorkers(config.workers, boot.address, log)
        : await serve({ config, log, database: boot.database, stopping: ending.signal }, createHashingQueue());
    if (!(await hasUsers(boot.database))) say(adviceWithoutAccounts(config));
    sayWelcome(config, say);
    const sweeping = startSweeping(config, boot.database, log);
    void hashingTooFast().then((warning) => warning && log.warn(warning));
    const lost = boot.lost.then((reason) => ({ reason, wanted: false }));
    const { reason, wanted } = await Promise.race([ending.reached, lost]);
    sweeping.stop();
    const drained = server.drain();
    // whoever wants to hear of trouble only must hear of this, too
    if (wanted) say(reason);
    else log.fatal(reason);
    await drained;
    return wanted;
  } finally {
    await boot.close();
  }
}

/** The first thing to do, and the last. */
function sayWelcome({ demo, issuer, seed_file }: Config, say: (sentence: string) => void): void {
  say(demo ? `Open ${issuer}/playground` : `Latchkey serves ${issuer}`);
  const { username, password } = demoAccount;
  if (demo && seed_file === undefined) say(`Sign in as ${username} with the password ${password}.`);
  if (process.stdout.isTTY) say('Press Ctrl-C to stop.');
}

/** One of several processes that share the port; the first of them prepared the database and passes on the order to stop. */
async function runWorker(config: Config, log: Logger): Promise<boolean> {
  const ending = awaitEnding(log, ['SIGTERM'], config.drain_delay, awaitOrder());
  const database = openDatabase(workerDatabase(process.env), Math.max(2, Math.floor(48 / config.workers)));
  const server = await serve({ config, log, database, stopping: ending.signal }, borrowHashingSlots());
  const { wanted } = await ending.reached;
  await server.drain();
  await database.end();
  return wanted;
}

type Prepared = Pick<Deps, 'config' | 'log' | 'database' | 'stopping'>;

async function serve(prepared: Prepared, queue: HashingQueue): Promise<HttpServer> {
  const { config, database } = prepared;
  const sessionSecrets = config.session_secret ?? [await findOrIssueSessionSecret(database)];
  const deps = { ...prepared, sessionSecrets, passwords: createPasswords(queue) };
  if (config.demo) await registerPlayground(deps);
  return serveHttp(deps, createApp(deps));
}

async function main(): Promise<boolean> {
  const config = loadConfig(process.env);
  const log = createLog(config.log_level);
  return cluster.isPrimary ? runServer(config, log) : runWorker(config, log);
}

main().then(
  (wanted) => process.exit(wanted ? 0 : 1),
  (error: Error) => {
    const heading = error instanceof ConfigError ? 'The environment is not right:\n' : '';
    process.stderr.write(`${heading}${error.message || error}\n`);
    process.exit(1);
  },
);
