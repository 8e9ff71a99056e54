/** The person who is signed in, as the pages address them. */
export interface Viewer {
  username: string;
  name: string;
  /** Whether this person may register applications, so that the menu does not offer what would be refused. */
  developer?: boolean | undefined;
}

/** Why a form is not accepted, whatever is in it. */
export type FormProblem = 'form_expired' | 'cross_site';

/** Who looks at a page that everybody may see. */
export interface Visitor {
  viewer?: Viewer | undefined;
  /** For sign-out. */
  csrf?: string | undefined;
  /** Nobody is signed in; absent beside an absent viewer: it is not known. */
  signed_out?: boolean | undefined;
}

/** What people are told about an application. Everything here but the dates comes from its developer. */
export interface ClientFace {
  client_id: string;
  name: string;
  site_domain: string;
  homepage_uri?: string | undefined;
  logo_uri?: string | undefined;
  created_at: Date;
}

export interface PermissionGroup<Permission> {
  name: string;
  permissions: Permission[];
}

/** A piece of a URI; `differs` pieces are marked, so that the one wrong character can be seen. */
export interface UriPiece {
  text: string;
  differs: boolean;
}

export type UriPart = 'scheme' | 'host' | 'port' | 'path' | 'slash' | 'query' | 'fragment';

export interface RedirectMismatch {
  received: UriPiece[];
  registered: { pieces: UriPiece[]; differs_in: UriPart[] }[];
}

/** The ways on from a part of a list: to the next one, and back to the first. */
export interface Paging {
  first_href?: string | undefined;
  next_href?: string | undefined;
}
