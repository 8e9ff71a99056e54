import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { readGithubScope, readScope, scopeProblem } from '../../lib/scope.ts';
import type { Dialect } from '../github/dialect.ts';
import type { AuthorizationRequest } from './authorization.ts';
import { readResources } from './requested-resource.ts';
import { impliedResources, requireResources } from './resources.ts';

type Requester = Pick<AuthorizationRequest, 'client' | 'target' | 'catalogue'> & { dialect: Dialect };

/**
 * Where the client wants access, and to what: the requested scopes within its registration, or all that it registered,
 * without those that none of the resources knows [8707 §2.2].
 */
export async function readRequestedAccess(
  deps: Deps,
  { resource, scope }: { resource: Parameters[string] | undefined; scope: string | undefined },
  requester: Requester,
): Promise<Pick<AuthorizationRequest, 'resources' | 'scopes'>> {
  const { client, target, dialect } = requester;
  const sent = readResources(deps.config, resource, target);
  const asked = scope === undefined ? undefined : scopesIn(requester, scope);
  const isSilent = sent.length === 0 && dialect === 'rfc' && client.token_binding !== 'mac';
  const named = isSilent && asked ? await impliedResources(deps, asked) : sent;
  const { resources, offered } = await requireResources(deps, client, named, target);
  const scopes = asked?.filter((name) => offered.includes(name)) ?? offered;
  if (scopes.length > 0) return { resources, scopes };
  throw new OAuthError('invalid_scope', 'scope names nothing that the resource knows', { target });
}

function scopesIn({ catalogue, client, target, dialect }: Requester, scope: string): string[] {
  const read = dialect === 'github' ? readGithubScope : readScope;
  const scopes = read(catalogue, scope, client.scopes);
  if (scopes) return scopes;
  throw new OAuthError('invalid_scope', scopeProblem(catalogue, scope, client.scopes), { target });
}
