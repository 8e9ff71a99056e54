import { assertionAlgorithms, clientAlgorithms } from './client-jwt.ts';

// All that can be registered about a client. Types, columns, options of the command line, the console's form, what /register and
// metadata documents read and answer, and its description follow from this table; test/clients/client-members.test.ts compares it with
// the database.

interface Member {
  /** the type of the argument of register_client */
  readonly type: 'text' | 'text[]' | 'boolean' | 'jsonb';
  /** the default of that argument; if there is none, the member must be stated */
  readonly default?: string | boolean | null | readonly string[] | Readonly<Record<string, string>>;
  /** who may state the member besides operators, who state everything in a seed */
  readonly setBy: readonly ('owner' | 'client')[];
  /** the function in migrations/functions that has its rules */
  readonly rule?: 'check_registration' | 'check_client_security';
  /** the name that the client uses, if it differs */
  readonly wire?: string;
  /** where it is stored, if not in a column of its name */
  readonly column?: 'secrets_sha256' | 'owner_id' | 'token_binding';
  /** the accepted values; others are refused */
  readonly values?: readonly string[];
  /** the option of `latchkey client create` */
  readonly option?: { readonly value?: string; readonly help: string };
}

/** Members that say what the client is and where it lives. */
export const identityMembers = {
  client_id: { type: 'text', setBy: [], rule: 'check_registration' },
  client_secret: { type: 'text', default: null, setBy: [], rule: 'check_registration', column: 'secrets_sha256' },
  name: { type: 'text', setBy: ['owner', 'client'], rule: 'check_registration', wire: 'client_name' },
  site_domain: { type: 'text', default: null, setBy: ['owner'], rule: 'check_registration' },
  redirect_uris: { type: 'text[]', setBy: ['owner', 'client'], rule: 'check_registration' },
  scopes: { type: 'text[]', setBy: ['owner', 'client'], rule: 'check_registration', wire: 'scope' },
  required_scopes: { type: 'text[]', default: [], setBy: ['owner'], rule: 'check_registration' },
  homepage_uri: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_registration',
    wire: 'client_uri',
    option: { value: 'URI', help: 'home page, within the site domain' },
  },
  logo_uri: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_registration',
    option: { value: 'URI', help: 'logo, within the site domain' },
  },
  policy_uri: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_registration',
    option: { value: 'URI', help: 'privacy policy, within the site domain' },
  },
  tos_uri: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_registration',
    option: { value: 'URI', help: 'terms of service, within the site domain' },
  },
  grant_types: {
    type: 'text[]',
    default: ['authorization_code', 'refresh_token'],
    setBy: ['client'],
    rule: 'check_registration',
  },
  resource_server: {
    type: 'boolean',
    default: false,
    setBy: [],
    option: { help: 'may introspect all access tokens for this server' },
  },
  scope_reasons: { type: 'jsonb', default: {}, setBy: ['owner'], rule: 'check_registration' },
  owner: { type: 'text', default: null, setBy: [], rule: 'check_registration', column: 'owner_id' },
  vouched: { type: 'boolean', default: null, setBy: [] },
  consent: {
    type: 'text',
    default: null,
    setBy: [],
    rule: 'check_registration',
    values: ['none'],
    option: { value: 'CONSENT', help: 'none: an application of yours, which does not ask for consent' },
  },
} as const satisfies Record<string, Member>;

/**
 * Members that say how the client authenticates, and what it demands of requests and tokens, by the names of RFC 7591 and its
 * successors.
 */
export const securityMembers = {
  token_endpoint_auth_method: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    option: { value: 'METHOD', help: 'how it authenticates, if not by a secret' },
  },
  token_endpoint_auth_signing_alg: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    values: assertionAlgorithms,
    option: { value: 'ALG', help: 'the only algorithm by which it signs its assertions' },
  },
  jwks: {
    type: 'jsonb',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    option: { value: 'FILE', help: 'JWK set of its public keys' },
  },
  jwks_uri: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    option: { value: 'URI', help: 'where it publishes its public keys' },
  },
  tls_client_auth_subject_dn: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    option: { value: 'DN', help: 'subject of its certificate' },
  },
  tls_client_auth_san_dns: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    option: { value: 'HOST', help: 'host name in its certificate' },
  },
  dpop_bound_access_tokens: {
    type: 'boolean',
    default: false,
    setBy: ['owner', 'client'],
    column: 'token_binding',
    option: { help: 'binds its access tokens to a DPoP key' },
  },
  tls_client_certificate_bound_access_tokens: {
    type: 'boolean',
    default: false,
    setBy: ['owner', 'client'],
    column: 'token_binding',
    option: { help: 'binds its access tokens to its certificate' },
  },
  token_type: {
    type: 'text',
    default: 'bearer',
    setBy: ['owner'],
    rule: 'check_client_security',
    column: 'token_binding',
    option: { value: 'TYPE', help: 'bearer or mac' },
  },
  require_pushed_authorization_requests: {
    type: 'boolean',
    default: false,
    setBy: ['owner', 'client'],
    option: { help: 'it must push its authorization requests' },
  },
  require_signed_request_object: {
    type: 'boolean',
    default: false,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    option: { help: 'it must sign them' },
  },
  request_object_signing_alg: {
    type: 'text',
    default: null,
    setBy: ['owner', 'client'],
    rule: 'check_client_security',
    values: clientAlgorithms,
    option: { value: 'ALG', help: 'the only algorithm by which it signs them' },
  },
  authorization_details_types: {
    type: 'text[]',
    default: null,
    setBy: ['client'],
    rule: 'check_client_security',
    option: { value: 'NAMES', help: 'the only choices that it may name, with a space between them' },
  },
  assertion_audience: {
    type: 'text',
    default: null,
    setBy: [],
    rule: 'check_client_security',
    values: ['issuer', 'address'],
    option: { value: 'AUDIENCE', help: 'what its assertions name: issuer, or address as RFC 7523 suggested' },
  },
  profile: {
    type: 'text',
    default: null,
    setBy: ['owner'],
    rule: 'check_client_security',
    option: { value: 'PROFILE', help: 'fapi2' },
  },
} as const satisfies Record<string, Member>;

