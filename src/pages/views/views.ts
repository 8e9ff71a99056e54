import type { ErrorCode } from '../../protocol/errors.ts';
import type { GrantDuration } from '../../store/grants.ts';
import type { AccountViews } from './account.ts';
import type { DeveloperViews } from './developer.ts';
import type { ClientFace, FormProblem, PermissionGroup, RedirectMismatch, Viewer, Visitor } from './parts.ts';
import type { PlaygroundViews } from './playground.ts';

/** Sentences about what just went wrong; each has a text `problem.<name>`. */
export type LoginProblem =
  | FormProblem
  | 'wrong_credentials'
  | 'too_many_attempts'
  | 'too_busy'
  | 'session_ended'
  | 'cookies_missing'
  | 'other_host';

export type ConsentProblem = FormProblem | 'required_missing' | 'nothing_chosen';

export interface ConsentPermission {
  scope: string;
  /** From the database, in English; well-known scopes have a translation, which is preferred. */
  sentence: string;
  /** Lets something be changed, rather than only read. */
  changes: boolean;
  required: boolean;
  /** In the application's words: why it is required, or what does not work without it. */
  reason?: string | undefined;
  checked: boolean;
  granted_before?: boolean | undefined;
  /** Never decided on, of an application that the person knows. */
  is_new?: boolean | undefined;
}

/** The pages between an application and a person: signing in, deciding, and what went wrong on the way. */
interface FlowViews {
  login: {
    action: string;
    csrf: string;
    username: string;
    client?: Pick<ClientFace, 'name' | 'site_domain'> | undefined;
    /** The person is signed in, and the application demands the password all the same. */
    again?: boolean | undefined;
    /** The account that is signed in, with which the person may go on: posts csrf and `continue`. */
    account?: Viewer | undefined;
    problem?: LoginProblem | undefined;
    /** How long to wait, when there were too many attempts. */
    wait_minutes?: number | undefined;
  };
  consent: {
    action: string;
    csrf: string;
    ticket: string;
    user: Viewer;
    /** Posts csrf to sign out and come back to this request as somebody else. */
    switch_action: string;
    client: ClientFace;
    /** Where the person will land; absent: in the app on this device that claimed the scheme. */
    redirect_host?: string | undefined;
    /** It has no secret, so anybody can claim to be it. */
    is_public: boolean;
    groups: PermissionGroup<ConsentPermission>[];
    /** How many permissions are new to a person who has decided on others. */
    more: number;
    duration?: GrantDuration | undefined;
    problem?: ConsentProblem | undefined;
    /** The application has registered other redirection URIs since the person last decided. */
    changed: boolean;
  };
  error: Visitor & {
    code: ErrorCode;
    /** The fixed English sentence that a client would read as error_description. */
    description: string;
    request_id: string;
    /** The person stays here, because nothing shows that the redirection URI belongs to the application. */
    not_redirected: boolean;
    mismatch?: RedirectMismatch | undefined;
  };
  /** Before what sends the person to an application that no administrator vouches for, without their having done anything. */
  leaving: Visitor & {
    client: Pick<ClientFace, 'name' | 'site_domain'>;
    href: string;
    /** absent: the app on this device */
    host?: string | undefined;
    code: ErrorCode;
    description: string;
    request_id: string;
  };
  home: Visitor;
  'signed-out': Visitor;
  message: Visitor & { message: MessageName; back: { href: string; label: BackLabel } };
  'error-explained': Visitor & { code: ErrorCode; codes: readonly ErrorCode[] };
}

/** A page that says one thing; texts `message.<name>.title` and `message.<name>.text`. */
export type MessageName = 'registration_off' | 'no_access';

export type BackLabel = 'back.account' | 'back.applications';

/** Every view and what it needs. Templates see nothing else but this, as `data`. */
export interface Views extends FlowViews, AccountViews, DeveloperViews, PlaygroundViews {}
export type ViewName = keyof Views;
