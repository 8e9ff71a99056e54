import type { ErrorCode } from '../lib/errors.ts';
import type { RedirectUriDifference } from '../lib/redirect-uri-difference.ts';
import type { ShownClient, Visitor } from '../web/views/parts.ts';

/** An authorization response: a link to the redirection URI, or a form that is posted there. */
export type ClientAnswer = { href: string } | { action: string; fields: { name: string; value: string }[] };

interface AnswerViews {
  'error-explained': Visitor & { code: ErrorCode; codes: readonly ErrorCode[] };
  error: Visitor & {
    code: ErrorCode;
    /** The fixed English sentence that a client would read as error_description. */
    description: string;
    /** The client_id of the request, if it names no application. */
    client_id?: string | undefined;
    request_id: string;
    /** The error was met at the authorization endpoint: the page says why the person was not redirected. */
    not_redirected: boolean;
    /** A later request to the same address may well succeed, in a moment. */
    is_passing: boolean;
    mismatch?: RedirectUriDifference | undefined;
    /** The application of this person that is disabled; nobody else learns that it exists. */
    own_disabled?: { name: string; href: string; may_enable: boolean } | undefined;
    /** The name of an application that had registered itself and was deleted, because nobody used it any more. */
    buried_name?: string | undefined;
    /** Only the person who develops the application can use it. */
    is_for_another: boolean;
    /** where this person changes the redirection URIs of their application */
    own_redirects_href?: string | undefined;
  };
  /** The answer to an application that asked for it as a form; the script sends the form. */
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
}

declare module '../web/views/views.ts' {
  interface Views extends AnswerViews {}
}
