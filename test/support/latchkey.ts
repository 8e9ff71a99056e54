import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { registerClient } from '../../src/clients/client-registration.sql.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Deps } from '../../src/deps.ts';
import { createExamination } from '../../src/doctor/doctor.ts';
import { createHashingQueue } from '../../src/identity/hashing-queue.ts';
import { createPasswords } from '../../src/identity/password-hashing.ts';
import type { Profile } from '../../src/lib/profile.ts';
import { createLogTo } from '../../src/operations/log.ts';
import { startMetrics } from '../../src/operations/monitoring/metrics.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { createDatabase } from './database.ts';

/** The product on a database of its own, listening on a port of its own. */
export interface Latchkey {
  readonly origin: string;
  readonly deps: Deps;
  readonly database: Database;
  /** every line it logged */
  readonly logged: string[];
}

/**
 * Further instances may share the database of a first one. An ISSUER that begins with a slash is a path of this server, and port 0 in it
 * is the port that it listens on.
 */
export async function startLatchkey(
  env: Record<string, string> = {},
  sharedUrl?: string,
  cost = 4,
): Promise<Latchkey & { url: string }> {
  const url = sharedUrl ?? (await createDatabase());
  // not the five seconds that are Node's default: the connection could be closed under the next request of a test
  const server = createServer({ keepAliveTimeout: 65_000 }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ISSUER = new URL(env['ISSUER'] ?? '', origin).href
    .replace(/:0(?=\/)/, `:${new URL(origin).port}`)
    .replace(/\/$/, '');
  const config = loadConfig({ DATABASE_URL: url, PORT: new URL(origin).port, ...env, ISSUER });
  const database = openPatiently(url);
  const logged: string[] = [];
  const log = createLogTo({ write: (line: string) => void logged.push(line) }, 'debug');
  const sessionSecrets = config.session_secret ?? ['test-secret-test-secret-test-secret'];
  // the cost of the hash of `alice`: a sign-in takes no quarter of a second here
  const hashingQueue = createHashingQueue();
  const passwords = createPasswords(hashingQueue, cost);
  const metrics = await startMetrics(config, { database, hashingQueue });
  const examine = createExamination(env, { config, database, sessionSecrets, address: { connectionString: url } });
  const stopping = new AbortController().signal;
  const deps = { config, database, log, sessionSecrets, stopping, passwords, metrics, examine };
  server.on('request', createApp(deps));
  after(async () => {
    server.close();
    server.closeAllConnections();
    await database.end();
  });
  return { origin, deps, database, logged, url };
}

/**
 * Opens a pool without the product's limit of two seconds for a connection: fifty that are opened at once take longer on a busy
 * machine.
 */
function openPatiently(connectionString: string): Database {
  const database = openDatabase({ connectionString }, 50);
  Object.assign(database.options, { connectionTimeoutMillis: 60_000, query_timeout: 600_000 });
  return database;
}

/** `alice`, whose bcrypt hash is cheap so that the suite is fast; and one confidential and one public application. */
/** Waits for the writes for which no answer has waited. */
export async function settle({ database }: Pick<Latchkey, 'database'>): Promise<void> {
  do await setImmediate();
  while (database.waitingCount > 0 || database.idleCount < database.totalCount);
}

export const password = 'wonderland';
export const cheapHash = '$2b$04$egjOucnIr8Rof0KLj4JhauniB0pJYD4NJJXf3CKkAocE0nzl89CcS';

export const printer = {
  client_id: 'photo-printer',
  client_secret: 'a-secret-that-a-machine-has-made-0123456789',
  name: 'Photo Printer',
  site_domain: 'printer.example',
  redirect_uri: 'https://printer.example/callback',
};

export async function registerPeople(database: Database, names: string[] = ['alice']): Promise<void> {
  for (const name of names) {
    const email = `${name}@example.com`;
    await registerUser(database, { username: name, password: cheapHash, email, name: `${name} Liddell` });
  }
}

/** Throws an error whose message names every problem of the values. */
export async function registerUser(
  database: Database,
  user: Record<'username' | 'password', string> & Partial<Profile>,
) {
  const parameters = Object.keys(user).map((name, index) => `${name} => $${index + 1}`);
  await database.query(`select register_user(${parameters.join(', ')})`, Object.values(user));
}

export async function registerPrinter(database: Database, changes: Partial<Parameters<typeof registerClient>[1]> = {}) {
  await registerClient(database, {
    ...printer,
    redirect_uris: [printer.redirect_uri],
    scopes: ['user', 'user:write', 'repo'],
    required_scopes: [],
    ...changes,
  });
}

/** A resource of another server, see migrations/functions/register_resource.sql. */
export async function registerResource(
  database: Database,
  resource: string,
  scopes: string[],
  client_id?: string,
): Promise<void> {
  await database.query('select register_resource(resource => $1, scopes => $2, client_id => $3)', [
    resource,
    scopes,
    client_id,
  ]);
}

/** A resource whose server verifies tokens by itself. */
export async function registerJwtResource(database: Database, resource: string, scopes: string[]): Promise<void> {
  const registration = `select register_resource(resource => $1, scopes => $2, token_format => 'jwt')`;
  await database.query(registration, [resource, scopes]);
}

/** Starts a server at which alice and the photo printer are registered. */
export async function startWithPrinter(env: Record<string, string> = {}): Promise<Latchkey & { url: string }> {
  const latchkey = await startLatchkey(env);
  await registerPeople(latchkey.database);
  await registerPrinter(latchkey.database);
  return latchkey;
}
