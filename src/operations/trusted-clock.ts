import type { Deps } from '../deps.ts';
import { lookAtClock } from './database-clock.sql.ts';

/** Seconds that a restart may take before the first look of a process counts as one after a pause. */
const restartSeconds = 300;
/** Seconds by which the clocks of the database and of this machine may differ. */
const maxDifference = 3600;

/**
 * Whether the clock of the database can be trusted with what cannot be undone. What is deleted because of its age would be
 * gone after one minute in which the clock was a year ahead, and proofs that were used once could be used again. So the clock
 * must have been steady for an hour, and agree with that of this machine.
 */
export function watchClock({ database, log }: Pick<Deps, 'database' | 'log'>): () => Promise<boolean> {
  let lookedAt: number | undefined;
  let wasTrusted = true;
  return async () => {
    // not Date.now(), which jumps with the clock of the database if both are on one machine
    const now = performance.now();
    const elapsed = lookedAt === undefined ? restartSeconds : (now - lookedAt) / 1000;
    const { is_steady, seconds } = await lookAtClock(database, elapsed);
    lookedAt = now;
    const difference = Math.round(seconds - Date.now() / 1000);
    const isTrusted = is_steady && Math.abs(difference) <= maxDifference;
    if (wasTrusted && !isTrusted) log.warn({ difference }, distrust);
    wasTrusted = isTrusted;
    return isTrusted;
  };
}

const distrust =
  'the clock of the database has jumped in the last hour, or was not looked at for minutes, or differs from the clock of this ' +
  'machine by more than an hour (difference, in seconds): nothing is deleted because of its age until it has been right for an hour';
