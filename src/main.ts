import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createApp } from './app.ts';
import { type Boot, bootDatabase, prepareDatabase } from './boot.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { registerPlayground } from './endpoints/pages/playground/client.ts';
import { createLog, createSay } from './log.ts';
import { findOrIssueSessionSecret } from './store/settings.ts';

const log = createLog(process.env['LOG_LEVEL'] ?? 'info');
const say = createSay(log);

/** Everything that must be true before the first request is let in; then serve until told to stop. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const told = signalled();
  const boot = await bootDatabase(config, say);
  try {
    const deps = await prepare(config, boot);
    const server = createHttpServer(config, createApp(deps));
    await listen(server, config);
    say(config.demo ? `Open ${config.issuer}/playground` : `Latchkey serves ${config.issuer}`);
    const reason = await Promise.race([told, boot.lost]);
    say(reason);
    await drain(server);
    if (reason !== stopping) process.exitCode = 1;
  } finally {
    await boot.close();
  }
}

async function prepare(config: Config, { address, database }: Boot): Promise<Deps> {
  await prepareDatabase(config, address, say);
  const sessionSecrets = config.session_secret ?? [await findOrIssueSessionSecret(database)];
  const deps = { config, database, log, sessionSecrets };
  if (config.demo) await registerPlayground(deps);
  return deps;
}

/** Only the suites of RFC 9325; slow requests are cut off, so that a socket cannot be held for nothing. */
function createHttpServer(config: Config, app: ReturnType<typeof createApp>): Server {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 2000,
  };
  if (!config.tls) return createServer(options, app);
  const [cert, key] = [config.tls.cert, config.tls.key].map((path) => readFileSync(path));
  const ciphers = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']
    .flatMap((suite) => [`ECDHE-ECDSA-${suite}`, `ECDHE-RSA-${suite}`])
    .join(':');
  return createTlsServer({ ...options, cert, key, ciphers, honorCipherOrder: true, minVersion: 'TLSv1.2' }, app);
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice =
        error.code === 'EADDRINUSE' ? 'is in use; stop what uses it or set PORT' : `cannot be used: ${error.message}`;
      reject(new Error(`PORT ${port} on HOST ${host} ${advice}`));
    });
    server.listen(port, host, resolve);
  });
}

const stopping = 'Stopping.';

/** The first signal asks to stop, the second insists. */
function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve(stopping);
        process.once(signal, () => process.exit(130));
      });
    }
  });
}

/** What was accepted is finished; idle connections are told to go, stuck ones are cut at the deadline. */
async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), 8000);
  await closed;
  clearTimeout(deadline);
}

main().catch((error: unknown) => {
  const message =
    error instanceof ConfigError ? `The environment is not right:\n${error.message}` : String((error as Error).message);
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
