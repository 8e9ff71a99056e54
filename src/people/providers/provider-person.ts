/** Who somebody is at a provider, and what that says about the person. */
export interface ProviderPerson {
  issuer: string;
  subject: string;
  /** undefined at GitHub, which ends no session elsewhere */
  at_provider: SessionAtProvider | undefined;
  auth_time: Date | undefined;
  /** how the person has signed in at the provider */
  acr?: string | undefined;
  amr?: readonly string[] | undefined;
  username: string | undefined;
  name: string | undefined;
  email: string | undefined;
  email_verified: boolean;
}

/** The sign-in there, as the provider names it when it ends it. */
export interface SessionAtProvider {
  sub: string;
  /** null: the provider has named none */
  sid: string | null;
  /** when the provider has authenticated the person, in seconds since 1970; if it does not say, the latest time before which it may have */
  began_at: number;
}
