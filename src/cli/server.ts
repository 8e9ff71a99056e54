import { describeFiles, migrateDatabase, type PlannedFile, planMigrations } from '../operations/database-server.ts';
import { growUnderLoad } from '../operations/young-generation.ts';
import { longestWait } from '../postgres/patience.ts';
import { command } from './command.ts';
import type { CommandProcess, Shell } from './shell.ts';
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
    const bar = progressBar(shell.process.stderr);
    const applied = await withDatabaseServer(
      shell,
      ({ address }) => migrateDatabase(address, () => {}, bar?.show).finally(() => bar?.clear()),
      { creates: true },
    );
    return { text: applied.length > 0 ? `Applied ${describeFiles(applied)}.` : upToDate, json: { applied } };
  },
});

/** A bar that grows on a terminal, and is gone afterwards; undefined elsewhere. */
function progressBar(terminal: CommandProcess['stderr']) {
  if (!terminal.isTTY) return undefined;
  const width = 30;
  return {
    show(done: number, all: number): void {
      const filled = Math.round((width * done) / all);
      terminal.write(`\r${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${all}`);
    },
    clear: () => void terminal.write('\r\u001b[K'),
  };
}

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
