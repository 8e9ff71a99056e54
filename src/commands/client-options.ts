import { readFileSync } from 'node:fs';
import {
  type ClientMember,
  type ClientRegistration,
  clientMemberNames,
  clientMembers,
  type OptionMember,
} from '../protocol/client-members.ts';
import { type Option, UsageError } from './command.ts';

type Dashed<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}-${Dashed<Rest>}` : Name;
const dashed = (name: ClientMember) => name.replaceAll('_', '-') as Dashed<ClientMember>;

/** One option for each member of a client that has one. */
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
    given.map((name) => [name.replaceAll('-', '_'), name === 'jwks' ? readJson(String(options[name])) : options[name]]),
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

/** Whether a client with these options has a secret; one with a key or a certificate has none. */
export function needsSecret(options: Pick<Given, 'token-endpoint-auth-method'> & { public: boolean }): boolean {
  const method = String(options['token-endpoint-auth-method'] ?? 'client_secret_basic');
  if (!options.public) return method.startsWith('client_secret_');
  if (options['token-endpoint-auth-method'] !== undefined && method !== 'none') {
    throw new UsageError(`client create: a --public client has no --token-endpoint-auth-method ${method}`);
  }
  return false;
}
