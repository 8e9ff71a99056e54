import type { X509Certificate } from 'node:crypto';
import type { Request } from 'express';
import type { Trace } from '../audit/audit.sql.ts';
import type { Deps } from '../deps.ts';
import { readBasic } from '../lib/basic-credentials.ts';
import { bindingOf } from '../lib/certificate.ts';
import { keyProblem } from '../lib/certificate-purpose.ts';
import { assertionType, clientOfAssertion } from '../lib/client-assertion.ts';
import { type AuthenticationMethod, type RequestMethod, requestMethods } from '../lib/client-methods.ts';
import { OAuthError } from '../lib/errors.ts';
import { type Jwt, maxJwtLength, readJwt } from '../lib/jwt.ts';
import type { Parameters } from '../lib/parameters.ts';
import { digestOf } from '../lib/secrets.ts';
import { calledUrl } from '../web/aliases.ts';
import { misplaced, queryParameters } from '../web/request-parameters.ts';
import { type ClientCredentials, invalidClient } from './client.ts';
import { requireValidAssertion } from './client-assertion.ts';
import { methodOfCertificate } from './client-certificate.ts';
import { refreshDocument } from './client-document.ts';
import { verifiedBy } from './current-client.ts';
import { clientCertificate } from './presented-certificate.ts';

/** What one authentication method found in a request. */
interface Presented {
  client_id: string | undefined;
  client_secret?: string | undefined;
  assertion?: Jwt | undefined;
}

/** How each method reads credentials from a request [6749 §2.3.1; 7523 §2.2]; undefined when the request does not use the method. */
const methods: Record<RequestMethod, (req: Request, parameters: Parameters) => Presented | undefined> = {
  client_secret_basic({ headers: { authorization } }) {
    if (authorization === undefined) return undefined;
    const credentials = readBasic(authorization);
    if (!credentials) throw invalidClient('client_secret_basic', 'Authorization header malformed');
    return credentials;
  },
  client_secret_post(_req, parameters) {
    const [client_id, client_secret] = [single(parameters, 'client_id'), single(parameters, 'client_secret')];
    return client_secret === undefined ? undefined : { client_id, client_secret };
  },
  private_key_jwt(_req, parameters) {
    const text = single(parameters, 'client_assertion', maxJwtLength);
    if (text === undefined) return undefined;
    const assertion = readJwt(text);
    const client_id = assertion && clientOfAssertion(assertion);
    if (client_id === undefined) throw invalidClient('private_key_jwt', 'assertion without a client');
    if (single(parameters, 'client_assertion_type') !== assertionType) {
      throw invalidClient('private_key_jwt', 'client_assertion_type unknown');
    }
    return { client_id, assertion };
  },
  none(_req, parameters) {
    if (single(parameters, 'client_secret') !== undefined) return undefined;
    return { client_id: single(parameters, 'client_id') };
  },
};

/** What a request presents, unverified. */
interface PresentedCredentials {
  client_id: string;
  method: AuthenticationMethod;
  client_secret?: string | undefined;
  assertion?: Jwt | undefined;
  certificate: X509Certificate | undefined;
  /** a request object, which the client signs by one of its keys, too */
  request?: unknown;
}

/**
 * Reads the credentials. A secret is not verified yet: the statement that redeems or revokes does that. Credentials that are
 * sent in two ways must agree; otherwise a request could act as one client and be logged as another.
 */
export async function readClientCredentials(
  deps: Deps,
  req: Request,
  parameters: Parameters,
  trace: Trace,
): Promise<ClientCredentials> {
  return verifyCredentials(deps, req, presentedCredentials(deps, req, parameters), trace);
}

/** The first half of readClientCredentials, for an endpoint that has to prepare the client before the second half. */
export function presentedCredentials({ config }: Deps, req: Request, parameters: Parameters): PresentedCredentials {
  if (/[?&]client_secret=/.test(req.url)) throw new OAuthError('invalid_request', `client_secret ${misplaced}`);
  const presented = requestMethods.flatMap((method) => {
    const found = methods[method](req, parameters);
    return found ? [{ method, ...found }] : [];
  });
  const [first, ...others] = presented;
  if (first && !others.every((other) => agree(first, other))) {
    throw new OAuthError('invalid_request', 'the client credentials of the request disagree');
  }
  if (!first?.client_id) throw noClient(req);
  return { ...first, client_id: first.client_id, certificate: clientCertificate(config, req) };
}

export async function verifyCredentials(
  deps: Deps,
  req: Request,
  { client_id, method, client_secret, assertion, certificate, request }: PresentedCredentials,
  trace: Trace,
): Promise<ClientCredentials> {
  const jwts = [assertion, typeof request === 'string' ? readJwt(request) : undefined].filter(
    (jwt) => jwt !== undefined,
  );
  await refreshDocument(deps, { client_id, method, jwts, certificate }, trace);
  const secret_sha256 = client_secret === undefined ? null : digestOf(client_secret);
  // tokens are not bound to a key that is too weak: where they must be bound, the certificate is missing
  const isBinding = certificate && keyProblem(certificate) === undefined;
  const credentials = { client_id, method, secret_sha256, certificate: isBinding ? bindingOf(certificate) : undefined };
  if (assertion !== undefined) {
    const address = calledUrl(deps.config, req) + req.path;
    const proven = await requireValidAssertion(deps, { client_id, assertion, address }, trace);
    if (proven.client_version !== undefined) verifiedBy.set(req, proven.client);
    return { ...credentials, ...proven };
  }
  if (!certificate || client_secret !== undefined) return credentials;
  return { ...credentials, ...(await methodOfCertificate(deps, client_id, certificate, trace)) };
}

function agree(first: Presented, other: Presented): boolean {
  const { client_id = first.client_id, client_secret = first.client_secret, assertion = first.assertion } = other;
  return client_id === first.client_id && client_secret === first.client_secret && assertion === first.assertion;
}

function noClient(req: Request): OAuthError {
  if (queryParameters(req)['client_id'] === undefined) return invalidClient('none', 'client_id missing');
  return new OAuthError('invalid_request', `client_id ${misplaced}`);
}

function single(parameters: Parameters, name: string, maxLength = 512): string | undefined {
  const value = parameters[name];
  if (Array.isArray(value)) throw new OAuthError('invalid_request', `${name} is sent more than once`);
  if (value !== undefined && value.length > maxLength) throw new OAuthError('invalid_request', `${name} is too long`);
  return value;
}
