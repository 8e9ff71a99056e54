import { type ErrorCode, errorStatus } from '../../lib/errors.ts';

/** A JSON Schema [2020-12]. */
export type Schema = Readonly<Record<string, unknown>>;

export const ref = (schema: string): Schema => ({ $ref: `#/components/schemas/${schema}` });

export const form = 'application/x-www-form-urlencoded';
export const json = 'application/json';

export type SecurityScheme =
  | 'client_secret_basic'
  | 'oauth2'
  | 'dpop'
  | 'mac'
  | 'mutual_tls'
  | 'provider_token'
  | 'initial_access_token'
  | 'registration_access_token';

/** How an access token is presented: as a bearer token, with a proof of its key, or on a connection with its certificate. */
export const accessToken: readonly (readonly SecurityScheme[])[] = [
  ['oauth2'],
  ['dpop'],
  ['oauth2', 'mutual_tls'],
  ['mac'],
];

/** What an address does, in the terms of this server. */
export interface Operation {
  readonly summary: string;
  /** alternatives, each the security schemes that it takes together; none where everybody may ask */
  readonly security?: readonly (readonly SecurityScheme[])[];
  /** the scope that an access token needs */
  readonly scope?: string;
  readonly query?: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
  /** whether the body may be left out */
  readonly isBodyOptional?: boolean;
  /** media types of the body, if not form and JSON alike */
  readonly bodyTypes?: readonly string[];
  /** the body of a success by its status; null where it has none */
  readonly answers: Readonly<Record<number, Schema | null>>;
  /** media types of the success, if not JSON alone */
  readonly answerTypes?: readonly string[];
  /** media type of the success as a signed JWT, if there is one */
  readonly signedType?: string;
  /** errors in addition to those of every operation */
  readonly errors?: readonly ErrorCode[];
  /** the status of errors about a DPoP proof, where one is read [9449 §5, §7.1] */
  readonly dpopStatus?: 400 | 401;
}

/** The operations of a path by their method. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The paths of an OpenAPI document, with the security schemes that this server offers. */
export function describePaths(operations: Operations, schemes: object): Record<string, object> {
  const paths = Object.entries(operations).map(([path, methods]) => {
    const described = Object.entries(methods).map(([method, one]) => [
      method,
      describe(one, { method, path, schemes }),
    ]);
    return [path, Object.fromEntries(described)];
  });
  return Object.fromEntries(paths);
}

interface Place {
  method: string;
  path: string;
  schemes: object;
}

function describe(operation: Operation, { method, path, schemes }: Place): object {
  const { summary, security, scope, query = {}, body, isBodyOptional = false, bodyTypes = [form, json] } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { name, in: 'path', required: true, schema: { type: 'string' } };
  });
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema }));
  const inHeader = operation.dpopStatus ? [{ $ref: '#/components/parameters/DPoP' }] : [];
  const parameters = [...inPath, ...inQuery, ...inHeader];
  return {
    operationId: `${method}_${path.replaceAll(/\W+/g, '_').replaceAll(/^_|_$/g, '')}`,
    summary,
    ...(security && { security: requirements(security, schemes, scope) }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !isBodyOptional, content: content(body, bodyTypes) } }),
    responses: { ...successes(operation), ...refusals(operation) },
  };
}

/** The alternatives that this server offers; scopes are stated where a scheme knows scopes. */
function requirements(security: Operation['security'] & object, schemes: object, scope: string | undefined): object[] {
  return security
    .filter((alternative) => alternative.every((name) => name in schemes))
    .map((alternative) =>
      Object.fromEntries(alternative.map((name) => [name, scope !== undefined && name === 'oauth2' ? [scope] : []])),
    );
}

function content(schema: Schema, types: readonly string[]): object {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function successes({ answers, answerTypes = [json], signedType }: Operation): object {
  const signed = signedType ? content({ type: 'string' }, [signedType]) : {};
  const described = Object.entries(answers).map(([status, schema]) => {
    const bodies = schema && { content: { ...content(schema, answerTypes), ...signed } };
    return [status, { description: 'success', ...bodies }];
  });
  return Object.fromEntries(described);
}

const dpopErrors: readonly ErrorCode[] = ['invalid_dpop_proof', 'use_dpop_nonce'];

/** One response for each status that the errors of the operation have. */
function refusals({ body, errors = [], dpopStatus }: Operation): object {
  const codes: ErrorCode[] = [...errors, 'server_error', 'temporarily_unavailable'];
  const byStatus = new Map<number, ErrorCode[]>(body ? [[413, ['invalid_request']]] : []);
  for (const code of codes) byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  if (dpopStatus) byStatus.set(dpopStatus, [...(byStatus.get(dpopStatus) ?? []), ...dpopErrors]);
  const described = [...byStatus].map(([status, found]) => {
    const schema = { ...ref('Error'), properties: { error: { enum: found } } };
    return [status, { description: found.join(', '), content: content(schema, [json]) }];
  });
  return Object.fromEntries(described);
}
