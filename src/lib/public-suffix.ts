import { atFirstUse } from './at-first-use.ts';

const list = atFirstUse<typeof import('tldts')>('tldts');

/**
 * Says why a domain cannot be the site of a client; undefined if it can. Below a public suffix, such as co.uk or github.io, anybody
 * can have a name, so a client with that site could stand for the sites of strangers.
 */
export function publicSuffixProblem(domain: string): string | undefined {
  // a longer text is not a domain, as the rules of a registration say
  if (
    domain.length > 253 ||
    domain === 'localhost' ||
    list().getPublicSuffix(domain, { allowPrivateDomains: true }) !== domain
  )
    return undefined;
  return `site_domain '${domain}' is a public suffix, below which anybody can have a name: use your own name below it`;
}

/** Returns the domain that somebody has registered, or got from a provider such as github.io: all hosts below it are one site. */
export function registrableDomain(host: string): string {
  return list().getDomain(host, { allowPrivateDomains: true }) ?? host;
}
