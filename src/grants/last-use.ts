import type { Deps } from '../deps.ts';
import { touchGrant } from '../store/grants.ts';

/**
 * Notes that a grant was used, where that is due. No answer waits for it: a client that gives up waiting would repeat a code that is
 * spent. A failure is ignored, and the next use of the grant tries again.
 */
export function noteLastUse({ database }: Deps, grant_to_touch: string | null): void {
  if (grant_to_touch !== null) touchGrant(database, grant_to_touch).catch(() => {});
}
