import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { applySeed } from '../postgres/migrations.ts';
import { migrateDatabase, pendingMigrations } from '../process/database.ts';
import { command } from './command.ts';
import { migrationRule, withBoot, withSchema } from './connect.ts';

export const start = command({
  name: 'start',
  summary: 'Run the server until it is told to stop.',
  options: {},
  async run() {
    await import('../main.ts');
    return undefined;
  },
});

export const migrate = command({
  name: 'migrate',
  summary: 'Bring the database up to date.',
  options: { plan: { type: 'boolean', help: 'list what would be applied and change nothing' } },
  async run({ options, config }) {
    const settings = config();
    if (options.plan) return list('pending', await plan(settings));
    const applied = await withBoot(settings, ({ address }) => migrateDatabase(address, () => {}));
    return list('applied', applied);
  },
});

/** An embedded database that was never made is not made for the sake of looking into it. */
function plan(config: Config): Promise<string[]> {
  const isThere = config.database_url !== undefined || existsSync(join(config.data_dir, 'postgres', 'data'));
  return isThere ? withBoot(config, ({ address }) => pendingMigrations(address)) : pendingMigrations();
}

function list(state: 'pending' | 'applied', names: string[]) {
  const text = names.length > 0 ? names.map((name) => `${state}: ${name}`).join('\n') : 'The database is up to date.';
  return { text, json: { [state]: names } };
}

export const seed = command({
  name: 'seed',
  takes: ['FILE'],
  summary: 'Run a file of SQL, all of it or nothing.',
  details: `See migrations/seeds/demo.sql for register_user and register_client, which are safe to run again.\n${migrationRule}`,
  options: {},
  async run({ words: [file = ''], config }) {
    await withSchema(config(), (_database, { address }) => applySeed(address, file));
    return { text: `Applied ${file}.`, json: { applied: file } };
  },
});
