import { z } from 'zod';
import { clientMetadata } from '../../clients/client-metadata.ts';
import type { tokenTypeOf } from '../../lib/binding.ts';
import { errorStatus } from '../../lib/errors.ts';
import { algorithm } from '../../lib/jwt.ts';
import { macAlgorithm } from '../../lib/mac.ts';
import { profileFieldNames, profileFields } from '../../lib/profile.ts';
import { responseModes } from '../../lib/response-mode.ts';
import {
  authorizationDestination,
  authorizationRequest,
  codeGrant,
  profileChange,
  refreshGrant,
  shownAccessToken,
  shownToken,
} from '../../web/request-schemas.ts';
import type { Schema } from './openapi-operation.ts';

export const text: Schema = { type: 'string' };
const uri: Schema = { type: 'string', format: 'uri' };
const boolean: Schema = { type: 'boolean' };
const integer: Schema = { type: 'integer' };
const seconds: Schema = { type: 'integer', description: 'seconds since 1970' };
const list = (items: Schema): Schema => ({ type: 'array', items });

/** An object whose members are required unless they are named optional. */
export function object(members: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(members).filter((name) => !optional.includes(name));
  return { type: 'object', properties: members, ...(required.length > 0 && { required }) };
}

const tokenTypes: ReturnType<typeof tokenTypeOf>[] = ['Bearer', 'DPoP', 'mac'];
const token_type: Schema = { enum: tokenTypes };
const grantTypes: Schema = { enum: ['authorization_code', 'refresh_token'] };

/** Credentials of a client in a body; all may be left out where the client authenticates by HTTP Basic. */
const credentials = {
  client_id: text,
  client_secret: text,
  client_assertion: text,
  client_assertion_type: text,
};

