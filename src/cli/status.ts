import { listSigningKeys } from '../oauth/token/signing-keys.sql.ts';
import { describeKeys } from '../oauth/token/signing-keys.ts';
import { listCounts, listInstances, periods } from '../operations/counts.sql.ts';
import { findLastMigration, findStoredState } from '../operations/monitoring.sql.ts';
import { readVersion } from '../operations/version.ts';
import { command, UsageError } from './command.ts';
import { formatFields, formatTable } from './format.ts';
import { withSchema } from './with-database.ts';

export const status = command({
  name: 'status',
  summary: 'Show the running processes, the last migration, the signing keys, and the emails waiting.',
  details: 'Mistakes are found by latchkey doctor.',
  async run({ shell }) {
    const found = await withSchema(shell, async (database) => {
      const [instances, migration, keys, state] = [
        await listInstances(database),
        await findLastMigration(database),
        describeKeys(await listSigningKeys(database)),
        await findStoredState(database),
      ];
      return { version: readVersion(), migration, mails_waiting: state?.mails_waiting ?? 0, instances, keys };
    });
    const instances = found.instances.map(({ host, pid, version, started_at }) => {
      return `${host} ${pid} ${version} since ${started_at.toISOString()}`;
    });
    const keys = found.keys.map(({ kid, state }) => `${kid} ${state}`);
    return { text: formatFields({ ...found, instances, keys }), json: found };
  },
});

const isPeriod = (name: string): name is keyof typeof periods => Object.hasOwn(periods, name);

export const counts = command({
  name: 'counts',
  summary: 'Show the counts of all processes: sign-ins, tokens, refusals by reason, response times.',
  details:
    'An hour is shown in steps of two minutes, a day in steps of an hour, a week in steps of six hours, a month in steps of a day; the last step is incomplete.',
  options: {
    period: { type: 'string', value: 'hour|day|week|month', help: 'the last hour (default), day, week or month' },
  },
  async run({ options: { period = 'hour' }, shell }) {
    if (!isPeriod(period)) throw new UsageError('counts: --period is hour, day, week or month');
    const found = await withSchema(shell, (database) => listCounts(database, periods[period]));
    const totals = new Map<string, number>();
    for (const { name, total } of found.counts) totals.set(name, (totals.get(name) ?? 0) + total);
    const rows = [...totals]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, total]) => ({ name, total }));
    return { text: formatTable(rows, 'Nothing was counted.'), json: { ...periods[period], ...found } };
  },
});
