/** How the tables of a contestant come to be, and how credentials are put into them without being asked for by HTTP. */
export interface Seed {
  /** a value that the contestant would take for one of its own */
  readonly secret: (kind: Kind) => string;
  readonly schema: string;
  /** statements whose $1 is the text[] of new values */
  readonly insert: Readonly<Record<Kind, string>>;
}

/** What is measured, and at the same time the credential that it takes: a code, a refresh token, an access token. */
export const kinds = ['exchange', 'refresh', 'resource'] as const;
export type Kind = (typeof kinds)[number];

/** With --fapi also the pushed authorization request, which takes no credential. */
export const fapiKinds = ['par', ...kinds] as const;
export type FapiKind = (typeof fapiKinds)[number];

/** Credentials are spread over this many people, so that no row is hotter than in life. */
export const people = 1000;

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const array = (texts: readonly string[]): string => `array[${texts.map(literal).join(', ')}]`;

/** A table of people that all contestants but Latchkey share the shape of. */
export const usersTable = `
  create table users (user_id integer primary key, username text not null unique, email text, name text);
  insert into users select n, 'person-' || n, 'person-' || n || '@example.com', 'Person ' || n
  from generate_series(1, ${people}) n;`;
