import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import type { Database } from '../../src/postgres/database.ts';
import { findMajorVersion, runOn, withDatabase } from './server-for-tests.ts';

/** A fresh, migrated database for this test file; gone when the file is done. */
export async function createDatabase({ migrated = true } = {}): Promise<string> {
  const server = process.env['LATCHKEY_TEST_SERVER'];
  const template = process.env['LATCHKEY_TEST_TEMPLATE'];
  if (!server || !template) throw new Error('run tests by: npm test, or: npx tsx test/run.ts test/….test.ts');
  const name = `latchkey_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name} ${migrated ? template : 'template template0'}`);
  after(() => runOn(server, `drop database if exists ${name} with (force)`));
  return withDatabase(server, name);
}

/** A database that Latchkey refuses, at the server of the tests: its encoding is LATIN1. */
export async function createLatinDatabase(): Promise<string> {
  const server = process.env['LATCHKEY_TEST_SERVER'] ?? '';
  const name = `latchkey_latin_${randomBytes(6).toString('hex')}`;
  // the embedded server has a provider that knows UTF-8 only, and Postgres 14 knows no providers
  const provider = (await findMajorVersion(server)) < 15 ? '' : 'locale_provider libc';
  await runOn(server, `create database ${name} encoding 'LATIN1' locale 'C' ${provider} template template0`);
  after(() => runOn(server, `drop database if exists ${name} with (force)`));
  return withDatabase(server, name);
}

/** Closes every connection of the pool, also those that were killed and have not told so yet. */
export async function replaceConnections(database: Database): Promise<void> {
  const clients = await Promise.all(Array.from({ length: database.totalCount }, () => database.connect()));
  for (const client of clients) client.release(true);
}
