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
  shownLogout,
  shownToken,
} from '../../web/request-schemas.ts';
import type { Schema } from './openapi-operation.ts';

export const text: Schema = { type: 'string' };
const uri: Schema = { type: 'string', format: 'uri' };
const boolean: Schema = { type: 'boolean' };
const integer: Schema = { type: 'integer' };
const seconds: Schema = { type: 'integer', description: 'seconds since 1970' };
const list = (items: Schema): Schema => ({ type: 'array', items });

/** An object whose members are required unless their names end with a question mark. */
function object(members: Record<string, Schema>): Schema {
  const required = Object.keys(members).filter((name) => !name.endsWith('?'));
  const entries = Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema]);
  return { type: 'object', properties: Object.fromEntries(entries), ...(required.length > 0 && { required }) };
}

const optional = (members: Record<string, Schema>, names = Object.keys(members)) =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [names.includes(name) ? `${name}?` : name, one]));

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

/** What people have chosen of their things [9396], and the parameter by which a client asks for less. */
const authorizationDetails = list({
  oneOf: [object({ type: text, identifier: text }), object({ type: text, all: { const: true } })],
});
const askedDetails: Schema = { type: 'string', contentMediaType: 'application/json' };

const grantParameters = {
  ...read(codeGrant),
  ...read(refreshGrant),
  resource: uri,
  authorization_details: askedDetails,
  ...credentials,
};

const authorizationParameters = {
  ...read(authorizationDestination),
  ...read(authorizationRequest),
  response_type: { enum: ['code'] },
  response_mode: { enum: responseModes },
  login_hint: text,
  ui_locales: text,
  resource: uri,
  authorization_details: askedDetails,
  ...credentials,
};

const profile = Object.fromEntries(
  profileFieldNames.map((field) => [field, { type: ['string', 'null'], maxLength: profileFields[field].maxLength }]),
);

/** What a client says of itself [7591 §2]. */
const stated = read(clientMetadata);

/** An answer leaves out what is not registered, and what this server cannot do. */
const alwaysAnswered = ['client_name', 'scope', 'authorization_signed_response_alg'];
const leftOut = Object.keys(stated).filter(
  (name) =>
    !alwaysAnswered.includes(name) &&
    ((stated[name]?.['default'] ?? null) === null || name === 'tls_client_certificate_bound_access_tokens'),
);

const nullable: Schema = { type: ['string', 'null'] };

/** The bodies of requests and answers. */
export const schemas: Readonly<Record<string, Schema>> = {
  Error: object({
    error: { enum: Object.keys(errorStatus) },
    error_description: text,
    error_uri: uri,
    request_id: text,
  }),
  PushedRequest: object(optional(authorizationParameters)),
  RequestUri: object({ request_uri: uri, expires_in: integer }),
  TokenRequest: object({ grant_type: grantTypes, ...optional(grantParameters) }),
  GithubTokenRequest: object(optional({ grant_type: grantTypes, ...grantParameters })),
  Tokens: object({
    access_token: text,
    token_type,
    'mac_key?': text,
    'mac_algorithm?': { const: macAlgorithm },
    expires_in: integer,
    'refresh_token?': text,
    'refresh_token_expires_in?': integer,
    'authorization_expires_in?': integer,
    scope: text,
    'authorization_details?': authorizationDetails,
  }),
  TokenAndCredentials: object({ ...filled(shownToken), 'token_type_hint?': text, ...optional(credentials) }),
  Token: object(filled(shownToken)),
  AccessToken: object(filled(shownAccessToken)),
  SubjectToRevoke: object({ sub_id: object({ format: { const: 'iss_sub' }, iss: uri, sub: text }) }),
  LogoutToken: object(filled(shownLogout)),
  PresentedToken: object({ 'access_token?': text }),
  Introspection: {
    oneOf: [
      object({ active: { const: false } }),
      object({
        active: { const: true },
        scope: text,
        client_id: text,
        'username?': text,
        'token_type?': token_type,
        'cnf?': object({ 'jkt?': text, 'x5t#S256?': text }),
        'aud?': uri,
        exp: seconds,
        iat: seconds,
        sub: text,
        iss: uri,
        'acr?': text,
        'auth_time?': seconds,
        'authorization_details?': authorizationDetails,
      }),
    ],
  },
  Received: object({ received: { const: true } }),
  Nothing: { type: 'object', properties: {} },
  User: object({
    id: integer,
    sub: text,
    ...optional({ username: text, ...profile, email_verified: boolean, email_pending: { const: true } }),
    'authorization_details?': authorizationDetails,
  }),
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
  ClientMetadata: object(optional(stated)),
  ClientInformationChange: object({ ...optional(stated), client_id: text, 'client_secret?': text }),
  // what this server adds: RFC 7591 §3.2.1, RFC 7592 §3
  ClientInformation: object({
    ...optional(stated, leftOut),
    client_id: text,
    client_id_issued_at: seconds,
    'client_secret?': text,
    'client_secret_expires_at?': { const: 0 },
    registration_access_token: text,
    registration_client_uri: uri,
  }),
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
