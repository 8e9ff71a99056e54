import pg from 'pg';
import { isUnavailable, UnsuitableServerError } from './database-errors.ts';

// When a standby is promoted, it begins a new timeline. If the old primary comes back and accepts writes, it still has the
// earlier timeline: what is written there will be thrown away. So whoever has seen a later timeline writes no more to it.

export interface ServerState {
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  /** the cluster that this server and its standbys belong to; null for a standby, and where the role may not ask */
  readonly system: string | null;
  readonly timeline: number | null;
}

const role = `pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::boolean as is_read_only`;
// The control file learns of a new timeline at the next checkpoint, which may be minutes later; the name of the file that is
// being written has it at once. Any role may call these functions, unless somebody has revoked that.
const place = `
  select ${role}, system_identifier::text as system,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
  from pg_control_system()
  where not pg_is_in_recovery()`;

export async function findServerState(client: pg.ClientBase): Promise<ServerState> {
  const { rows } = await client.query<ServerState>(place).catch((error) => {
    if (error instanceof pg.DatabaseError && !isUnavailable(error)) return { rows: [] };
    throw error;
  });
  if (rows[0]) return rows[0];
  const [state] = (await client.query(`select ${role}`)).rows;
  return { ...state, system: null, timeline: null };
}

/** Remembers the latest timeline that this process has seen, and which connections lead to it. */
export interface History {
  isReplaced(state: ServerState): boolean;
  /**
   * Ends the connections to servers that this one has replaced, also in the middle of a statement: its answer is worth nothing.
   * Never goes back to an earlier timeline.
   */
  advance(state: ServerState): void;
  add(client: pg.ClientBase, state: ServerState): void;
  latest(): ServerState | undefined;
  /** when another server took the place of the latest one, by performance.now() */
  changedAt(): number;
}

export function createHistory(): History {
  let latest: ServerState | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  const left = new Set<string | null>();
  const open = new Map<pg.ClientBase, ServerState>();

  function isReplaced({ system, timeline }: ServerState): boolean {
    if (latest === undefined || timeline === null) return false;
    return system === latest.system ? timeline < (latest.timeline ?? 0) : left.has(system);
  }

  function advance(state: ServerState): void {
    if (state.timeline === null || isReplaced(state)) return;
    // another cluster is no later state of this one, but an operator may move to it; there is no way back, either
    if (latest && latest.system !== state.system) left.add(latest.system);
    if (latest && (latest.system !== state.system || latest.timeline !== state.timeline)) changedAt = performance.now();
    latest = state;
    for (const [client, known] of open) {
      if (isReplaced(known))
        client.emit('error', new UnsuitableServerError('another database server has replaced this one'));
    }
  }

  function add(client: pg.ClientBase, state: ServerState): void {
    open.set(client, state);
    client.once('end', () => open.delete(client));
  }

  return { isReplaced, advance, add, latest: () => latest, changedAt: () => changedAt };
}
