import type { AccountAction, ActionProblem } from '../accounts/account-actions.ts';
import type { IdentityRow, SessionRow, SignedIn } from '../accounts/profile/account.view.ts';
import type { AuditEventName } from '../audit/audit.sql.ts';
import type { PeopleList } from '../identity/people-lists.sql.ts';
import type { TokenHistory } from '../registration/console/token-history.view.ts';
import type { FormState, KeptValue, NamedClient, Paging } from '../web/views/parts.ts';

/** The parts of the pages for administrators; each has a text `admin.part.<name>`. */
export type AdminPart = 'people' | 'applications' | 'scopes' | 'resources' | 'grants' | 'events' | 'health' | 'charts';

export type AdminNavigation = { part: AdminPart; href: string; is_current: boolean }[];

/** What every page for administrators has. */
export interface AdminPage extends SignedIn {
  parts: AdminNavigation;
}

/** A button on the page of a person, with a text `admin.<name>`. */
export type PersonAction = AccountAction | 'mail_link' | 'change' | 'show_link';

/** Actions after which the next page says what was done, by a text `notice.done.<name>`. */
export type DoneAction = AccountAction | 'mail_link' | 'end_session' | 'change' | 'add';

/** Problems of the pages for administrators; each has a text `problem.<name>`. */
export type AdminProblem =
  | ActionProblem
  | 'address_in_use'
  | 'name_invalid'
  | 'email_invalid'
  | 'no_address'
  | 'no_link_by_mail'
  | 'of_another_source'
  | 'kept_elsewhere'
  | 'no_such_person'
  | 'session_gone'
  | 'ambiguous_person'
  | 'no_such_application'
  | 'time_malformed'
  | 'no_such_event'
  | 'address_malformed'
  | 'times_reversed'
  | 'no_such_period';

/** Problems of the forms that invite a person and that add an account; each has a text `problem.<name>`. */
export type NewPersonProblem =
  | 'no_invitations'
  | 'address_invalid'
  | 'address_known'
  | 'address_in_use'
  | 'name_taken'
  | 'username_reserved'
  | 'username_malformed'
  | 'name_invalid'
  | 'email_invalid';

/** What a sign-in needs beside the password; each has a text `admin.factor_<name>`. */
export type SecondFactor = 'app' | 'key' | 'none';

/** What was done on the pages for administrators; each has a text `notice.<name>`. */
export type AdminNotice = RegistrationNotice | `done.${DoneAction}`;

export type RegistrationNotice =
  | 'scope_created'
  | 'scope_described'
  | 'scope_deleted'
  | 'resource_registered'
  | 'resource_changed'
  | 'resource_deleted';

interface FoundPerson {
  href: string;
  username: string;
  name?: string | undefined;
  email?: string | undefined;
  email_verified: boolean;
  is_admin: boolean;
  created_at: Date;
  /** the day of the last sign-in, to the week, unless there was none */
  seen_on: Date | undefined;
  disabled: boolean;
}

/** What one person has allowed one application. */
export interface AdminGrant extends NamedClient {
  username: string;
  person_href: string;
  client_id: string;
  client_href: string;
  scopes: string[];
  granted_at: Date;
  last_used_at?: Date | undefined;
  /** The person for the form that revokes the grant. */
  user_id: number;
}

/** An audit event. */
export interface AdminEvent {
  at: Date;
  event: AuditEventName;
  username?: string | undefined;
  person_href?: string | undefined;
  client_id?: string | undefined;
  client_href?: string | undefined;
  address?: string | undefined;
  request_id: string;
  detail?: string | undefined;
  /** Who caused the event, if that was not its person. */
  by?: string | undefined;
}

/** The search form of events as typed. */
export interface TypedEventFilter {
  /** Words for any of the others. */
  q: string;
  user: string;
  by: string;
  client: string;
  event: string;
  address: string;
  request: string;
  since: string;
  until: string;
}

/** A period that can be chosen instead of typing a time. */
export type EventPeriod = 'day' | 'week' | 'month';

/** What is wrong with a field of that form. */
export interface EventFilterFault {
  field: keyof TypedEventFilter;
  problem: AdminProblem;
}

