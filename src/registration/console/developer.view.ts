import type { AccountProblem, SignedIn } from '../../accounts/profile/account.view.ts';
import type { RedirectUriDifference } from '../../lib/redirect-uri-difference.ts';
import type {
  FormProblem,
  FormState,
  NamedClient,
  Paging,
  PermissionGroup,
  ShownClient,
  ShownProof,
} from '../../web/views/parts.ts';
import type { TokenHistory } from './token-history.view.ts';

interface RefusalRow {
  at: Date;
  /** in a list for several applications */
  client?: NamedClient | undefined;
  request_id: string;
  /** how often it happened like this within the hour */
  times: number;
  /** method and path */
  request: string;
  error: string;
  /** at `/errors/<error>` */
  is_explained: boolean;
  reason: string;
  mismatch: RedirectUriDifference | undefined;
}

/** The latest refusals, or the one that was searched for. */
export interface RecentRefusals {
  rows: RefusalRow[];
  /** of the search form, which sends `request_id` */
  action: string;
  request_id: string | undefined;
  paging: Paging;
}

/** Fields of the registration form; a problem belongs to one of them and has a text `field_problem.<name>`. */
export type ApplicationField =
  | 'name'
  | 'site_domain'
  | 'homepage_uri'
  | 'logo_uri'
  | 'policy_uri'
  | 'tos_uri'
  | 'redirect_uris'
  | 'scopes';
export type FieldProblem =
  | 'missing'
  | 'none_chosen'
  | 'too_long'
  | 'too_many'
  | 'not_a_domain'
  | 'host_too_long'
  | 'public_suffix'
  | 'not_https'
  | 'not_https_redirect'
  | 'outside_domain'
  | 'not_reversed_domain'
  | 'has_fragment'
  | 'has_wildcard'
  | 'not_a_uri'
  | 'malformed_name'
  | 'built_in'
  | 'is_group'
  | 'is_scope'
  | 'malformed_sentence'
  | 'not_a_resource'
  | 'unknown_scope'
  | 'unknown_client'
  | 'exists'
  | 'refused';

export interface ApplicationForm {
  action: string;
  name: string;
  site_domain: string;
  homepage_uri: string;
  logo_uri: string;
  policy_uri: string;
  tos_uri: string;
  /** One per line, as typed. */
  redirect_uris: string;
  groups: PermissionGroup<FormPermission>[];
  problems?: { field: ApplicationField; name: FieldProblem; value?: string | undefined }[] | undefined;
}

export type PresetName = 'web' | 'spa' | 'native' | 'api' | 'mcp';

export type PermissionUse = 'no' | 'optional' | 'required';

/** In the form: radio buttons `use:<scope>` and a text field `reason:<scope>`. */
export interface FormPermission {
  scope: string;
  sentence: string;
  sentences?: Readonly<Record<string, string>>;
  use: PermissionUse;
  reason: string;
}

export interface SecretRow {
  /** Identifies the secret in forms: the first bytes of its digest, never of its value. */
  handle: string;
  created_at: Date;
  /** no use of it was seen */
  last_used_at: Date | undefined;
  /** a program may well send it */
  is_in_use: boolean;
}

export type ProgramObstacle = 'needs_secret' | 'needs_public' | 'demands_more';

/** What a developer needs to connect an application that is registered. */
export interface NextSteps {
  endpoints: { name: string; value: string }[];
  /** Libraries for which there is a program. */
  libraries: { name: string; href: string; is_current: boolean }[];
  program: {
    /** of the library */
    name: string;
    file: string;
    text: string;
    /** Why the application cannot use it; explained by a text `connect.<name>`. */
    obstacle: ProgramObstacle | undefined;
    /** It reads the client secret from the environment. */
    reads_secret: boolean;
    /** Stands where its language cannot hold a value. */
    placeholder: string | undefined;
    /** The redirection URI that it uses, if that has to be registered first. */
    unregistered: string | undefined;
  };
  try_href: string;
}

