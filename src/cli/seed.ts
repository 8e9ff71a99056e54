import { basename } from 'node:path';
import { withoutSameSecrets } from '../operations/seeded-secrets.ts';
import { applySeed, rehearseSeed } from '../postgres/migrations.ts';
import { isChange, type SeedChange, type SeedResult } from '../postgres/seeds.ts';
import { OthersTurnError } from '../postgres/transaction.ts';
import { command, type Output, UsageError } from './command.ts';
import { formatCell } from './format.ts';
import type { Shell } from './shell.ts';
import { announceIn, withSchema } from './with-database.ts';

/** Seconds for which a seed waits for another process that migrates or seeds, and for locks. */
const patience = 10;

export const seed = command({
  name: 'seed',
  takes: ['FILE'],
  summary: 'Run an SQL file in one transaction.',
  details: `migrations/seeds/demo.sql is an example; register_user and register_client are safe to repeat. With any problem nothing is applied.
A seed is known by the name of its file. --prune disables the clients, people, providers, resources, claims and choices that it registered in an earlier run and
no longer names; it deletes nothing, and other rows stay. A run that names them again enables them.`,
  options: {
    plan: { type: 'boolean', help: 'print what would change, but change nothing' },
    prune: { type: 'boolean', help: 'disable what the file no longer contains' },
    expect: { type: 'string', value: 'DIGEST', help: 'only if the changes are those of the plan with this digest' },
    force: {
      type: 'boolean',
      help: 'with --prune: even if this disables everything, or more than half of more than ten',
    },
  },
  async run({ args: [file = ''], options, isJson, shell }) {
    if (options.force && !options.prune) throw new UsageError('seed: --force belongs to --prune');
    const config = shell.config();
    const prune = options.force ? ('forced' as const) : options.prune;
    const result = await withSchema(
      shell,
      async (database, { address }) => {
        const withoutSame = withoutSameSecrets(config, database);
        const run = { passwords: config.passwords, withoutSame, prune, expect: options.expect };
        const waiting = { patience, announce: announceIn(shell) };
        const running = options.plan
          ? rehearseSeed(address, file, run)
          : applySeed(address, file, { ...run, ...waiting });
        const { left, ...result } = await running.catch((error) => explain(error, file));
        return { ...result, left: left.filter(({ kind }) => options.prune || kind !== 'scope') };
      },
      { creates: !options.plan },
    );
    if (options.plan) return planned(result, isJson ? shell : undefined);
    const changes = result.changes.filter(isChange).map(shownChange);
    return { text: [...linesOf(result), `Applied ${file}.`].join('\n'), json: { applied: file, changes } };
  },
});

function explain(error: unknown, file: string): never {
  if (!(error instanceof OthersTurnError)) throw error;
  throw new Error(`${basename(file)} was not run, because ${error.message}: try again when it has finished.`);
}

/** Prints a plan, a list of what changes; what it takes over without a change, and what stays, is said beside it. */
function planned(result: SeedResult, withJson: Shell | undefined): Output {
  const changes = result.changes.filter(isChange);
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  const deleted = count('delete') > 0 ? `, ${count('delete')} to delete` : '';
  const counts = `${count('create')} to create, ${count('update')} to update, ${count('disable')} to disable${deleted}`;
  const digest = `Plan ${result.digest}: with --expect ${result.digest}, a run changes this or nothing.`;
  if (withJson) for (const line of notesOf(result)) announceIn(withJson)(line);
  const text = [...linesOf(result), digest, `${counts}. Nothing was changed.`].join('\n');
  return { text, json: changes.map(shownChange) };
}

function shownChange({ action, kind, id, changes, drift, adopted }: SeedChange) {
  return { action, kind, id, changes, ...(drift.length > 0 ? { drift } : {}), ...(adopted ? { adopted } : {}) };
}

function linesOf(result: SeedResult): string[] {
  const lines = result.changes.filter(isChange).map(({ action, kind, id, changes, drift }) => {
    const values = Object.entries(changes).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    const since = drift.length > 0 ? ` (changed by others since the last run: ${drift.join(', ')})` : '';
    return formatCell(`${action} ${kind} ${id}: ${values.join(', ')}${since}`);
  });
  return [...lines, ...notesOf(result)];
}

function notesOf({ changes, left, asked }: SeedResult): string[] {
  return [
    ...changes
      .filter(({ adopted }) => adopted)
      .map(({ kind, id }) => `take over ${kind} ${id}: it did not come from this seed`),
    ...Object.entries(asked).map(
      ([scope, number]) =>
        `ask again for scope ${scope}: what people have allowed of it ends in ${number} ${number === 1 ? 'grant' : 'grants'}`,
    ),
    ...left.map(({ kind, id }) =>
      kind === 'scope'
        ? `leave scope ${id}: the file no longer names it, and a scope cannot be disabled. Once nothing uses it, latchkey scope delete ${id} deletes it`
        : `leave ${kind} ${id}: the file no longer names it; --prune disables it`,
    ),
  ].map(formatCell);
}
