declare const verified: unique symbol;

/** A redirection URI that equals a registered one. This server sends authorization responses to nothing else. */
export type VerifiedRedirectUri = string & { readonly [verified]: true };

export const redirectUriMaxLength = 2000;

/**
 * Compares raw strings, because URIs that differ can become equal in a parser [9700 §2.1]. A request may omit the
 * redirection URI if exactly one is registered [6749 §3.1.2.3].
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

/** Only loopback IP literals, because the name localhost may resolve to another address [8252 §7.3, §8.3]. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::([1-9][0-9]{0,4}))?($|\/.*$)/;

/** A native application gets its port at run time, so on a loopback address the port may differ, and nothing else. */
function isSameLoopbackUri(registered: string, requested: string): boolean {
  const [, host, , rest] = loopback.exec(registered) ?? [];
  const [, requestedHost, port, requestedRest] = loopback.exec(requested) ?? [];
  return host !== undefined && host === requestedHost && rest === requestedRest && Number(port ?? 80) <= 65535;
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
