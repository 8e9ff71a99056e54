import type { ClientOrigin } from '../clients/clients.sql.ts';
import type { RecentRefusals, SecretRow, ShownOrigin } from '../registration/console/developer.view.ts';
import type { Paging, ShownClient } from '../web/views/parts.ts';
import type { AdminPage } from './admin.view.ts';

/** What a form of the page of an application has done; each has a text `notice.<name>`. */
export type AdministeredNotice =
  | 'application_disabled'
  | 'application_enabled'
  | 'application_vouched'
  | 'application_unvouched'
  | 'tokens_revoked'
  | 'application_passed_on'
  | 'secret_deleted'
  | 'site_banned'
  | 'site_unbanned';

/** The reason why a form that names an owner did nothing; each has a text `problem.<name>`. */
type OwnerProblem = 'no_such_owner' | 'ambiguous_person' | 'owner_disabled';

export type AdministeredProblem = OwnerProblem | 'two_secrets' | 'secret_in_use' | 'nothing_to_do';

/** How the application was registered; each has a text `admin.origin.<name>`. */
export type ApplicationOrigin = ClientOrigin | 'operator';

/** The ban of the site to which an application belongs, or of a domain above that site. */
export interface ShownBan {
  site: string;
  at: Date;
  /** undefined if the audit trail does not say */
  by: string | undefined;
  event_href: string | undefined;
  /** whether the ban has disabled the application */
  is_cause: boolean;
}

declare module '../web/views/views.ts' {
  interface Views {
    'admin-applications': AdminPage & {
      /** address of the search form, which sends `find` */
      action: string;
      typed: string;
      /** the form of the console, unless nobody registers applications there */
      new_href: string | undefined;
      applications: (ShownClient & {
        href: string;
        disabled: boolean;
        owner: string | undefined;
        last_used_at: Date | undefined;
      })[];
      /** there are more applications than are shown: a longer text finds fewer */
      has_more: boolean;
      paging: Paging;
    };
    'admin-application': AdminPage & {
      client: ShownClient;
      back_href: string;
      console_href: string;
      /** address of every form of the page; the button says what the form does */
      action: string;
      disabled: boolean;
      disabled_at: Date | undefined;
      /** the ban that can be lifted here; other_ban: one that then remains, of a site above or below */
      ban: ShownBan | undefined;
      other_ban: ShownBan | undefined;
      may_ban: boolean;
      owner: string | undefined;
      owner_href: string | undefined;
      /** what people allowed the application; events_href: what happened with it */
      grants_href: string;
      events_href: string;
      redirect_uris: readonly string[];
      scopes: readonly string[];
      /** whether the application may also request scopes of the resources that it names */
      may_ask_for_more: boolean;
      /** undefined for an application of a person from before this was recorded */
      origin: ApplicationOrigin | undefined;
      /** where the application came from, if that was a seed */
      seeded: ShownOrigin;
      people: number;
      has_more_people: boolean;
      secrets: SecretRow[];
      /** ticket of the form that makes another secret */
      ticket: string;
      /** the new secret, shown once */
      new_secret?: string | undefined;
      last_used_at: Date | undefined;
      tokens_not_before: Date | undefined;
      refusals: RecentRefusals;
      notice?: AdministeredNotice | undefined;
      problem?: Exclude<AdministeredProblem, OwnerProblem> | undefined;
      owner_problem?: OwnerProblem | undefined;
      /** the owner that was refused */
      typed_owner?: string | undefined;
    };
  }
}
