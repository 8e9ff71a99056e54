/** Where a redirection URI leads the person: a host, or undefined for the app on this device that claimed the scheme [8252 §7.1]. */
export function hostOf(redirect_uri: string): string | undefined {
  return /^https?:\/\/([^/?]+)/.exec(redirect_uri)?.[1];
}
