import type { Deps } from '../deps.ts';
import { touchGrant } from '../store/grants.ts';

/** Notes that a grant was used, where that is due. A failure is ignored: the next use of the grant tries again. */
export async function noteLastUse({ database }: Deps, grant_to_touch: string | null): Promise<void> {
  if (grant_to_touch !== null) await touchGrant(database, grant_to_touch).catch(() => {});
}
