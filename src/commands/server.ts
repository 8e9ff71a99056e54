import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { applySeed } from '../postgres/migrations.ts';
import { listPending, migrateDatabase } from '../process/database.ts';
import { command } from './command.ts';
import { migrationNote, withDatabaseServer, withSchema } from './connect.ts';

export const start = command({
  name: 'start',
  summary: 'Run the server.',
  options: {},
  async run() {
    await import('../main.ts');
    return undefined;
  },
});

export const migrate = command({
  name: 'migrate',
  summary: 'Apply pending migrations.',
  options: { plan: { type: 'boolean', help: 'list pending migrations, apply nothing' } },
  async run({ options, config }) {
    const settings = config();
    if (options.plan) return list('pending', await plan(settings));
    const applied = await withDatabaseServer(settings, ({ address }) => migrateDatabase(address, () => {}));
    return list('applied', applied);
  },
});

/** Does not create the embedded database if it does not exist. */
function plan(config: Config): Promise<string[]> {
  const exists = config.database_url !== undefined || existsSync(join(config.data_dir, 'postgres', 'data'));
  return exists ? withDatabaseServer(config, ({ address }) => listPending(address)) : listPending();
}

function list(state: 'pending' | 'applied', names: string[]) {
  const text = names.length > 0 ? names.map((name) => `${state}: ${name}`).join('\n') : 'The database is up to date.';
  return { text, json: { [state]: names } };
}

export const seed = command({
  name: 'seed',
  takes: ['FILE'],
  summary: 'Run an SQL file in one transaction.',
  details: `migrations/seeds/demo.sql is an example; register_user and register_client are safe to repeat.\n${migrationNote}`,
  options: {},
  async run({ args: [file = ''], config }) {
    await withSchema(config(), (_database, { address }) => applySeed(address, file));
    return { text: `Applied ${file}.`, json: { applied: file } };
  },
});
