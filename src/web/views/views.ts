import type { FactorViews } from '../../accounts/factors/factors.view.ts';
import type { ExportViews } from '../../accounts/leaving/export.view.ts';
import type { PasskeyViews } from '../../accounts/passkeys/passkeys.view.ts';
import type { AccountProblem, AccountViews, ShownProof } from '../../accounts/profile/account.view.ts';
import type { SecurityViews } from '../../accounts/profile/security.view.ts';
import type { AdminViews } from '../../admin/admin.view.ts';
import type { AdminApplicationViews } from '../../admin/admin-applications.view.ts';
import type { HealthViews } from '../../admin/admin-health.view.ts';
import type { AdminRegistrationViews } from '../../admin/admin-registrations.view.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { PasswordProblem } from '../../lib/password-rules.ts';
import type { RedirectUriDifference } from '../../lib/redirect-uri-difference.ts';
import type { GrantDuration } from '../../oauth/consent/grants.sql.ts';
import type { PlaygroundViews } from '../../playground/playground.view.ts';
import type { PortalViews } from '../../portal/portal.view.ts';
import type { DeveloperViews } from '../../registration/console/developer.view.ts';
import type { FormProblem, PermissionGroup, ShownClient, Viewer, Visitor } from './parts.ts';

/** Problems of forms; each has a text `problem.<name>`. */
export type LoginProblem =
  | FormProblem
  | 'wrong_credentials'
  | 'passkey_refused'
  | 'too_many_attempts'
  | 'too_busy'
  | 'session_ended'
  | 'sign_in_over'
  | 'cookies_missing'
  | 'other_host';

export type SignUpProblem =
  | FormProblem
  | 'username_malformed'
  | 'username_reserved'
  | 'username_taken'
  | PasswordProblem
  | 'too_busy';

/** Texts `stopped.<name>`. */
export type StoppedSignIn =
  | 'sign_in_lost'
  | 'cancelled'
  | 'provider_away'
  | 'provider_wrong'
  | 'provider_gone'
  | 'not_confirmed'
  | 'no_account'
  | 'address_taken'
  | 'foreign_domain'
  | 'account_disabled'
  | 'identity_taken'
  | 'connect_lost';

export type ConsentProblem = FormProblem | 'required_missing' | 'nothing_chosen' | 'choices_lost';

export interface ConsentPermission {
  scope: string;
  /** In English, from the database. The template prefers the text `scope.<name>`, if there is one. */
  sentence: string;
  sentences?: Readonly<Record<string, string>>;
  /** It allows changes, not only reading. */
  changes: boolean;
  required: boolean;
  /** Why the application needs it, as its developer wrote. */
  reason?: string | undefined;
  checked: boolean;
  granted_before?: boolean | undefined;
  /** The person knows the application but has never decided on this permission. */
  is_new?: boolean | undefined;
}

/** An authorization response: a link to the redirection URI, or a form that is posted there. */
export type ClientAnswer = { href: string } | { action: string; fields: { name: string; value: string }[] };

