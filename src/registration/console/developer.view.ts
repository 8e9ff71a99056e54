import type { AccountProblem, SignedIn } from '../../accounts/profile/account.view.ts';
import type { MethodChoice } from '../../clients/client.ts';
import type { ClientOrigin } from '../../clients/clients.sql.ts';
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
import type { Figures } from './figures.sql.ts';
import type { TokenHistory } from './token-history.view.ts';

interface RefusalRow {
  at: Date;
  /** the application, in a list for several applications */
  client?: NamedClient | undefined;
  request_id: string;
  /** how often the refusal was repeated within the hour */
  times: number;
  /** method and path of the request */
  request: string;
  error: string;
  /** whether the page `/errors/<error>` explains it */
  is_explained: boolean;
  reason: string;
  mismatch: RedirectUriDifference | undefined;
}

/** The latest refusals, or the refusal that was searched for. */
export interface RecentRefusals {
  rows: RefusalRow[];
  /** address of the search form, which sends `request_id` */
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
  | 'not_loopback'
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
  /** Redirection URIs as typed, one per line. */
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
  /** Identifies the secret in forms: the first bytes of the secret's digest, never of its value. */
  handle: string;
  created_at: Date;
  /** undefined if nobody was seen to use the secret */
  last_used_at: Date | undefined;
  /** whether a program may well send the secret */
  is_in_use: boolean;
}

export type ProgramObstacle = 'needs_secret' | 'needs_public' | 'demands_more';

/** What a developer needs to connect an application that is registered. */
export interface NextSteps {
  endpoints: { name: string; value: string }[];
  /** Where the developer adds a client secret, if the application has one. */
  secrets_href: string | undefined;
  /** Libraries for which there is a program that the application can use, by purpose (a text `connect.<name>`) and language. */
  purposes: {
    name: 'sign_in' | 'protect_api';
    languages: { name: string; libraries: { name: string; href: string; is_current: boolean }[] }[];
  }[];
  /** Libraries that the application cannot use, and the reason, explained by a text `connect.<name>`. */
  unusable: { names: string[]; reason: ProgramObstacle | undefined };
  program: {
    /** the name of the library */
    name: string;
    file: string;
    text: string;
    /** The reason why the application cannot use the program; explained by a text `connect.<name>`. */
    obstacle: ProgramObstacle | undefined;
    /** Whether the program reads the client secret from the environment. */
    reads_secret: boolean;
    /** The text in the program where its language cannot hold a value. */
    placeholder: string | undefined;
    /** The redirection URI that the program uses, if that has to be registered first. */
    unregistered: string | undefined;
  };
  try_href: string;
}

export interface ShownOrigin {
  origin: ClientOrigin | null;
  /** the seed that registers it */
  seed: string | null;
  /** what somebody else has changed since the last run of the seed */
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

declare module '../../web/views/views.ts' {
  interface Views {
    'developer-applications': SignedIn & {
      may_register: boolean;
      new_href: string;
      /** the documents for local development, where this server takes documents */
      documents_href: string | undefined;
      applications: (ShownClient & {
        href: string;
        confidential: boolean;
        disabled: boolean;
        last_used_at?: Date | undefined;
        figures: Figures | undefined;
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
        /** Whether the application may have refresh tokens. */
        refreshes: boolean;
        /** Buttons `preset` that fill this form in for a kind of application; each has texts `portal.<name>` and `register.preset.<name>`. */
        presets: { name: PresetName; confidential: boolean; is_current: boolean }[];
        preset?: { name: PresetName; example: string; page_href: string } | undefined;
        /** Whether type and refresh tokens are those of the preset. */
        is_usual: boolean;
        /** What the form asks for as proof before it registers an application. */
        proof: ShownProof;
        problem?: AccountProblem | undefined;
        /** After too many attempts. */
        wait_minutes?: number | undefined;
      };
    'developer-application': SignedIn &
      FormState & {
        part: ApplicationPart;
        /** The path of the overview; the addresses of the other parts begin with it. */
        application_href: string;
        redirect_uris: readonly string[];
        /** ticket of the form that adds a secret */
        ticket: string;
        client: ShownClient;
        /** The name of the person whose application it is, on its overview. */
        owner: string | undefined;
        confidential: boolean;
        /** Whether the application may have refresh tokens. */
        refreshes: boolean;
        disabled: boolean;
        /** Whether the application is disabled and the viewer may enable it: its owner if the owner disabled it, an administrator always. */
        may_enable: boolean;
        /** Whether the viewer is an administrator, and the owner can enable the application again as long as no administrator blocks it. */
        may_block: boolean;
        vouched: boolean;
        origin: ShownOrigin;
        /** how the application authenticates, if that was chosen among several methods that it offers */
        choice: MethodChoice | undefined;
        /** Whether the viewer is an administrator. */
        may_vouch: boolean;
        form: ApplicationForm;
        secrets: SecretRow[];
        /** The secret that the page asks about before it is deleted; if the secret is in use, the form also posts `confirmed`. */
        deleting?: SecretRow | undefined;
        /** What a form asks for as proof before it adds or deletes a secret. */
        proof: ShownProof;
        /** the names of the application's public keys, or where it publishes them */
        keys: string[];
        connect_href: string;
        /**
         * Each form posts csrf; delete_secret also posts `handle`; `credentials` asks about the secret in `?delete=`; token_history
         * posts `token`, vouch posts `vouched`.
         */
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
        /** The figures of the application, on its overview. */
        figures?: Figures | undefined;
        /** The refusals of the application, on the page of its activity. */
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
    'secret-shown-once': SignedIn & {
      client: ShownClient;
      client_secret: string;
      /** Whether an earlier secret works, too. */
      has_other: boolean;
      next_href: string;
    };
  }
}
