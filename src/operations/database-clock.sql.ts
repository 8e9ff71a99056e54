import { type Database, row, sql } from '../postgres/database.ts';

/** Seconds by which a clock may be corrected without being suspected. */
const tolerance = 30;

/**
 * A statement that looks at the clock. An hour is longer than the validity of any proof that a client has used, so a clock that is wrong
 * for less ends none of them early.
 */
const lookStatement = sql(
  'look_at_clock',
  `update database_clock
   set looked_at = now(),
     steady_since = case
       when looked_at is null then steady_since
       when now() between looked_at - make_interval(secs => ${tolerance}) and looked_at + make_interval(secs => $1) then steady_since
       else now() end
   returning steady_since <= now() - interval '1 hour' as is_steady,
     extract(epoch from now())::double precision as seconds`,
);

export interface ClockLook {
  /** whether the clock of the database has been for an hour where each look expected it */
  is_steady: boolean;
  /** the time of the clock, in seconds since 1970 */
  seconds: number;
}

/** Looks at the clock. `elapsed`: the seconds since this process looked before; other instances may have looked since. */
export async function lookAtClock(database: Database, elapsed: number): Promise<ClockLook> {
  const look = await row<ClockLook>(database, lookStatement, [elapsed + tolerance]);
  return look ?? { is_steady: false, seconds: 0 };
}
