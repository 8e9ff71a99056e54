import { type Database, rows, sql } from '../postgres/database.ts';

// What all instances have counted, for the charts of administrators: by the minute for a day, then by the hour for a month. So the
// number of rows does not grow with the traffic.

/** A process that serves requests. */
export interface Instance {
  host: string;
  pid: number;
  version: string;
  started_at: Date;
}

// the rows are locked in the order of the names, so that one of two instances that add at the same moment waits for
// the other, and never both
const addStatement = sql(
  'add_counts',
  `with seen as (
     insert into instances (host, pid, version, started_at)
     values ($3, $4, $5, $6)
     on conflict on constraint instances_pkey do update
     set version = excluded.version, started_at = excluded.started_at, seen_at = now()
   )
   insert into counts (seconds, begins_at, name, total)
   select 60, date_trunc('minute', now()), name, total
   from unnest($1::text[], $2::double precision[]) counted (name, total)
   order by name
   on conflict on constraint counts_pkey do update
   set total = counts.total + excluded.total`,
);

/** Adds what a process has counted since it added last, and says that the process is there. */
export async function addCounts(
  database: Database,
  counted: ReadonlyMap<string, number>,
  { host, pid, version, started_at }: Instance,
): Promise<void> {
  await rows(database, addStatement, [[...counted.keys()], [...counted.values()], host, pid, version, started_at]);
}

/** The periods of the charts: how many steps, and the seconds of each. */
export const periods = {
  hour: { steps: 30, seconds: 120 },
  day: { steps: 24, seconds: 3600 },
  week: { steps: 28, seconds: 21_600 },
  month: { steps: 30, seconds: 86_400 },
} as const;

export interface Count {
  name: string;
  /** number of the step within the period, from 0 */
  step: number;
  total: number;
}

const listStatement = sql(
  'list_counts',
  `select from_time as begins_at, name, floor(extract(epoch from counts.begins_at - from_time) / $2)::integer as step, sum(total) as total
   from (
     select date_bin(make_interval(secs => $2), now(), to_timestamp(0)) - make_interval(secs => $2 * ($1 - 1)) as from_time) shown
   left join counts
     on seconds in (60, 3600)
     and counts.begins_at >= from_time
     and counts.begins_at <= now()
   group by from_time, name, step`,
);

/** Lists the counts of a number of steps up to now, the last of which has only begun; and when the first step begins. */
export async function listCounts(
  database: Database,
  { steps, seconds }: { steps: number; seconds: number },
): Promise<{ begins_at: Date; counts: Count[] }> {
  const found = await rows<Count & { begins_at: Date }>(database, listStatement, [steps, seconds]);
  const [first] = found;
  return { begins_at: first?.begins_at ?? new Date(0), counts: found.filter(({ name }) => name !== null) };
}

const listInstancesStatement = sql(
  'list_instances',
  `select host, pid, version, started_at
   from instances
   where seen_at > now() - interval '1 minute'
   order by host, pid
   limit 200`,
);

/** Lists the instances that have added counts within the last minute. */
export function listInstances(database: Database): Promise<Instance[]> {
  return rows<Instance>(database, listInstancesStatement);
}
