import type { Deps } from '../deps.ts';
import { touchGrant } from '../store/grants.ts';

/** No answer fails because a use of its grant could not be noted: the next one is. */
export async function noteLastUse({ database }: Deps, grant_to_touch: string | null): Promise<void> {
  if (grant_to_touch !== null) await touchGrant(database, grant_to_touch).catch(() => {});
}
