import type { Request, RequestHandler, Response } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { supportedMethods } from '../../clients/client-certificate.ts';
import { allClientsPush } from '../../clients/clients.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { assertionAlgorithms, clientAlgorithms } from '../../lib/client-jwt.ts';
import { algorithm } from '../../lib/jwt.ts';
import { arrivalHeader, isProbe, probeHeader, writeArrival } from '../../lib/probe.ts';
import { promptValues } from '../../lib/prompt.ts';
import { responseModes } from '../../lib/response-mode.ts';
import { offlineAccess } from '../../lib/scope.ts';
import type { Database } from '../../postgres/database.ts';
import { aliases } from '../../web/aliases.ts';
import { answerCacheableJson, answerJson } from '../../web/answers.ts';
import { authorizationEndpoint, calledEndpoints, registrationEndpoint } from '../../web/endpoints.ts';
import { languages } from '../../web/language.ts';
import { traceOf } from '../../web/request-log.ts';
import { findChoices } from '../choice/choices.sql.ts';
import { flowPaths, issuerOf } from '../github/dialect.ts';
import { presentations } from '../resource/challenges.ts';
import { publishedKeysMaxAge } from '../token/signing-keys.sql.ts';
import { listPublishedKeys } from '../token/signing-keys.ts';

/** Members that the metadata of both issuers share. */
const common = (config: Config) => ({
  jwks_uri: `${config.issuer}/jwks`,
  response_types_supported: ['code'],
  response_modes_supported: responseModes,
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: supportedMethods(config),
  token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
  dpop_signing_alg_values_supported: clientAlgorithms,
  tls_client_certificate_bound_access_tokens: config.takes_certificates || undefined,
  prompt_values_supported: promptValues,
  acr_values_supported: config.acr_names,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  authorization_signing_alg_values_supported: [algorithm],
  ui_locales_supported: languages.map(({ language }) => language),
  service_documentation: `${config.issuer}/developer`,
});

/** Authorization server metadata [8414 §2]. */
export const serverMetadata =
  (
    { config, database, sessionSecrets }: Deps,
    mayAnyProviderRevoke: (database: Database) => Promise<boolean>,
  ): RequestHandler =>
  async (req, res) => {
    answerProbe(req, res, { sessionSecrets });
    const { issuer, client_id_documents } = config;
    const endpoints = calledEndpoints(config);
    answerJson(res, 200, {
      issuer,
      authorization_endpoint: authorizationEndpoint(config),
      ...endpoints,
      ...aliases(config, endpoints),
      require_pushed_authorization_requests: (await mustPush({ config, database })) || undefined,
      request_object_signing_alg_values_supported: clientAlgorithms,
      registration_endpoint: registrationEndpoint(config),
      client_id_metadata_document_supported: client_id_documents || undefined,
      scopes_supported: [...(await scopeNames({ database })), offlineAccess],
      authorization_details_types_supported: await choiceNames(database),
      ...common(config),
      revocation_endpoint_auth_methods_supported: supportedMethods(config),
      revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
      global_token_revocation_endpoint: (await mayAnyProviderRevoke(database)) ? `${issuer}/revoke-subject` : undefined,
      introspection_endpoint_auth_methods_supported: supportedMethods(config).filter((method) => method !== 'none'),
      introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
      introspection_signing_alg_values_supported: [algorithm],
    });
  };

/** The metadata of the GitHub-compatible endpoints, which have an issuer of their own. */
export const githubMetadata =
  ({ config, database }: Deps): RequestHandler =>
  async (_req, res) => {
    const endpoints = {
      token_endpoint: `${config.issuer}/login/oauth/access_token`,
      userinfo_endpoint: `${config.issuer}/api/v3/user`,
    };
    answerJson(res, 200, {
      issuer: issuerOf(config, 'github'),
      authorization_endpoint: `${config.issuer}${flowPaths.github.authorize}`,
      ...endpoints,
      ...aliases(config, endpoints),
      scopes_supported: await scopeNames({ database }),
      authorization_details_types_supported: await choiceNames(database),
      ...common(config),
    });
  };

/** Protected resource metadata of /user [9728 §2]. */
export const resourceMetadata =
  ({ config, database }: Deps): RequestHandler =>
  async (_req, res) => {
    const { issuer, brand } = config;
    answerJson(res, 200, {
      resource: issuer,
      resource_name: brand.name,
      authorization_servers: [issuer],
      resource_documentation: `${issuer}/developer`,
      tls_client_certificate_bound_access_tokens: config.takes_certificates || undefined,
      scopes_supported: await scopeNames({ database }),
      ...Object.assign({}, ...presentations.map(({ metadata }) => metadata)),
    });
  };

/** Whether every client must push its requests; false as long as others can register themselves [9126 §5]. */
async function mustPush({ config, database }: Pick<Deps, 'config' | 'database'>): Promise<boolean> {
  if (config.registration_endpoint !== 'off' || config.client_id_documents) return false;
  return allClientsPush(database);
}

/** The types of authorization_details [9396 §10]; undefined if people can choose nothing. */
async function choiceNames(database: Deps['database']): Promise<string[] | undefined> {
  const choices = await findChoices(database);
  return choices.length > 0 ? choices.map(({ name }) => name) : undefined;
}

async function scopeNames({ database }: Pick<Deps, 'database'>): Promise<string[]> {
  const catalogue = await findScopeCatalogue(database);
  return [...new Set(catalogue.flatMap(({ group_name, name }) => [group_name, name]))];
}

/** Tells the command doctor, and nobody else, what arrived here of its request. */
function answerProbe(req: Request, res: Response, { sessionSecrets }: Pick<Deps, 'sessionSecrets'>): void {
  const probe = req.headers[probeHeader];
  if (typeof probe !== 'string' || !isProbe(sessionSecrets, probe, Date.now())) return;
  const { host = null, 'x-forwarded-proto': proto = null, 'x-forwarded-for': addresses = '' } = req.headers;
  const trusts = req.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const arrival = {
    host,
    forwarded_proto: proto === null ? null : String(proto),
    forwarded_for: String(addresses)
      .split(',')
      .filter((address) => address.trim() !== '').length,
    is_trusted: trusts(req.socket.remoteAddress ?? '', 0),
  };
  res.setHeader(arrivalHeader, writeArrival(arrival));
}

/** The public keys that verify what this server signs [7517 §5]. An empty set is not cached: the first key signs at once. */
export const jwks =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const stored = await listPublishedKeys(deps, traceOf(req, res));
    const keys = stored.map(({ kid, public_jwk: { kty, crv, x, y } }) => {
      return { kty, crv, x, y, kid, alg: algorithm, use: 'sig' };
    });
    if (keys.length === 0) return answerJson(res, 200, { keys });
    answerCacheableJson(res, { keys }, publishedKeysMaxAge);
  };