/** What an address reads by a schema. Unicode properties are left out: not every reader of patterns knows them. */
function read(schema: z.ZodObject): Record<string, Schema> {
  const withoutUnicode = ({ jsonSchema }: { jsonSchema: { pattern?: string } }) => {
    if (/\\p\{/i.test(jsonSchema.pattern ?? '')) delete jsonSchema.pattern;
  };
  return z.toJSONSchema(schema, { io: 'input', override: withoutUnicode }).properties as Record<string, Schema>;
}

/** A parameter without a value counts as omitted [6749 §3.1]. */
const filled = (schema: z.ZodObject) =>
  Object.fromEntries(Object.entries(read(schema)).map(([name, one]) => [name, { ...one, minLength: 1 }]));

const grantParameters = { ...read(codeGrant), ...read(refreshGrant), resource: uri, ...credentials };
const tokenRequest = { grant_type: grantTypes, ...grantParameters };

const authorizationParameters = {
  ...read(authorizationDestination),
  ...read(authorizationRequest),
  response_type: { enum: ['code'] },
  response_mode: { enum: responseModes },
  login_hint: text,
  ui_locales: text,
  resource: uri,
  ...credentials,
};

const tokens = {
  access_token: text,
  token_type,
  mac_key: text,
  mac_algorithm: { const: macAlgorithm },
  expires_in: integer,
  refresh_token: text,
  refresh_token_expires_in: integer,
  authorization_expires_in: integer,
  scope: text,
};
const optionalTokens = [
  'refresh_token',
  'refresh_token_expires_in',
  'authorization_expires_in',
  'mac_key',
  'mac_algorithm',
];

const profile = Object.fromEntries(
  profileFieldNames.map((field) => [field, { type: ['string', 'null'], maxLength: profileFields[field].maxLength }]),
);

const token = {
  active: { const: true },
  scope: text,
  client_id: text,
  username: text,
  token_type,
  cnf: object({ jkt: text, 'x5t#S256': text }, ['jkt', 'x5t#S256']),
  aud: uri,
  exp: seconds,
  iat: seconds,
  sub: text,
  iss: uri,
  acr: text,
  auth_time: seconds,
};

/** What a client says of itself [7591 §2]. */
const stated = read(clientMetadata);

/** An answer leaves out what is not registered, and what this server cannot do. */
const leftOut = Object.keys(stated).filter(
  (name) => (stated[name]?.['default'] ?? null) === null || name === 'tls_client_certificate_bound_access_tokens',
);
const alwaysAnswered = ['client_name', 'scope', 'authorization_signed_response_alg'];

/** What this server adds [7591 §3.2.1; 7592 §3]. */
const registration = {
  client_id: text,
  client_id_issued_at: seconds,
  client_secret: text,
  client_secret_expires_at: { const: 0 },
  registration_access_token: text,
  registration_client_uri: uri,
};

const nullable: Schema = { type: ['string', 'null'] };

/** The bodies of requests and answers. */
export const schemas: Readonly<Record<string, Schema>> = {
  Error: object({
    error: { enum: Object.keys(errorStatus) },
    error_description: text,
    error_uri: uri,
    request_id: text,
  }),
  PushedRequest: object(authorizationParameters, Object.keys(authorizationParameters)),
  RequestUri: object({ request_uri: uri, expires_in: integer }),
  TokenRequest: object(tokenRequest, Object.keys(grantParameters)),
  GithubTokenRequest: object(tokenRequest, Object.keys(tokenRequest)),
  Tokens: object(tokens, optionalTokens),
  TokenAndCredentials: object({ ...filled(shownToken), token_type_hint: text, ...credentials }, [
    'token_type_hint',
    ...Object.keys(credentials),
  ]),
  Token: object(filled(shownToken)),
  AccessToken: object(filled(shownAccessToken)),
  PresentedToken: object({ access_token: text }, ['access_token']),
  Introspection: {
    oneOf: [
      object({ active: { const: false } }),
      object(token, ['username', 'token_type', 'cnf', 'aud', 'acr', 'auth_time']),
    ],
  },
  Received: object({ received: { const: true } }),
  Nothing: { type: 'object', properties: {} },
  User: object(
    { id: integer, sub: text, username: text, ...profile, email_verified: boolean, email_pending: { const: true } },
    ['username', ...profileFieldNames, 'email_verified', 'email_pending'],
  ),
  ProfileChange: {
    type: 'object',
    minProperties: 1,
    properties: read(profileChange),
  },
  GithubUser: object({ login: text, id: integer, type: { const: 'User' }, name: nullable, email: nullable }),
  GithubEmails: list(
    object({ email: text, primary: { const: true }, verified: { const: true }, visibility: { const: 'private' } }),
  ),
  GithubMemberships: { type: 'array', maxItems: 0 },
  GithubToken: object({
    token: text,
    app: object({ client_id: text, name: text, url: uri }),
    scopes: list(text),
    user: object({ id: integer, login: nullable }),
    created_at: { type: 'string', format: 'date-time' },
    expires_at: { type: 'string', format: 'date-time' },
  }),
  ClientMetadata: object(stated, Object.keys(stated)),
  ClientInformationChange: object({ ...stated, client_id: text, client_secret: text }, [
    ...Object.keys(stated),
    'client_secret',
  ]),
  ClientInformation: object({ ...stated, ...registration }, [
    ...leftOut.filter((name) => !alwaysAnswered.includes(name)),
    'client_secret',
    'client_secret_expires_at',
  ]),
  Keys: object({
    keys: list(
      object({
        kty: { const: 'EC' },
        crv: text,
        x: text,
        y: text,
        kid: text,
        alg: { const: algorithm },
        use: { const: 'sig' },
      }),
    ),
  }),
  ServerMetadata: {
    ...object({ issuer: uri, authorization_endpoint: uri, token_endpoint: uri }),
    additionalProperties: true,
  },
  ResourceMetadata: { ...object({ resource: uri, authorization_servers: list(uri) }), additionalProperties: true },
  Description: { ...object({ openapi: text, paths: { type: 'object' } }), additionalProperties: true },
  Status: object({ status: { enum: ['ok', 'ready'] } }),
};
