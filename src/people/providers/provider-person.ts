/** Who somebody is at a provider, and what that says about the person. */
export interface ProviderPerson {
  issuer: string;
  subject: string;
  auth_time: Date | undefined;
  /** how the person has signed in at the provider */
  acr?: string | undefined;
  amr?: readonly string[] | undefined;
  username: string | undefined;
  name: string | undefined;
  email: string | undefined;
  email_verified: boolean;
}
