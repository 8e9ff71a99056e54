import type { ProfileFieldName } from '../../lib/profile.ts';

/** An application by its name, which is only a claim unless somebody vouches for it. */
export interface NamedClient {
  name: string;
  vouched: boolean;
}

/** The application to which a person goes on after what a page is for. */
export interface ClientOnTheWay extends NamedClient {
  site_domain: string;
}

/** The person who is signed in, as the pages address them. */
export interface Viewer {
  username: string;
  name: string;
  /** Whether the menu shows the developer console: the person may register applications or owns some. */
  developer?: boolean | undefined;
  /** Whether the menu shows the pages for administrators. */
  admin?: boolean | undefined;
}

/** Says why a form is not accepted, whatever is in it. */
export type FormProblem = 'form_expired' | 'cross_site';

/**
 * How the person proves who they are before a change: by a password, and with `code` by the second factor, too; by the sign-in of
 * this session, or by a new sign-in.
 */
export type ShownProof =
  | { by: 'password'; code: boolean }
  | { by: 'session' }
  | { by: 'sign_in'; problem: StaleProof; href: string };

export type StaleProof = 'sign_in_again' | 'sign_in_elsewhere';

export type CodeProblem = 'wrong_code' | 'used_code' | 'unreadable_factor';

/** The reason why a form that asks for a proof does not show that the person sent it. */
export type ProofProblem =
  | FormProblem
  | StaleProof
  | 'wrong_old_password'
  | 'code_needed'
  | CodeProblem
  | 'too_many_attempts'
  | 'too_busy';

/** Sources of accounts that keep fields of a profile; each has a text `kept.<name>`. */
export type Keeper = 'website' | 'view' | 'provider';

/** A field of a profile that the source of the account keeps. */
export interface KeptValue {
  name: ProfileFieldName;
  /** Empty if there is none. */
  value: string;
  by: Keeper;
}

/** What a page that needs no sign-in knows about the person. */
export interface Visitor {
  viewer?: Viewer | undefined;
  /** The form key of the sign-out form; present beside a viewer. */
  csrf?: string | undefined;
  /** Whether it is known that nobody is signed in: an error page cannot always tell. */
  signed_out?: boolean | undefined;
  /** Where the link to the sign-in page leads back to, if not home. */
  return_to?: string | undefined;
}

/** What pages show about an application. Its developer wrote everything but the client_id and the date. */
export interface ShownClient {
  client_id: string;
  name: string;
  site_domain: string;
  homepage_uri?: string | undefined;
  policy_uri?: string | undefined;
  tos_uri?: string | undefined;
  created_at: Date;
  /** Whether an administrator vouches for the application. If not, the name is shown as what the application says of itself. */
  vouched: boolean;
}

export interface PermissionGroup<Permission> {
  name: string;
  /** what the operator calls it, also by language */
  sentence?: string | undefined;
  sentences?: Readonly<Record<string, string>> | undefined;
  /** the key of a text above this group and those that follow */
  heading?: string | undefined;
  permissions: Permission[];
}

/** A field that somebody else, or another tab, has changed since the form was made; texts of several lines where it is a list. */
export interface ChangedField {
  field: string;
  /** what saving the form again would store; absent if the form only shows the field */
  yours: string | undefined;
  now: string;
}

/** The state of a form that is made from what is stored, see identity/form-origin.ts. */
export interface FormState {
  /** the value of its hidden field of this name */
  made_from: string;
  /** the fields because of which nothing was saved; the form has what the person typed */
  changed_meanwhile?: readonly ChangedField[] | undefined;
  /** whether the form has what the person typed before the session ended */
  is_restored?: boolean | undefined;
}

/** Links to the next page of a list, and back to the first. */
export interface Paging {
  first_href?: string | undefined;
  next_href?: string | undefined;
}
