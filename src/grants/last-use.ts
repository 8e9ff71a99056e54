import type { Deps } from '../deps.ts';
import { noteGrantUse } from '../store/last-use.ts';

/** No answer fails because a use of its grant could not be noted: the next one is. */
export async function noteUse({ database }: Deps, stale_grant_id: string | null): Promise<void> {
  if (stale_grant_id !== null) await noteGrantUse(database, stale_grant_id).catch(() => {});
}