/** By which way an application came. */
export type ClientOrigin = 'command' | 'console' | 'application' | 'document';

export interface ShownOrigin {
  origin: ClientOrigin | null;
  /** the seed that registers it */
  seed: string | null;
  /** what somebody else has changed since its last run */
  drift: readonly string[];
}

export type DeveloperNotice =
  | 'application_registered'
  | 'application_saved'
  | 'application_disabled'
  | 'application_enabled'
  | 'application_vouched'
  | 'application_unvouched'
  | 'secret_deleted'
  | 'application_deleted';

/** The pages of one application that share a view. */
export type ApplicationPart = 'overview' | 'credentials' | 'registration' | 'activity';

export type DeveloperProblem = FormProblem | 'two_secrets' | 'wrong_name';

interface DeveloperViews {
  'developer-applications': SignedIn & {
    may_register: boolean;
    new_href: string;
    applications: (ShownClient & {
      href: string;
      confidential: boolean;
      disabled: boolean;
      last_used_at?: Date | undefined;
    })[];
    paging: Paging;
    refusals: RecentRefusals;
    notice?: DeveloperNotice | undefined;
  };
  'developer-application-new': SignedIn &
    FormState & {
      ticket: string;
      form: ApplicationForm;
      confidential: boolean;
      /** It may have refresh tokens. */
      refreshes: boolean;
      /** Links to this form, filled in for a kind of application; each has texts `portal.<name>` and `register.preset.<name>`. */
      presets: { name: PresetName; href: string; is_current: boolean }[];
      preset?: { name: PresetName; example: string; page_href: string } | undefined;
      /** Before it is registered. */
      proof: ShownProof;
      problem?: AccountProblem | undefined;
      /** After too many attempts. */
      wait_minutes?: number | undefined;
    };
  'developer-application': SignedIn &
    FormState & {
      part: ApplicationPart;
      /** Of the overview, before which the other parts have their path. */
      application_href: string;
      redirect_uris: readonly string[];
      /** of the form that adds a secret */
      ticket: string;
      client: ShownClient;
      confidential: boolean;
      disabled: boolean;
      /** It is disabled, and the viewer may undo that: its owner if the owner disabled it, an administrator always. */
      may_enable: boolean;
      /** The viewer is an administrator, and the owner can enable it again as long as no administrator blocks it. */
      may_block: boolean;
      vouched: boolean;
      origin: ShownOrigin;
      /** The viewer is an administrator. */
      may_vouch: boolean;
      form: ApplicationForm;
      secrets: SecretRow[];
      /** The page asks whether to delete it; if it is in use, the form also posts `confirmed`. */
      deleting?: SecretRow | undefined;
      /** Before a secret is added or deleted. */
      proof: ShownProof;
      /** the names of its public keys, or where it publishes them */
      keys: string[];
      connect_href: string;
      /** Each posts csrf; delete_secret also posts `handle`; `credentials` asks about the one in `?delete=`; token_history posts `token`, vouch posts `vouched`. */
      actions: {
        credentials: string;
        add_secret: string;
        delete_secret: string;
        disable: string;
        enable: string;
        vouch: string;
        delete: string;
        token_history: string;
      };
      /** In the activity. */
      refusals?: RecentRefusals | undefined;
      token_history?: TokenHistory | undefined;
      notice?: DeveloperNotice | undefined;
      problem?: DeveloperProblem | AccountProblem | undefined;
      /** After too many attempts. */
      wait_minutes?: number | undefined;
    };
  'developer-connect': SignedIn & {
    client: ShownClient;
    application_href: string;
    next: NextSteps;
    notice?: DeveloperNotice | undefined;
  };
  'secret-shown-once': SignedIn & { client: ShownClient; client_secret: string; back_href: string; next: NextSteps };
}

declare module '../../web/views/views.ts' {
  interface Views extends DeveloperViews {}
}
