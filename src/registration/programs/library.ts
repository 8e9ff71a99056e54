import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import { root } from '../../folders.ts';
import type { Quoting } from '../console/source-text.ts';

/** What a program has to know to be a client of this server. */
export interface Connection {
  issuer: string;
  client_id: string;
  redirect_uri: string;
  scope: string;
  /** A scope that the tokens of the client have, by each name under which an answer can state it. */
  needed: readonly string[];
  /** Whether the client has no secret. */
  is_public: boolean;
  /** The operator's name for this server. */
  brand: string;
  /** The resources whose server the client is: tokens of other resources are not for it. */
  audiences: readonly string[];
  /** The choice of its scope, of a program for an API. */
  choice?: string;
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
  /** Whether the program authenticates as the client, so that a public client cannot use it. */
  needs_secret?: boolean;
  /** Whether the program runs in the browser, which can keep no secret, so that it is for public clients. */
  is_in_browser?: boolean;
  /** Which redirection URIs the program can use, and the path of such a URI; without this, any. */
  answers_at?: { accepts: (redirect_uri: string) => boolean; path: string };
  program: (connection: Connection) => string;
}

/** The language of a program, by the end of its file's name. */
const languages: Readonly<Record<string, string>> = {
  ...{ sh: 'Shell', mjs: 'JavaScript', html: 'JavaScript', py: 'Python', go: 'Go', properties: 'Java' },
  ...{ conf: 'Apache', template: 'nginx' },
};

export const languageOf = ({ file }: Pick<Library, 'file'>): string =>
  languages[file.slice(file.lastIndexOf('.') + 1)] ?? file;

interface Described extends Omit<Library, 'program'> {
  /** the file in views/registration/programs, in which `<%= value %>` is quoted for the language of the program */
  template: string;
  quoting: Quoting;
  /** what the template knows beside the connection */
  values?: (connection: Connection) => object;
}

const directory = fileURLToPath(new URL('views/registration/programs/', root));

/** Every program that reads the profile says to identify people by `sub`: names and addresses change, and somebody else can get them. */
export function library({ template, quoting, values = () => ({}), ...about }: Described): Library {
  const run = ejs.compile(readFileSync(directory + template, 'utf8'), { filename: template, escape: quoting });
  return { ...about, program: (connection) => run({ ...connection, unreachable, ...values(connection) }).trim() };
}

/** A program on the command line listens nowhere, so the browser ends at an address that it cannot open. */
const unreachable = 'The browser may show an error page: copy its address.';

/** The path of an authorization request, to which a caller adds what the request needs further. */
export function authorizationPath(
  { client_id, redirect_uri, scope }: Connection,
  more: Record<string, string> = {},
): string {
  const request = { response_type: 'code', client_id, redirect_uri, scope, code_challenge_method: 'S256', ...more };
  return `/authorize?${new URLSearchParams(request)}`;
}
