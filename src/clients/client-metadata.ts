import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { assertionAlgorithms } from '../lib/client-jwt.ts';
import { clientMembers, type StatedSecurity, statedSecurity } from '../lib/client-members.ts';
import { type AuthenticationMethod, clientMethods, methodNames } from '../lib/client-methods.ts';
import { OAuthError } from '../lib/errors.ts';
import { algorithm } from '../lib/jwt.ts';
import { oneLine } from '../lib/one-line.ts';
import { isStorable } from '../lib/parameters.ts';
import { readScope, type ScopeCatalogue, scopeProblem, withoutOfflineAccess } from '../lib/scope.ts';
import type { GrantType } from './client.ts';
import { supportedMethods } from './client-certificate.ts';
import type { ClientMetadata } from './self-registration.ts';

const text = (maxLength: number) => z.string().max(maxLength).refine(isStorable);

/** migrations/functions/check_jwks.sql checks what the members mean. */
const jwk = z.record(text(200), z.union([text(8000), z.number(), z.boolean(), z.array(text(8000))]));

const grantTypes = ['authorization_code', 'refresh_token'] as const satisfies GrantType[];

const keySet = z.object({ keys: z.array(jwk).max(100) });

function schemaOf(name: keyof StatedSecurity): z.ZodType {
  const { type, values } = clientMembers[name];
  if (type === 'boolean') return z.boolean().default(false);
  const ofText = values ? z.enum(values) : text(2000);
  const types: Record<typeof type, z.ZodType> = { text: ofText, 'text[]': z.array(text(200)).max(100), jsonb: keySet };
  return types[type].nullable().default(null);
}

/** How the client proves who it is, and what it demands of requests and tokens. */
const security = z.object({
  ...(Object.fromEntries(statedSecurity.map((name) => [name, schemaOf(name)])) as {
    [Name in keyof StatedSecurity]: z.ZodType<StatedSecurity[Name]>;
  }),
  token_endpoint_auth_method: z.enum(methodNames).default('client_secret_basic'),
});

const choices = {
  token_endpoint_auth_methods_supported: z
    .array(text(100).regex(/^[\w.:-]+$/))
    .min(1)
    .max(20)
    .optional(),
};

const answers = {
  // this server signs with one algorithm only: a client that cannot verify it is told so
  authorization_signed_response_alg: z.literal(algorithm).optional(),
  introspection_signed_response_alg: z.literal(algorithm).optional(),
};

/**
 * The members that this server knows, with the defaults of their specifications [7591 §2; 8705 §2.1.2, §3.4; 9101 §10.5; 9126 §6;
 * 9449 §5.2; 9701 §6; JARM §3; OpenID Connect RP Metadata Choices 1.0 §2]; others are ignored.
 */
export const clientMetadata = z.object({
  redirect_uris: z.array(text(16_384)).default([]),
  // a name that pages would have to clean is meant to deceive
  client_name: text(200)
    .refine((name) => oneLine(name, 200) === name)
    .optional(),
  client_uri: text(2000).optional(),
  logo_uri: text(2000).optional(),
  policy_uri: text(2000).optional(),
  tos_uri: text(2000).optional(),
  scope: text(2000).optional(),
  grant_types: z.array(text(200)).default(['authorization_code']),
  response_types: z
    .array(text(200))
    .refine((types) => types.includes('code'))
    .default(['code']),
  ...security.shape,
  ...choices,
  ...answers,
});

/** What a member is in JSON, as the documentation says it. */
export function jsonTypeOf(name: keyof typeof clientMetadata.shape): string {
  const json = z.toJSONSchema(clientMetadata.shape[name], { io: 'input', unrepresentable: 'any' });
  return `${[json, ...(json.anyOf ?? [])].find(({ type }) => type !== undefined)?.type}`;
}