declare module '../web/views/views.ts' {
  interface Views {
    'admin-people': AdminPage & {
      /** Address of the search form, which sends `find`. */
      action: string;
      /** Leads to the forms that invite a person and that add an account; undefined where nobody has a password. */
      add_href?: string | undefined;
      typed: string;
      lists: { name: PeopleList; href: string; is_current: boolean }[];
      people: FoundPerson[];
      /** More people are found than a page shows. */
      more: boolean;
      paging: Paging;
    };
    'admin-person-new': AdminPage &
      FormState & {
        action: string;
        /** Whether people who are invited can create an account. */
        invites: boolean;
        /** Whether a mail brings the invitation; otherwise the page shows its link. */
        is_mailed: boolean;
        typed: { address: string; username: string; name: string; email: string };
        /** The address that was invited. */
        invited?: string | undefined;
        /** The link of the invitation, shown once. */
        url?: string | undefined;
        problem?: NewPersonProblem | undefined;
      };
    /** The FormState is that of the form of name and address. */
    'admin-person': AdminPage &
      FormState & {
        action: string;
        username: string;
        sub: string;
        source: string;
        created_at: Date;
        /** The stored name and address; after a refusal, the fields have what was typed. */
        known: string;
        stored_email: string;
        name: string;
        email: string;
        email_verified: boolean;
        /** Whether the form says that the address is verified. */
        vouched: boolean;
        kept: KeptValue[];
        pending_email?: string | undefined;
        is_admin: boolean;
        disabled: boolean;
        disabled_at?: Date | undefined;
        has_password: boolean;
        second_factor: SecondFactor;
        passkeys: { name: string; created_at: Date; last_used_at?: Date | undefined; only_second: boolean }[];
        /** When a session was last used, or the day of the last sign-in, to the week. */
        last_seen?: { used_at: Date } | { seen_on: Date } | undefined;
        identities: (Omit<IdentityRow, 'identity' | 'works'> & { issuer: string; subject: string })[];
        lock: { attempts: number; until?: Date | undefined };
        sessions: Omit<SessionRow, 'current'>[];
        grants: AdminGrant[];
        grants_href: string;
        /** The newest applications that belong to the person. */
        looks_after: (NamedClient & { client_id: string; href: string; disabled: boolean })[];
        /** Leads to all applications of the person. */
        looks_after_href: string;
        events: AdminEvent[];
        events_href: string;
        /** A link to set a password is offered once the account is enabled. */
        links_when_enabled: boolean;
        /** The buttons that would change something. */
        actions: PersonAction[];
        /** The page asks before these actions. */
        asks: readonly PersonAction[];
        /** A link to set a password, shown once. */
        reset_url?: string | undefined;
        /** The account that signs in with the refused address. */
        other?: { href: string; username: string } | undefined;
        notice?: AdminNotice | undefined;
        problem?: AdminProblem | undefined;
      };
    'admin-grants': AdminPage & {
      action: string;
      typed: { user: string; client: string };
      /** Undefined before anything was looked for. */
      grants?: AdminGrant[] | undefined;
      paging: Paging;
      history?: TokenHistory | undefined;
      /** The key for the form that ends the code or token; undefined if the code or token is over. */
      key?: string | undefined;
      /** Whose the token of the history is; without a name if the person is deleted. */
      of?:
        | {
            username?: string | undefined;
            person_href?: string | undefined;
            client_id: string;
            /** undefined if the application is deleted */
            client?: NamedClient | undefined;
            client_href: string;
            scopes: readonly string[];
            resources: readonly string[];
          }
        | undefined;
      /** The token of the history was revoked just now. */
      is_revoked?: boolean | undefined;
      /** the grant that was revoked just now */
      revoked?: { username: string; client: NamedClient } | undefined;
      problem?: AdminProblem | undefined;
    };
    'admin-events': AdminPage & {
      action: string;
      export_action: string;
      typed: TypedEventFilter;
      /** What the events are restricted to, each with a link to the events without that restriction. */
      filters: { name: keyof TypedEventFilter; value: string; period?: EventPeriod; href: string }[];
      /** The periods that can be chosen; undefined: any time. */
      periods: { period?: EventPeriod | undefined; href: string; is_current: boolean }[];
      /** The search finds no events such as issued tokens. */
      leaves_out_routine: boolean;
      /** Names of events that can be typed. */
      event_names: readonly string[];
      events: AdminEvent[];
      paging: Paging;
      /** Leads to the same page, which then follows new events, or no longer does. */
      follow_href: string;
      follows: boolean;
      /** The word of `q` that means nothing. */
      unknown_word?: string | undefined;
      fault?: EventFilterFault | undefined;
    };
  }
}
