import type { AccountProblem, SignedIn } from '../../accounts/profile/account.view.ts';
import type { ClientValues, PlainMember, SecurityMember } from '../../lib/client-members.ts';
import type { AuthenticationMethod } from '../../lib/client-methods.ts';
import type { TextKey } from '../../web/texts.ts';
import type { FormState, ShownClient, ShownProof } from '../../web/views/parts.ts';

/** Choices of the form; each has the texts `security.<field>.<value>` and `…_hint`. */
export type SecurityProfile = 'standard' | 'fapi2';
export type SecurityMethod = Exclude<AuthenticationMethod, 'client_secret_post'>;
export type TokenBinding = 'any' | 'dpop' | 'certificate' | 'mac';

/** A problem is named by its field and rule, see migrations/functions. */
export type MemberProblem = TextKey extends infer Key
  ? Key extends `security_problem.${infer Name}`
    ? Name
    : never
  : never;

/** What the form shows; texts as they were typed. */
export type SecurityForm = {
  profile: SecurityProfile;
  token_endpoint_auth_method: SecurityMethod;
  jwks: string;
  token_binding: TokenBinding;
} & { [Name in PlainMember]: ClientValues[Name] extends boolean ? boolean : string };

export interface SecurityViews {
  'developer-security': SignedIn &
    FormState & {
      client: ShownClient;
      application_href: string;
      action: string;
      ticket: string;
      form: SecurityForm;
      /** what this server offers to this application */
      methods: readonly SecurityMethod[];
      /** the first of the members that a method needs: the page shows their fields while it is chosen */
      needs: Readonly<Partial<Record<SecurityMethod, SecurityMember | undefined>>>;
      bindings: readonly TokenBinding[];
      texts: readonly PlainMember[];
      boxes: readonly PlainMember[];
      choices: readonly { name: PlainMember; values: readonly string[] }[];
      /** whether RS256 is accepted without being chosen, except under FAPI 2.0 */
      takes_rs256: boolean;
      problems: readonly { field: keyof SecurityForm; name: MemberProblem; value?: string | undefined }[];
      notice?: 'application_saved' | undefined;
      /** What the form asks for as proof before it saves anything. */
      proof: ShownProof;
      problem?: AccountProblem | undefined;
      /** The wait after too many attempts. */
      wait_minutes?: number | undefined;
    };
}

declare module '../../web/views/views.ts' {
  interface Views extends SecurityViews {}
}
