/** Returns the host of a redirection URI; undefined for a private-use scheme, which opens an app on the device [8252 §7.1]. */
export function redirectHost(redirect_uri: string): string | undefined {
  return /^https?:\/\/([^/?]+)/.exec(redirect_uri)?.[1];
}

/** Returns the host of a redirection URI if it is on the network; behind a loopback address is an app on the device [8252 §7.3]. */
export function remoteHost(redirect_uri: string): string | undefined {
  const host = redirectHost(redirect_uri);
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host) ? undefined : host;
}
