import type { AuthorizationDetail } from '../oauth/choice/authorization-details.ts';
import type { Visitor } from '../web/views/parts.ts';
/** Requests of the flow; each has texts `step.<name>.title` and `step.<name>.text`. */
export type PlaygroundStep =
  | 'push_request'
  | 'authorization_request'
  | 'authorization_by_reference'
  | 'authorization_response'
  | 'refused_response'
  | 'token_request'
  | 'introspection_request'
  | 'resource_request'
  | 'nonce_demanded'
  | 'refresh_request'
  | 'narrowed_request'
  | 'change_request'
  | 'revocation_request'
  | 'reused_code'
  | 'wrong_verifier'
  | 'spent_code'
  | 'foreign_redirect_uri'
  | 'expired_token'
  | 'revoked_token'
  | 'refresh_replay'
  | 'wrong_secret'
  | 'tampered_token'
  | 'token_twice'
  | 'stolen_accepted'
  | PlaygroundTheft;

/** A parameter that the text `parameter.<name>` explains, if there is such a text. */
export interface HttpParameter {
  name: string;
  value: string;
}

/** Who sends a request of the flow. */
export type Carrier = 'browser' | 'application';

export interface HttpExchange {
  step: PlaygroundStep;
  by: Carrier;
  request: {
    method: 'GET' | 'POST' | 'PATCH';
    /** The address without the query, which is in `query`. */
    url: string;
    query?: HttpParameter[] | undefined;
    headers?: HttpParameter[] | undefined;
    body?: HttpParameter[] | undefined;
  };
  response?:
    | {
        status: number;
        headers: HttpParameter[];
        /** Members of the JSON body. */
        members?: HttpParameter[] | undefined;
      }
    | undefined;
}

/** The members of a DPoP proof; each has a text `proof.<name>`. */
export type ProofMember = 'typ' | 'alg' | 'jwk' | 'htm' | 'htu' | 'ath' | 'nonce' | 'iat' | 'jti';

/** A proof, decoded. */
export interface ShownProof {
  header: { name: ProofMember; value: string }[];
  claims: { name: ProofMember; value: string }[];
  /** The thumbprint of the public key in the header. */
  thumbprint: string;
}

/** What the request contains that works once, so that the server refuses the command; each has a text `repeated.<name>`. */
export type RepeatedPart = 'code' | 'proof' | 'request_uri';

/** An exchange with links and a command to repeat its request. */
export interface ShownExchange extends HttpExchange {
  sections: { label: string; href: string }[];
  proof?: ShownProof | undefined;
  curl?: string | undefined;
  repeated?: RepeatedPart | undefined;
  /** The server accepted a stolen token, because the token works for everybody. */
  is_stolen?: boolean | undefined;
  /** The server refused, as it has to. */
  is_rightly_refused?: boolean | undefined;
  /** The address of the answer, if that is a page to be opened here. */
  page_href?: string | undefined;
}

/** Requests and attacks that a person can try; each has a text `break.<name>`. */
export type PlaygroundUse = 'refresh' | 'narrow' | 'change_profile' | 'revoke';
export type PlaygroundBreak =
  | 'reused_code'
  | 'wrong_verifier'
  | 'foreign_redirect_uri'
  | 'expired_token'
  | 'refresh_replay'
  | 'wrong_secret'
  | 'tampered_token'
  | 'token_twice';
export type PlaygroundTheft = 'stolen_bearer' | 'stolen_replayed' | 'stolen_other_key';

/**
 * Two ways through the flow; each has texts `mode.<name>` and `mode.text_<name>`. In the bound flow, the request is pushed and the
 * tokens are bound to a key.
 */
export type PlaygroundMode = 'plain' | 'bound';

/** The reason why the callback rejected an answer; each has a text `playground_problem.<name>`. */
export type PlaygroundProblem = 'no_memory' | 'already_used' | 'state_mismatch' | 'iss_mismatch' | 'no_code';

declare module '../web/views/views.ts' {
  interface Views {
    /** The login page of a provider's website, which the demo plays; without a request if the page got no valid one. */
    'demo-website': { csrf: string; people: { sub: string; name: string }[]; request: string | undefined };
    /** What the demo would have mailed; a line with `is_link` is the address of a page here. */
    'demo-mails': Visitor & {
      mails: { to: string; subject: string; sent_at: Date; lines: { text: string; is_link: boolean }[] }[];
    };
    playground: Visitor & {
      csrf: string;
      /** The form for a new application, or the chapter about it for people who may not register applications. */
      register_href: string;
      mode: PlaygroundMode;
      mode_hrefs: Record<PlaygroundMode, string>;
      /** The authorization request that is shown below. */
      start_href?: string | undefined;
      /** Pushes the request that is shown below, then sends the browser after it. */
      start_action?: string | undefined;
      /** Leads through the flow again, with `prompt=consent`. */
      ask_again_href?: string | undefined;
      restart_href?: string | undefined;
      /** Back from an attempt to the whole flow. */
      flow_href?: string | undefined;
      /** Posts `break=<name>`. */
      break_action?: string | undefined;
      uses: PlaygroundUse[];
      breaks: PlaygroundBreak[];
      thefts: PlaygroundTheft[];
      exchanges: ShownExchange[];
      /** What the application requested, and whether the person granted it. */
      permissions?:
        | { scope: string; sentence: string; sentences?: Readonly<Record<string, string>>; granted: boolean }[]
        | undefined;
      /** What the person chose for the application to see. */
      chosen?: AuthorizationDetail[] | undefined;
      /** Where the person can choose anew. */
      choice_href?: string | undefined;
      /** The answer of GET /user. */
      received?: HttpParameter[] | undefined;
      /** The person denied access. */
      is_denied?: boolean | undefined;
      /** The application has no token any more. */
      ended?: boolean | undefined;
      problem?: PlaygroundProblem | undefined;
      /** The page was opened under another host name than the issuer's. */
      other_host?: { host: string; domain: string; href: string } | undefined;
      /** A form posts `website`: whether people can also sign in at the website of the demo. */
      website?: { is_on: boolean; action: string } | undefined;
      demo_user?: { username: string; password: string } | undefined;
    };
  }
}
