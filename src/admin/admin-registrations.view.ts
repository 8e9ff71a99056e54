import type { CountedPeople, ScopeUse } from '../catalogue/scopes.sql.ts';
import type { FieldProblem, ShownOrigin } from '../registration/console/developer.view.ts';
import type { FormState, Paging } from '../web/views/parts.ts';
import type { AdminNotice, AdminPage } from './admin.view.ts';

/** The reason why a form did nothing; each has a text `problem.<name>`. */
export type ScopeProblem = 'nothing_to_do' | 'scope_in_use' | 'changed_since' | 'sentence_malformed';

/** The reason why a form of a resource did nothing; each has a text `problem.<name>`. */
export type ResourceProblem = 'changed_since' | 'disabled_since' | 'nothing_to_do';

/** What is wrong with a field of the form that registers a scope or a resource. */
export interface FieldRefusal {
  field: string;
  name: FieldProblem;
  value?: string | undefined;
}

/** What the button of a form for descriptions does, with a text `admin.<name>`. */
export type DescribeAction = 'describe' | 'describe_group';

/**
 * The form for what people read about a scope or a group: a sentence for all languages, and a sentence for each language of the
 * pages.
 */
export interface SentencesForm extends FormState {
  action: DescribeAction;
  fields: { name: string; language: string | undefined; value: string }[];
}

/** Formats of tokens; each has a text `admin.format.<name>`. */
export type FormatName = 'opaque' | 'jwt';

/** Fields of the forms that register and change a resource. */
export interface ResourceFields {
  scopes: string;
  client_id: string;
  token_format: FormatName;
  problems: FieldRefusal[];
}

declare module '../web/views/views.ts' {
  interface Views {
    'admin-scopes': AdminPage & {
      action: string;
      scopes: {
        name: string;
        href: string;
        /** the group of the scope, if other scopes are in the group, too */
        group: string | undefined;
        sentence: string;
        sentences: Readonly<Record<string, string>>;
        changes: boolean;
        seed: string | undefined;
        /** some of those who use the scope */
        used_by: string[];
      }[];
      paging: Paging;
      /** the form that registers another scope, as it was typed */
      form: Pick<FormState, 'made_from' | 'is_restored'> & {
        name: string;
        sentence: string;
        group_name: string;
        changes: boolean;
        problems: FieldRefusal[];
      };
      notice?: AdminNotice | undefined;
    };
    'admin-scope': AdminPage & {
      action: string;
      back_href: string;
      name: string;
      changes: boolean;
      /** a scope without which this server cannot show profiles */
      is_own: boolean;
      origin: ShownOrigin;
      /** `seed`: the seed of a claim or choice, if a seed registers it */
      uses: (ScopeUse & { href: string | undefined; seed: string | null })[];
      /** the commands that run the seeds of the scope, and of the claims and choices that use the scope */
      runs: string[];
      allowed_by: CountedPeople;
      form: SentencesForm;
      /** undefined for a scope without a group */
      group: { name: string; origin: ShownOrigin; form: SentencesForm } | undefined;
      /** value of `made_from` in the form that deletes the scope */
      made_from: string;
      notice?: AdminNotice | undefined;
      problem?: ScopeProblem | undefined;
    };
    'admin-resources': AdminPage & {
      action: string;
      resources: { resource: string; href: string; format: FormatName; scopes: string[]; disabled: boolean }[];
      paging: Paging;
      form: Pick<FormState, 'made_from' | 'is_restored'> & ResourceFields & { resource: string };
      notice?: AdminNotice | undefined;
    };
    'admin-resource': AdminPage & {
      action: string;
      back_href: string;
      resource: string;
      scopes: { name: string; href: string }[];
      format: FormatName;
      client_id: string | undefined;
      client_href: string | undefined;
      disabled_at: Date | undefined;
      /** when the last JWT for the disabled resource expires, unless all have expired */
      jwts_until: Date | undefined;
      origin: ShownOrigin;
      /** the form that changes the resource; undefined for a disabled resource */
      form: (FormState & ResourceFields) | undefined;
      /** what is different in the form of a resource that was disabled meanwhile */
      entered?: Partial<Omit<ResourceFields, 'problems'>> | undefined;
      /** the statement that registers the resource as it is stored, with what was entered */
      statement: string;
      /** the command that runs the seed of the disabled resource, if a seed registers it */
      run: string | undefined;
      /** value of `made_from` in the form that deletes the resource */
      made_from: string;
      notice?: AdminNotice | undefined;
      problem?: ResourceProblem | undefined;
    };
  }
}
