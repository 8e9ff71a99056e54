import type { Config } from '../../config/config.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { maxResources, resourceMaxLength, resourceSyntax, spellingsOf, thisServer } from '../../lib/resource.ts';

type Sent = Parameters[string] | undefined;

/** The values of `resource`, once each: the only parameter that may be repeated [8707 §2]. */
export function readResources({ issuer }: Config, sent: Sent, target?: RefusalTarget): string[] {
  const named = [...new Set([sent ?? []].flat())];
  const refuse = (problem: string) => new OAuthError('invalid_target', `resource ${problem}`, target && { target });
  if (named.length > maxResources) throw refuse(`has more than ${maxResources} values`);
  if (!named.every((one) => one.length <= resourceMaxLength && resourceSyntax.test(one)))
    throw refuse('is not an absolute URI without a fragment, or is too long');
  return named.map((one) => (spellingsOf(one).includes(issuer) ? thisServer : one));
}

/** The resource of a token request; a token is for one resource, so that no other server can use it there. */
export function readResource(config: Config, sent: Sent): string | undefined {
  const [resource, ...others] = readResources(config, sent);
  if (others.length === 0) return resource;
  throw new OAuthError('invalid_target', 'resource has more than one value: a token is for one resource');
}
