declare const verified: unique symbol;

/** A redirection URI that was compared with the registered ones. The only thing this server redirects a client's user to. */
export type VerifiedRedirectUri = string & { readonly [verified]: true };

export const redirectUriMaxLength = 2000;

/**
 * Compares the raw strings: two URIs that a parser makes equal are still two URIs [9700 §2.1].
 * A request may leave it out when exactly one is registered [6749 §3.1.2.3].
 */
export function verifyRedirectUri(
  registered: readonly string[],
  requested: string | undefined,
): VerifiedRedirectUri | undefined {
  const match =
    requested === undefined
      ? registered.length === 1 && registered[0]
      : registered.some((uri) => uri === requested || isSameLoopbackUri(uri, requested)) && requested;
  return match ? (match as VerifiedRedirectUri) : undefined;
}

/** Loopback literals only, never the name localhost, which a resolver may send elsewhere [8252 §7.3, §8.3]. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::([1-9][0-9]{0,4}))?($|\/.*$)/;

/** A native application learns its port at run time, so on a loopback address any port will do; nothing else may differ. */
function isSameLoopbackUri(registered: string, requested: string): boolean {
  const [, host, , rest] = loopback.exec(registered) ?? [];
  const [, requestedHost, port, requestedRest] = loopback.exec(requested) ?? [];
  return host !== undefined && host === requestedHost && rest === requestedRest && Number(port ?? 80) <= 65535;
}

/** Adds parameters to a redirection URI, whose own query stays as it was registered [6749 §3.1.2]. */
export function redirectionTo(uri: VerifiedRedirectUri, parameters: Record<string, string | undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return uri + (uri.includes('?') ? '&' : '?') + pairs.join('&');
}
