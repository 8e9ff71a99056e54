import type { Trace } from '../../audit/audit.sql.ts';
import type { Deps } from '../../deps.ts';
import type { RefusalTarget } from '../../lib/errors.ts';
import type { AnswerToClient } from '../../lib/redirect-uri.ts';
import { sign } from '../token/signing-keys.ts';

/** Seconds for which a signed answer is valid; JARM §2.1 recommends ten minutes at most. */
const lifetime = 300;

/**
 * What the client receives: the parameters of the answer, the state, and `iss` against mix-up attacks [9207 §2]. If it asked
 * for a signed answer, all of that as one JWT that names it [JARM §2.1].
 */
export async function writeAnswer(
  deps: Deps,
  { client_id, state, issuer, response_mode }: RefusalTarget,
  parameters: AnswerToClient,
  trace: Trace,
): Promise<AnswerToClient> {
  const answer = { ...parameters, state, iss: issuer };
  if (!response_mode.endsWith('.jwt')) return answer;
  const exp = Math.floor(Date.now() / 1000) + lifetime;
  // JARM defines no type of its own, and some libraries accept no other than this one
  return { response: await sign(deps, { ...answer, aud: client_id, exp }, 'JWT', trace) };
}
