declare const verified: unique symbol;

/** A redirection URI that equals a registered one. This server sends authorization responses to nothing else. */
export type VerifiedRedirectUri = string & { readonly [verified]: true };

export const redirectUriMaxLength = 2000;

/** Which hosts name this device, so that the port of a redirection URI may differ. */
export type LoopbackHosts = 'literals' | 'literals and localhost';

/**
 * Compares raw strings, because URIs that differ can become equal in a parser [9700 §2.1]. A request may omit the
 * redirection URI if exactly one is registered [6749 §3.1.2.3].
 */
export function verifyRedirectUri(
  registered: readonly string[],
  requested: string | undefined,
  loopbackHosts: LoopbackHosts,
): VerifiedRedirectUri | undefined {
  const isSame = (uri: string) => uri === requested || isSameLoopbackUri(uri, requested ?? '', loopbackHosts);
  const match =
    requested === undefined ? registered.length === 1 && registered[0] : registered.some(isSame) && requested;
  return match ? (match as VerifiedRedirectUri) : undefined;
}

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9][0-9]{0,4}))?($|\/.*$)/;

/**
 * Whether only the port differs. A native application gets its port at run time, so on a loopback address the port may differ, and
 * nothing else [8252 §7.3]. The name localhost may resolve to another address [8252 §8.3], so it is not taken for one where the answer
 * is worth more than PKCE.
 */
function isSameLoopbackUri(registered: string, requested: string, loopbackHosts: LoopbackHosts): boolean {
  const [, host, , rest] = loopback.exec(registered) ?? [];
  const [, requestedHost, port, requestedRest] = loopback.exec(requested) ?? [];
  if (host === undefined || (host === 'localhost' && loopbackHosts === 'literals')) return false;
  return host === requestedHost && rest === requestedRest && Number(port ?? 80) <= 65535;
}

/** The parameters of an answer to an authorization request. */
export type AnswerToClient = Record<string, string | undefined>;

/** Adds parameters to a redirection URI and retains its query [6749 §3.1.2]. */
export function redirectionTo(uri: VerifiedRedirectUri, parameters: AnswerToClient): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return uri + (uri.includes('?') ? '&' : '?') + pairs.join('&');
}