const table = { ...identityMembers, ...securityMembers };
export const clientMembers: Readonly<Record<ClientMember, Member>> = table;
export const clientMemberNames = Object.keys(table) as ClientMember[];

type Table = typeof table;
export type ClientMember = keyof Table;
export type SecurityMember = keyof typeof securityMembers;

interface Values {
  text: string;
  'text[]': string[];
  boolean: boolean;
  /** a text that somebody typed is refused by the database */
  jsonb: object | string;
}
type ValueOf<M extends Member> = Values[M['type']] | (M extends { default: null } ? null : never);

/** A value of each member. */
export type ClientValues = { -readonly [Name in ClientMember]: ValueOf<Table[Name]> };

type Defaulted = { [Name in ClientMember]: Table[Name] extends { default: unknown } ? Name : never }[ClientMember];
type SetBy<Who> = {
  [Name in ClientMember]: Who extends Table[Name]['setBy'][number] ? Name : never;
}[ClientMember];

/** The members that are stored in a column of their name. */
export type StoredMember = {
  [Name in ClientMember]: Table[Name] extends { column: string } ? never : Name;
}[ClientMember];

export type OptionMember = {
  [Name in ClientMember]: Table[Name] extends { option: object } ? Name : never;
}[ClientMember];

/** The demands that need no more than a text, a yes or a choice among values: their type says how the console shows them. */
export type PlainMember = Exclude<
  SecurityMember & StoredMember & SetBy<'owner'>,
  'profile' | 'token_endpoint_auth_method' | 'jwks'
>;
export const plainMembers = (Object.keys(securityMembers) as SecurityMember[]).filter(
  (name): name is PlainMember =>
    clientMembers[name].column === undefined &&
    clientMembers[name].setBy.includes('owner') &&
    !['profile', 'token_endpoint_auth_method', 'jwks'].includes(name),
);

/** What a registration states; the rest has its default. */
export type ClientRegistration = Omit<ClientValues, Defaulted> & Partial<Pick<ClientValues, Defaulted>>;

/** What the owner states in the two forms of the console. */
export type OwnerRegistration = Pick<ClientValues, Exclude<SetBy<'owner'>, SecurityMember>>;
export type ClientSecurity = Pick<ClientValues, Extract<SetBy<'owner'>, SecurityMember>>;

/** What a client states about itself. */
export type SelfStatement = Pick<ClientValues, SetBy<'client'>>;
export type StatedSecurity = Pick<ClientValues, Extract<SetBy<'client'>, SecurityMember>>;
export const statedSecurity = (Object.keys(securityMembers) as SecurityMember[]).filter((name) =>
  clientMembers[name].setBy.includes('client'),
) as (keyof StatedSecurity)[];

/** What a client states and finds in a column of the same name, with what it calls it. */
export const statedColumns = clientMemberNames
  .filter((name) => clientMembers[name].setBy.includes('client') && clientMembers[name].column === undefined)
  .map((name) => ({ name: name as keyof SelfStatement & StoredMember, wire: wireNameOf(name) }));

export function wireNameOf(name: string): string {
  return clientMembers[name as ClientMember]?.wire ?? name;
}

/** The value of a registration in which every member is stated. */
export function withDefaults(registration: ClientRegistration): ClientValues {
  return { ...(defaults as Pick<ClientValues, Defaulted>), ...registration };
}

const defaults = Object.fromEntries(
  clientMemberNames.flatMap((name) => {
    const { default: value } = clientMembers[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** The columns in which members are stored. */
export const memberColumns = [...new Set(clientMemberNames.map((name) => clientMembers[name].column ?? name))];
