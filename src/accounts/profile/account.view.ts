import type { ProfileFieldName } from '../../lib/profile.ts';
import type { ShownChoice } from '../../oauth/choice/choice.view.ts';
import type { ChoiceProblem } from '../../oauth/choice/choice-form.ts';
import type {
  FormProblem,
  FormState,
  KeptValue,
  NamedClient,
  Paging,
  PermissionGroup,
  ProofProblem,
  ShownClient,
  ShownProof,
  Viewer,
} from '../../web/views/parts.ts';
import type { PasskeyNotice, PasskeyProblem } from '../passkeys/account-passkeys.view.ts';

/** What every page for a signed-in person needs: the person, and the key of its forms, of which sign-out is one. */
export interface SignedIn {
  viewer: Viewer;
  csrf: string;
}

export type AccountProblem =
  | ProofProblem
  | PasskeyProblem
  | 'password_needed'
  | 'changed_meanwhile'
  | 'last_administrator'
  | 'last_way_in'
  | 'password_too_short'
  | 'password_too_long'
  | 'password_common'
  | 'password_is_name'
  | 'passwords_differ'
  | `${ProfileFieldName}_invalid`
  | 'kept_elsewhere';

/** What is wrong with a form, and for how long after too many attempts. */
export interface ShownProblem {
  name: AccountProblem;
  wait_minutes?: number | undefined;
}

/** Says why a form of an account has changed nothing. */
export interface FormRefusal extends ShownProblem {
  status: number;
}

export type PermissionsProblem = FormProblem | 'required_missing' | ChoiceProblem;

/** What a form has done; each has a text `notice.<name>`. */
export type AccountNotice =
  | PasskeyNotice
  | 'profile_saved'
  | 'notices_saved'
  | 'confirmation_sent'
  | 'address_confirmed'
  | 'signed_up'
  | 'password_reset'
  | 'password_changed'
  | 'password_changed_access_ended'
  | 'session_ended'
  | 'sessions_ended'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'factor_removed'
  | 'permission_changed';

/** The attributes of an input of the profile form. */
export interface ProfileInput {
  name: ProfileFieldName;
  value: string;
  type: string;
  maxlength: number;
  autocomplete: string;
}

export interface SessionRow {
  /** Stands for the session in the form, in place of the session id. */
  session: string;
  current: boolean;
  /** The User-Agent header, which the template shortens to browser and system. */
  user_agent: string;
  address?: string | undefined;
  created_at: Date;
  last_used_at: Date;
}

/** An account at another server, with which the person can sign in here. */
export interface IdentityRow {
  /** Stands for the identity in the form. */
  identity: string;
  /** The title of the server; absent if the server is not registered any more. */
  title?: string | undefined;
  /** Whether the server is registered and enabled. */
  works: boolean;
  /** The site of a server that is not registered any more. */
  site?: string | undefined;
  /** What the server calls the person. */
  label?: string | undefined;
  linked_at: Date;
  last_used_at?: Date | undefined;
}

export type ActivityName =
  | 'signed_in'
  | 'sign_in_failed'
  | 'sign_in_failed_code'
  | 'sign_in_failed_disabled'
  | 'sign_in_failed_passkey'
  | 'signed_out'
  | 'current_password_wrong'
  | 'password_changed'
  | 'password_reset'
  | 'reset_link_issued'
  | 'address_confirmed'
  | 'account_secured'
  | 'profile_changed'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_refused'
  | 'session_ended'
  | 'session_ended_there'
  | 'access_ended_there'
  | 'application_allowed'
  | 'application_refused'
  | 'application_revoked'
  | 'permission_changed'
  | 'refresh_token_reused'
  | 'code_reused'
  | 'token_leaked';

/** What shows that somebody may have copied a token. */
export type TokenTheft = 'refresh_token_reused' | 'code_reused' | 'token_leaked';

/** A way in which somebody signed in; each has a text `method.<name>`. */
export type ShownMethod =
  | 'password'
  | 'website'
  | 'provider'
  | 'passkey'
  | 'security_key'
  | 'totp'
  | 'recovery_code'
  | 'trusted_browser';

