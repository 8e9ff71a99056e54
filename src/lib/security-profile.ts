/** What holds for clients in addition to what each of them registered. */
interface ProfileRules {
  /** seconds that a code lives at most */
  max_code_ttl: number;
  /** whether a client that authenticates must use PKCE, too */
  always_needs_pkce: boolean;
  /** whether each authorization request must say where its answer goes, even if only one redirection URI is registered */
  always_needs_redirect_uri: boolean;
  /** whether the person is asked at every authorization request */
  asks_each_time: boolean;
  /** whether each refresh replaces the refresh token */
  rotates_refresh_tokens: boolean;
  /** whether a refresh may name scopes that the person refused: it gets the others */
  answers_wider_refresh: boolean;
  /** whether an assertion may name an address of this server as its audience, and not only the issuer */
  accepts_addresses_as_audience: boolean;
  /** whether a client may sign its assertions by RS256, if it registered itself, has a metadata document, or is registered for RS256 */
  accepts_rs256: boolean;
}

/**
 * `fapi2` is the FAPI 2.0 Security Profile. What it demands of a registration (a key instead of a secret, pushed requests,
 * bound tokens, https) is in migrations/functions/check_client_security.sql and register_client.sql.
 */
const profiles: Record<'standard' | 'fapi2', ProfileRules> = {
  standard: {
    max_code_ttl: Number.POSITIVE_INFINITY,
    always_needs_pkce: false,
    always_needs_redirect_uri: false,
    asks_each_time: false,
    rotates_refresh_tokens: true,
    answers_wider_refresh: true,
    accepts_addresses_as_audience: true,
    accepts_rs256: true,
  },
  fapi2: {
    max_code_ttl: 60,
    always_needs_pkce: true,
    always_needs_redirect_uri: true,
    asks_each_time: true,
    rotates_refresh_tokens: false,
    answers_wider_refresh: false,
    accepts_addresses_as_audience: false,
    accepts_rs256: false,
  },
};

export function rulesFor({ profile }: { profile: 'fapi2' | null }): ProfileRules {
  return profiles[profile ?? 'standard'];
}

/** FAPI 2.0 §5.3.2.1: rotation protects no client that authenticates by a key, and a lost response would cost its access. */
export const profilesThatKeepRefreshTokens = profilesWhose((rules) => !rules.rotates_refresh_tokens);
export const profilesThatRefuseWiderRefresh = profilesWhose((rules) => !rules.answers_wider_refresh);
export const profilesThatNeedPkce = profilesWhose((rules) => rules.always_needs_pkce);

function profilesWhose(condition: (rules: ProfileRules) => boolean): string[] {
  return Object.entries(profiles).flatMap(([name, rules]) => (condition(rules) ? [name] : []));
}
