/** The host of a redirection URI; undefined for a private-use scheme, which opens an app on the device [8252 §7.1]. */
export function redirectHost(redirect_uri: string): string | undefined {
  return /^https?:\/\/([^/?]+)/.exec(redirect_uri)?.[1];
}
