import { readFileSync } from 'node:fs';
import {
  type ClientMember,
  type ClientRegistration,
  type ClientValues,
  clientMemberNames,
  clientMembers,
  type OptionMember,
} from '../lib/client-members.ts';
import { splitScope } from '../lib/scope.ts';
import { type Option, UsageError } from './command.ts';

type Dashed<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}-${Dashed<Rest>}` : Name;
const dashed = (name: ClientMember) => name.replaceAll('_', '-') as Dashed<ClientMember>;

/** An option for each member of a client that has an option. */
export const memberOptions = Object.fromEntries(
  clientMemberNames.flatMap((name) => {
    const { type, option } = clientMembers[name];
    return option ? [[dashed(name), { type: type === 'boolean' ? 'boolean' : 'string', ...option } as const]] : [];
  }),
) as Record<Dashed<OptionMember>, Option>;

type Given = Readonly<Record<Dashed<OptionMember>, string | boolean | string[] | undefined>>;

/** What the options state; the database validates it. */
export function membersIn(options: Given): Partial<Pick<ClientRegistration, OptionMember>> {
  const given = (Object.keys(memberOptions) as Dashed<OptionMember>[]).filter((name) => options[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => {
      const value = options[name];
      return [name.replaceAll('-', '_'), typeof value === 'string' ? valueIn(name, value) : value];
    }),
  );
}

function readJson(file: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    // the file may contain a private key, so the error does not quote it
    const isText = cause instanceof SyntaxError;
    throw isText ? new Error(`--jwks: ${file} is not JSON.`) : new Error('--jwks cannot be read', { cause });
  }
}

/** Options of `client update`: a member with a list repeats its option, and an empty text takes a member away. */
const identityOptions = {
  name: { type: 'string', value: 'NAME', help: 'shown to users' },
  'site-domain': { type: 'string', value: 'HOST', help: 'domain of all its redirection URIs' },
  'redirect-uri': {
    type: 'string',
    multiple: true,
    value: 'URI',
    help: 'redirection URI; replaces all others (repeatable)',
  },
  scope: {
    type: 'string',
    multiple: true,
    value: 'SCOPE',
    help: 'scope it may request; replaces all others (repeatable)',
  },
  'required-scope': {
    type: 'string',
    multiple: true,
    value: 'SCOPE',
    help: 'scope that users cannot deselect; replaces all others (repeatable)',
  },
} as const satisfies Record<string, Option>;

const changedMembers = Object.fromEntries(
  Object.entries(memberOptions).map(([name, option]) => {
    return [name, option.type === 'boolean' ? { ...option, type: 'string', value: 'yes|no' } : option];
  }),
) as Record<Dashed<OptionMember>, Option & { type: 'string' }>;

export const updateOptions = { ...identityOptions, ...changedMembers };

type Changes = { [Name in keyof typeof updateOptions]: string | string[] | undefined };

/** The changes that the options state. */
export function changesIn(options: Changes): Partial<ClientValues> {
  const lists = { 'redirect-uri': 'redirect_uris', scope: 'scopes', 'required-scope': 'required_scopes' } as const;
  const given = Object.entries(options).flatMap(([option, value]): [string, unknown][] => {
    if (value === undefined) return [];
    if (Array.isArray(value)) {
      const member = lists[option as keyof typeof lists];
      const values = member === 'redirect_uris' ? value : value.flatMap(splitScope);
      return value.length === 0 ? [] : [[member, values.filter((one) => one !== '')]];
    }
    return [[option.replaceAll('-', '_'), memberValue(option, value)]];
  });
  return Object.fromEntries(given);
}

const typeOf = (option: string) => clientMembers[option.replaceAll('-', '_') as ClientMember].type;

function valueIn(option: string, text: string): unknown {
  if (option === 'jwks') return readJson(text);
  return typeOf(option) === 'text[]' ? splitScope(text) : text;
}

function memberValue(option: string, value: string): unknown {
  if (typeOf(option) !== 'boolean') return value === '' ? null : valueIn(option, value);
  if (value === 'yes' || value === 'no') return value === 'yes';
  throw new UsageError(`client update: --${option} is yes or no`);
}

/** Whether a client with these options has a secret; a client with a key or a certificate has none. */
export function needsSecret(options: Pick<Given, 'token-endpoint-auth-method'> & { public: boolean }): boolean {
  const method = String(options['token-endpoint-auth-method'] ?? 'client_secret_basic');
  if (!options.public) return method.startsWith('client_secret_');
  if (options['token-endpoint-auth-method'] !== undefined && method !== 'none') {
    throw new UsageError(`client create: a --public client has no --token-endpoint-auth-method ${method}`);
  }
  return false;
}
