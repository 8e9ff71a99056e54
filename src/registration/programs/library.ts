import { SourceText } from '../console/source-text.ts';

/** What a program has to know to be a client of this server. */
export interface Connection {
  issuer: string;
  client_id: string;
  redirect_uri: string;
  scope: string;
  /** A scope that the tokens of the client have, by each name under which an answer can state it. */
  needed: readonly string[];
  /** The client has no secret. */
  is_public: boolean;
  /** The operator's name for this server. */
  brand: string;
  /** The resources whose server the client is: tokens of other resources are not for it. */
  audiences: readonly string[];
}

/**
 * A library for which the console has a program: the program reads the secret from the variable CLIENT_SECRET, and needs nothing
 * else.
 */
export interface Library {
  /** the library's name in the address of its page */
  id: string;
  name: string;
  /** the file name under which a person saves the program */
  file: string;
  /** The program authenticates as the client, so a public client cannot use it. */
  needs_secret?: boolean;
  /** The program runs in the browser, which can keep no secret, so it is for public clients. */
  is_in_browser?: boolean;
  /** Which redirection URIs the program can use, and the path of such a URI; without this, any. */
  answers_at?: { accepts: (redirect_uri: string) => boolean; path: string };
  program: (connection: Connection) => SourceText;
}

/** The port at which a program answers: the port of a local redirection URI, otherwise a port behind a proxy with TLS. */
export function portOf(redirect_uri: string): number {
  const { protocol, port } = new URL(redirect_uri);
  return protocol === 'http:' ? Number(port || 80) : 8080;
}

/** What a program with pages says when it runs: a public address leads to it only through a proxy. */
export function opening(redirect_uri: string): string {
  const isLocal = redirect_uri.startsWith('http:');
  return `Open ${new URL('/', redirect_uri)}${isLocal ? '' : `, which your proxy passes on to port ${portOf(redirect_uri)}`}`;
}

/** The Python libraries refuse addresses without TLS, also as the redirection URI of an app on a device. */
export const needsTlsSwitch = ({ issuer, redirect_uri }: Connection) =>
  ![issuer, redirect_uri].every((uri) => uri.startsWith('https://'));

/** The comment in each program that reads the profile: names and addresses change, and somebody else can get them. */
export const advice = new SourceText('identify people by sub, never by address or name');

/** What a program says of a refusal in place of the profile, or of an answer without `sub`: nobody has signed in. */
export const nobody = new SourceText('the server does not say who this is');

/** A program on the command line listens nowhere, so the browser ends at an address that it cannot open. */
export const unreachable =
  'An error page of the browser ("This site can\'t be reached") is normal then: copy the address of that page.';

/** The path of an authorization request, to which a caller adds what the request needs further. */
export function authorizationPath(
  { client_id, redirect_uri, scope }: Connection,
  more: Record<string, string> = {},
): string {
  const request = { response_type: 'code', client_id, redirect_uri, scope, code_challenge_method: 'S256', ...more };
  return `/authorize?${new URLSearchParams(request)}`;
}
