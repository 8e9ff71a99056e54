import { migrateDatabase, type PlannedFile, planMigrations } from '../operations/database-server.ts';
import { growUnderLoad } from '../operations/young-generation.ts';
import { longestWait } from '../postgres/patience.ts';
import { command } from './command.ts';
import type { Shell } from './shell.ts';
import { hasDatabase, withDatabaseServer } from './with-database.ts';

const upToDate = 'The database is up to date.';

export const start = command({
  name: 'start',
  needsSchema: false,
  summary: 'Run the server.',
  async run() {
    growUnderLoad();
    await import('../server.ts');
    return undefined;
  },
});

export const migrate = command({
  name: 'migrate',
  needsSchema: false,
  summary: 'Apply pending migrations.',
  details: `The server does it at its start, too. A migration waits at most ${longestWait} ms for its locks on tables. If another transaction holds
one of them longer, it lets the requests behind it pass and tries again, for five minutes.`,
  options: { plan: { type: 'boolean', help: 'print the pending SQL and the locks that it takes, but apply nothing' } },
  async run({ options, shell }) {
    if (options.plan) return describePlan(await plan(shell));
    const applied = await withDatabaseServer(shell, ({ address }) => migrateDatabase(address, () => {}), {
      creates: true,
    });
    const text = applied.map((name) => `applied: ${name}`).join('\n');
    return { text: text || upToDate, json: { applied } };
  },
});

/** Plans the migrations; does not create the embedded database if it does not exist. */
function plan(shell: Shell): Promise<PlannedFile[]> {
  return hasDatabase(shell.config())
    ? withDatabaseServer(shell, ({ address }) => planMigrations(address))
    : planMigrations();
}

function describePlan(files: PlannedFile[]) {
  const text = files.map(({ name, locks, sql }) => {
    const list = locks.map(({ table, mode }) => `${table} ${mode}`).join(', ') || 'none on existing tables';
    return `pending: ${name}\nlocks: ${list}\n\n${sql.trimEnd().replace(/^(?=.)/gm, '    ')}\n`;
  });
  return { text: text.join('\n') || upToDate, json: { pending: files.map(({ name }) => name), files } };
}
