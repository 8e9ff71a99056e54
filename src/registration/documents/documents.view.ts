import type { SignedIn } from '../../accounts/profile/account.view.ts';
import type { FormProblem, FormState } from '../../web/views/parts.ts';
import type { ApplicationForm } from '../console/developer.view.ts';

/** Each has a text `notice.<name>`. */
export type DocumentNotice = 'document_made' | 'document_saved' | 'document_deleted';

declare module '../../web/views/views.ts' {
  interface Views {
    /** The documents of a person, and a form for another one. */
    'developer-documents': SignedIn &
      DocumentForm & {
        documents: { name: string; client_id: string; change_href: string }[];
        /** Makes sure that the form makes one document. */
        ticket: string;
      };
    /** The form of one document. */
    'developer-document': SignedIn & DocumentForm & { client_id: string; delete_action: string };
  }
}

export interface DocumentForm extends FormState {
  action: string;
  name: string;
  /** One in each line, as typed. */
  redirect_uris: string;
  /** Scopes, separated by spaces, as typed. */
  scope: string;
  problems?: ApplicationForm['problems'];
  problem?: FormProblem | 'too_many_documents' | undefined;
  notice?: DocumentNotice | undefined;
}