/** The pages of the authorization flow, of errors, and the start page. */
interface FlowViews {
  login: {
    action: string;
    csrf: string;
    username: string;
    client?: Pick<ShownClient, 'name' | 'site_domain' | 'vouched'> | undefined;
    /** The person is signed in, but the application demands the password. */
    again?: boolean | undefined;
    /** The person is signed in, but by fewer factors than the application demands. */
    step_up?: boolean | undefined;
    /** The signed-in account, with which the person may continue: the form posts `continue`. */
    account?: Viewer | undefined;
    /** Whether there is a form for username and password. */
    has_passwords: boolean;
    /** What the script hands to the browser for a sign-in with a passkey. */
    passkey?: object | undefined;
    /** Where people make an account. */
    sign_up?: string | undefined;
    /** Where a forgotten password can be replaced; without it, `support` is whom to ask. */
    forgot?: string | undefined;
    support?: string | undefined;
    /** The host of the provider's own login page: the form posts `website`. */
    website?: string | undefined;
    problem?: LoginProblem | undefined;
    /** After too many attempts. */
    wait_minutes?: number | undefined;
    /** Other servers at which people can sign in; each button posts `provider`. */
    providers: { name: string; title: string }[];
  };
  /** Why a sign-in at another server has not led to one here. */
  'sign-in-stopped': {
    problem: StoppedSignIn;
    /** The title of that server. */
    provider: string;
    retry: { href: string; label: 'stopped.back_to_sign_in' | 'back.account' };
    request_id: string;
  };
  'forgot-password': Visitor & {
    action: string;
    csrf: string;
    /** The mail is in the queue, if there is anybody to whom it can go. */
    sent: boolean;
    support?: string | undefined;
    /** The sign-in page. */
    back: string;
    problem?: FormProblem | 'too_many_attempts' | undefined;
    wait_minutes?: number | undefined;
  };
  'reset-password': Visitor & {
    action: string;
    csrf: string;
    /** The secret of the link. */
    link: string;
    username: string;
    problem?: AccountProblem | undefined;
  };
  'not-me': Visitor & {
    action: string;
    csrf: string;
    /** The secret of the link of a mail. */
    link?: string | undefined;
    /** Without a link, for an event of this time: posts what proves the person. */
    since?: Date | undefined;
    proof?: ShownProof | undefined;
    username: string;
    /** That the account keeps or gets back. */
    address?: string | undefined;
    /** A second factor that was set up since then: posts `password` if that removes it. */
    new_factor?: { is_removable: boolean } | undefined;
    problem?: { name: AccountProblem; wait_minutes?: number | undefined } | undefined;
  };
  'sign-up': Visitor & {
    action: string;
    csrf: string;
    /** A mail is in the queue. */
    sent: boolean;
    typed: string;
    /** The sign-in page. */
    back: string;
    problem?: FormProblem | 'email_invalid' | 'too_many_attempts' | undefined;
    wait_minutes?: number | undefined;
  };
  'finish-sign-up': Visitor & {
    action: string;
    csrf: string;
    /** The secret of the link. */
    link: string;
    /** That was proved. */
    address: string;
    username: string;
    problem?: SignUpProblem | undefined;
  };
  consent: {
    action: string;
    csrf: string;
    ticket: string;
    /** whose form it is */
    made_from: string;
    /** Each button of the switch sends the form to the address of its language, where it is shown as it was left. */
    languages: readonly { language: string; name: string; action: string }[];
    user: Viewer;
    /** The form signs the person out and shows this request again, for another account. */
    switch_action: string;
    client: ShownClient;
    /** Host of the redirection URI; absent for an app on the device. */
    redirect_host?: string | undefined;
    /** Host of the redirection URI unless it is a loopback address: by it the page names a client that no administrator vouches for. */
    remote_host?: string | undefined;
    /** Host of the client_id, if that is the URL of the document that describes the client. */
    document_host?: string | undefined;
    /** The client has no secret, so any software can claim to be it. */
    is_public: boolean;
    /** The application learns the username, whatever is ticked. */
    gives_username: boolean;
    /** Where the permissions apply; empty if only at this server. */
    resources: string[];
    groups: PermissionGroup<ConsentPermission>[];
    /** Number of new permissions, for a person who has decided on others before. */
    more: number;
    duration?: GrantDuration | undefined;
    problem?: ConsentProblem | undefined;
    /** The application has another name or other redirection URIs since the person last decided. */
    changed: boolean;
  };
  error: Visitor & {
    code: ErrorCode;
    /** The fixed English sentence that a client would read as error_description. */
    description: string;
    request_id: string;
    /** At the authorization endpoint: the page says why the person was not redirected. */
    not_redirected: boolean;
    /** The same address may well answer in a moment. */
    is_passing: boolean;
    mismatch?: RedirectUriDifference | undefined;
    /** The application of this person that is disabled; nobody else learns that it exists. */
    own_disabled?: { name: string; href: string } | undefined;
    /** where this person changes the redirection URIs of their application */
    own_redirects_href?: string | undefined;
  };
  /** The answer to an application that asked for it as a form; the script sends it. */
  'form-post': { answer: ClientAnswer; host: string };
  /** Shown before an error redirects the person to an application that no administrator vouches for. */
  leaving: Visitor & {
    client: Pick<ShownClient, 'name'>;
    answer: ClientAnswer;
    /** absent for an app on the device */
    host?: string | undefined;
    code: ErrorCode;
    description: string;
    request_id: string;
  };
  home: Visitor;
  /** `website`: where the person may still be signed in. */
  'signed-out': Visitor & { website?: { href: string; host: string } | undefined };
  /** A form waits in this page; `kept` is what was typed into it, sealed. */
  'session-ended': { action: string; kept: string; sign_in_href: string };
  message: Visitor & {
    message: MessageName;
    /** what helps further */
    more?: { href: string; label: 'message.registration_off.how' };
    back: { href: string; label: BackLabel };
  };
  'error-explained': Visitor & { code: ErrorCode; codes: readonly ErrorCode[] };
}

/** A page with one message; texts `message.<name>.title` and `message.<name>.text`. */
export type MessageName =
  | 'registration_off'
  | 'no_access'
  | 'account_deleted'
  | 'link_over'
  | 'password_reset'
  | 'address_taken'
  | 'other_account'
  | 'secured'
  | 'secured_without_way_in'
  | 'signed_up'
  | ElsewhereProblem;

/** Why a sign-in at another site has failed. */
export type ElsewhereProblem =
  | 'elsewhere_unknown'
  | 'elsewhere_over'
  | 'elsewhere_invalid'
  | 'elsewhere_stale'
  | 'elsewhere_uncertain'
  | 'elsewhere_failed'
  | 'elsewhere_denied'
  | 'elsewhere_of_another_source'
  | 'elsewhere_disabled';

export type BackLabel =
  | 'back.sign_in'
  | 'back.new_link'
  | 'back.home'
  | 'back.account'
  | 'back.applications'
  | 'back.again'
  | 'back.go_on';

/** Every view and its data, which its template sees as `data`. */
export interface Views
  extends FlowViews,
    AccountViews,
    FactorViews,
    PasskeyViews,
    ExportViews,
    DeveloperViews,
    SecurityViews,
    PortalViews,
    PlaygroundViews,
    AdminViews,
    AdminApplicationViews,
    AdminRegistrationViews,
    HealthViews {}
export type ViewName = keyof Views;