export interface ActivityRow {
  at: Date;
  activity: ActivityName;
  /** The methods of a sign-in. */
  methods?: readonly ShownMethod[] | undefined;
  /** Browser and system of a sign-in. */
  device?: string | undefined;
  client?: NamedClient | undefined;
  /** The page on which the person sees what the application can do, if a token of it may have been copied. */
  client_href?: string | undefined;
  /** Where the person changes the password that somebody else knows. */
  password_href?: string | undefined;
  /** The name that the person has given to the passkey. */
  passkey?: string | undefined;
  address?: string | undefined;
  by_operator?: boolean | undefined;
  /** The page that undoes the event, for a person who says that somebody else caused it. */
  not_me_href?: string | undefined;
}

export interface ConnectedApplication {
  client: ShownClient;
  /** Whether the person granted access just once. */
  once: boolean;
  /** Whether nobody was asked: the application is the operator's own. */
  silent: boolean;
  granted_at: Date;
  last_used_at?: Date | undefined;
  /** Absent if access lasts until the person revokes it. */
  expires_at?: Date | undefined;
}

export interface GrantedPermission {
  scope: string;
  sentence: string;
  sentences?: Readonly<Record<string, string>>;
  changes: boolean;
  required: boolean;
  granted: boolean;
  reason?: string | undefined;
}

declare module '../../web/views/views.ts' {
  interface Views {
    account: SignedIn & {
      /**
       * `is_new_address`: the address in the form is not the stored one. `is_unconfirmed`: the address is the person's own claim, so applications do not receive it. `verified_beside`: the address
       * that they receive, while another waits to be proved.
       */
      profile: FormState & {
        action: string;
        fields: ProfileInput[];
        kept: KeptValue[];
        is_new_address: boolean;
        is_unconfirmed: boolean;
        verified_beside: string | undefined;
      };
      /** The address that a mail can prove; `action` sends the link, which was sent before if `is_sent`. */
      unproved?: { address: string; action: string; is_sent: boolean } | undefined;
      /** Which mails the person gets; absent where no mails can go to them. */
      notices?: (FormState & { wanted: boolean; action: string }) | undefined;
      /** What the form for a new e-mail address asks for as proof. */
      proof: ShownProof;
      delete_href: string;
      export_href: string;
      notice?: AccountNotice | undefined;
      problem?: ShownProblem | undefined;
    };
    'account-sessions': SignedIn & {
      sessions: SessionRow[];
      /** Posts `session` (one handle) or `others=1`. */
      end_session_action: string;
      notice?: AccountNotice | undefined;
      problem?: FormProblem | undefined;
    };
    'account-activity': SignedIn & { activity: ActivityRow[]; has_password: boolean; paging: Paging };
    'confirm-address': SignedIn & {
      action: string;
      /** The secret of the link. */
      link: string;
      username: string;
      address: string;
      problem?: FormProblem | undefined;
    };
    'account-connect': SignedIn & {
      action: string;
      title: string;
      /** Whether only an operator can connect the account, because it is an administrator's: there is no form. */
      by_operator: boolean;
      proof: ShownProof;
      problem?: ShownProblem | undefined;
    };
    'account-delete': SignedIn & {
      action: string;
      proof: ShownProof;
      /** Names of applications that the person owns, the newest first; `more` if there are others. */
      applications: string[];
      more: boolean;
      /** Days for which the audit trail is kept. */
      audit_days: number;
      /** Whether the person is the last administrator, so that the page has no form. */
      is_last_administrator: boolean;
      problem?: ShownProblem | undefined;
    };
    applications: SignedIn & {
      applications: (ConnectedApplication & {
        revoke_action: string;
        details_href: string;
        permissions: { scope: string; sentence: string; sentences?: Readonly<Record<string, string>> }[];
      })[];
      paging: Paging;
      /** The application that has lost its access a moment ago. */
      revoked?: NamedClient | undefined;
      problem?: FormProblem | undefined;
    };
    application: SignedIn &
      FormState &
      ConnectedApplication & {
        /** Posts the ticked `scope` values, as the consent page does. */
        action: string;
        revoke_action: string;
        /** Each below the permission that it limits. */
        choices: readonly ShownChoice[];
        /** Whether every answer tells the username, whatever is ticked. */
        gives_username: boolean;
        /** Where the permissions apply; empty if only at this server. */
        resources: string[];
        groups: PermissionGroup<GrantedPermission>[];
        notice?: AccountNotice | undefined;
        problem?: PermissionsProblem | undefined;
      };
  }
}
