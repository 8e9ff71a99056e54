/** Titles and explanations are texts `step.<name>.title` and `step.<name>.text`. */
export type PlaygroundStep =
  | 'authorization_request'
  | 'authorization_response'
  | 'refused_response'
  | 'token_request'
  | 'resource_request'
  | 'refresh_request'
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
  | 'token_twice';

/** A parameter with a text `parameter.<name>` is annotated with it; any other is shown without a word. */
export interface HttpParameter {
  name: string;
  value: string;
}

/** Who sends a request of the flow. */
export type Carrier = 'browser' | 'application';

export interface HttpExchange {
  step: PlaygroundStep;
  /** Whether the browser carried it or the application's server sent it by itself: the heart of the code flow. */
  by: Carrier;
  request: {
    method: 'GET' | 'POST' | 'PATCH';
    /** Without the query, which is in `query`. */
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

/** An exchange with what a reader may do with it. */
export interface ShownExchange extends HttpExchange {
  sections: { label: string; href: string }[];
  curl?: string | undefined;
  /** The request hands in what is good once, so the command is one more attempt of it. */
  once?: boolean | undefined;
  /** The server turned away what it has to turn away. */
  is_rightly_refused?: boolean | undefined;
  /** The answer is a page; here it can be seen. */
  page_href?: string | undefined;
}

/** What an application does with its tokens, and what nobody should; each has a text `break.<name>`. */
export type PlaygroundUse = 'refresh' | 'change_profile' | 'revoke';
export type PlaygroundBreak =
  | 'reused_code'
  | 'wrong_verifier'
  | 'foreign_redirect_uri'
  | 'expired_token'
  | 'refresh_replay'
  | 'wrong_secret'
  | 'tampered_token'
  | 'token_twice';

/** Why an answer at the callback was thrown away; each has a text `playground_problem.<name>`. */
export type PlaygroundProblem = 'no_memory' | 'already_used' | 'state_mismatch' | 'iss_mismatch' | 'no_code';

export interface PlaygroundViews {
  playground: {
    csrf: string;
    /** Into the authorization endpoint, with the request that is shown below. */
    start_href?: string | undefined;
    /** To the same page with `prompt=consent`. */
    ask_again_href?: string | undefined;
    restart_href?: string | undefined;
    /** From one attempt back to the whole flow. */
    flow_href?: string | undefined;
    /** Posts `break=<name>`. */
    break_action?: string | undefined;
    uses: PlaygroundUse[];
    breaks: PlaygroundBreak[];
    exchanges: ShownExchange[];
    /** What the application asked for, and whether the person left it ticked. */
    permissions?: { scope: string; sentence: string; granted: boolean }[] | undefined;
    /** What the application knows in the end: the answer of GET /user. */
    received?: HttpParameter[] | undefined;
    /** The person refused, and the application was told so. */
    is_denied?: boolean | undefined;
    /** Nothing is left that needs a token. */
    ended?: boolean | undefined;
    problem?: PlaygroundProblem | undefined;
    /** The page is open under another name than the server's own. */
    other_host?: { host: string; domain: string; href: string } | undefined;
    demo_user?: { username: string; password: string } | undefined;
  };
}