/** The members of a request; null stands for an omitted one [7592 §2.2]. */
export function withoutNull(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** Returns the scope of a registration; undefined if it is not a text, or names only offline_access. */
export function scopeIn({ scope }: Record<string, unknown>): string | undefined {
  return typeof scope === 'string' ? withoutOfflineAccess(scope) : undefined;
}

/**
 * Reads the metadata of a registration. `defaultScopes` are the scopes of a client that states none, `methods` those among which this
 * server chooses if the client offers several.
 */
export function readMetadata(
  config: Config,
  members: Record<string, unknown>,
  catalogue: ScopeCatalogue,
  defaultScopes: string[],
  methods: readonly AuthenticationMethod[] = supportedMethods(config),
): ClientMetadata {
  const chosen = withoutNeedlessAlgorithm(withChosenMethod(members, methods));
  const { success, data, error } = clientMetadata.safeParse(chosen);
  if (!success) throw invalidMetadata(String(error.issues[0]?.path[0]));
  const grant_types = grantTypes.filter((type) => data.grant_types.includes(type));
  if (!grant_types.includes('authorization_code')) throw invalidMetadata('grant_types');
  refuseUnsupported(config, data);
  const scope = scopeIn(data);
  return {
    ...security.parse(data),
    name: data.client_name,
    redirect_uris: withoutSchemesOfOneWord(data.redirect_uris),
    scopes: scope ? scopesIn(scope, catalogue) : defaultScopes,
    homepage_uri: httpsOnly(data.client_uri),
    logo_uri: httpsOnly(data.logo_uri),
    policy_uri: httpsOnly(data.policy_uri),
    tos_uri: httpsOnly(data.tos_uri),
    grant_types,
    offered_methods: data.token_endpoint_auth_methods_supported ?? null,
  };
}

const strengths = { certificate: 2, signature: 2, secret: 1, nothing: 0 };

/**
 * Chooses the strongest method of those that a client offers: a client that can use a key must
 * [OpenID Connect RP Metadata Choices 1.0 §2; MCP SEP-3149]. Of methods of the same strength, the one that the client prefers counts.
 */
function withChosenMethod(
  members: Record<string, unknown>,
  known: readonly AuthenticationMethod[],
): Record<string, unknown> {
  const { token_endpoint_auth_method: preferred, token_endpoint_auth_methods_supported: offered } = members;
  if (!Array.isArray(offered)) return members;
  const rankOf = (name: AuthenticationMethod) => 2 * strengths[clientMethods[name].proof] + Number(name === preferred);
  const [chosen] = known
    .filter((name) => name === preferred || (offered.includes(name) && canUse(name, members)))
    .toSorted((one, other) => rankOf(other) - rankOf(one));
  if (chosen === undefined && preferred === undefined) throw invalidMetadata('token_endpoint_auth_methods_supported');
  if (chosen === undefined) return members;
  // what belongs to another method than the chosen one
  const needless = chosen === 'tls_client_auth' ? [] : namesInCertificates;
  return { ...without(members, needless), token_endpoint_auth_method: chosen };
}

const namesInCertificates = clientMethods.tls_client_auth.needs ?? [];

const without = (members: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** Whether the client has stated what a method needs. */
function canUse(name: AuthenticationMethod, members: Record<string, unknown>): boolean {
  const { token_endpoint_auth_signing_alg: alg = 'ES256' } = members;
  const { proof, needs } = clientMethods[name];
  const canSign = proof !== 'signature' || assertionAlgorithms.some((one) => one === alg);
  return canSign && (needs === undefined || needs.some((member) => members[member] !== undefined));
}

/** Leaves out an algorithm of assertions, which many clients state although they sign no assertion. */
function withoutNeedlessAlgorithm(members: Record<string, unknown>): Record<string, unknown> {
  const signs = members['token_endpoint_auth_method'] === 'private_key_jwt';
  return signs ? members : without(members, ['token_endpoint_auth_signing_alg']);
}

/**
 * Leaves out schemes such as cursor://, which apps register beside other addresses: any app may claim such a scheme, which names no
 * domain [8252 §7.1]. The answer says that they were left out [7591 §3.2.1].
 */
function withoutSchemesOfOneWord(uris: string[]): string[] {
  const kept = uris.filter((uri) => /^https?:/.test(uri) || !/^[a-z][a-z0-9+-]*:\/\/[a-z]/.test(uri));
  return kept.length > 0 ? kept : uris;
}

/** Refuses what this server could not keep, instead of ignoring it: the client would think that it is protected. */
function refuseUnsupported(config: Config, data: z.infer<typeof clientMetadata>): void {
  const { token_endpoint_auth_method, tls_client_certificate_bound_access_tokens } = data;
  if (!supportedMethods(config).some((method) => method === token_endpoint_auth_method)) {
    throw invalidMetadata('token_endpoint_auth_method');
  }
  if (tls_client_certificate_bound_access_tokens && !config.takes_certificates) {
    throw invalidMetadata('tls_client_certificate_bound_access_tokens');
  }
}

export function invalidMetadata(member: string): OAuthError {
  return new OAuthError('invalid_client_metadata', `${member} is malformed or not supported`);
}

/** Returns the key set that a person has typed; a text that is not a key set stays a text, which the database refuses. */
export function typedKeySet(typed: string): object | string | null {
  if (typed === '') return null;
  try {
    return keySet.parse(JSON.parse(typed));
  } catch {
    return typed;
  }
}

function scopesIn(scope: string, catalogue: ScopeCatalogue): string[] {
  const all = catalogue.map(({ name }) => name);
  const scopes = readScope(catalogue, scope, all);
  if (!scopes) throw new OAuthError('invalid_client_metadata', scopeProblem(catalogue, scope, all));
  return scopes;
}

/** Returns the scopes of a client that states none: all permissions that change nothing. */
export function harmlessScopes(catalogue: ScopeCatalogue): string[] {
  return catalogue.filter(({ changes }) => !changes).map(({ name }) => name);
}

function httpsOnly(uri: string | undefined): string | null {
  return uri?.startsWith('https://') ? uri : null;
}
