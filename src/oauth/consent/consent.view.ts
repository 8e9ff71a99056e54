import type { FormProblem, PermissionGroup, ShownClient, Viewer } from '../../web/views/parts.ts';
import type { ShownChoice } from '../choice/choice.view.ts';
import type { ChoiceProblem } from '../choice/choice-form.ts';
import type { GrantDuration, RememberedGrant } from './grants.sql.ts';

export type ConsentProblem = FormProblem | 'required_missing' | 'nothing_chosen' | 'choices_lost' | ChoiceProblem;

export interface ConsentPermission {
  scope: string;
  /** In English, from the database. The template prefers the text `scope.<name>`, if there is one. */
  sentence: string;
  sentences?: Readonly<Record<string, string>>;
  /** The permission allows changes, not only reading. */
  changes: boolean;
  required: boolean;
  /** The developer's reason why the application needs the permission. */
  reason?: string | undefined;
  checked: boolean;
  /** what the person decided before, maybe at other resources */
  before?: 'granted' | 'over' | 'refused' | undefined;
  /** The person knows the application but has never decided on this permission. */
  is_new?: boolean | undefined;
}

/** What an application has changed: its name, its redirection URIs, or both. */
export type ConsentChange = Pick<RememberedGrant, 'renamed_from'> & { has_new_address: boolean };

interface ConsentViews {
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
    client: ShownClient & { logo?: string | undefined };
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
    choices: readonly ShownChoice[];
    /** The application asks for choices alone: nobody is asked for its permissions. */
    is_choice_only: boolean;
    /** Number of new permissions, for a person who has decided on others before. */
    more: number;
    duration?: GrantDuration | undefined;
    problem?: ConsentProblem | undefined;
    /** since the person last decided */
    changed?: ConsentChange | undefined;
    /** the hosts that its redirection URIs have since then */
    new_hosts: string[];
  };
}

declare module '../../web/views/views.ts' {
  interface Views extends ConsentViews {}
}
