import type { RequestHandler } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import type { ScopeCatalogue } from '../../lib/scope.ts';
import { answerJson } from '../../web/answers.ts';
import { describePaths, type SecurityScheme } from './openapi-operation.ts';
import { paths, registrationPaths } from './openapi-paths.ts';
import { schemas } from './openapi-schemas.ts';

/** A description of all addresses for machines [OpenAPI 3.1]; the pages are for people and not in it. */
export const openapi =
  ({ config, database }: Deps): RequestHandler =>
  async (_req, res) => {
    const { issuer, brand, registration_endpoint } = config;
    const schemes = securitySchemes(config, await findScopeCatalogue(database));
    const operations = registration_endpoint === 'off' ? paths : { ...paths, ...registrationPaths };
    answerJson(res, 200, {
      openapi: '3.1.0',
      info: { title: brand.name, version: '1' },
      externalDocs: { url: `${issuer}/developer` },
      servers: [{ url: issuer }],
      paths: describePaths(operations, schemes),
      components: { schemas, parameters: { DPoP: dpopParameter }, securitySchemes: schemes },
    });
  };

const dpopParameter = {
  name: 'DPoP',
  in: 'header',
  description: 'A proof of the key to which tokens are or shall be bound [RFC 9449]',
  schema: { type: 'string' },
};

function securitySchemes({ issuer, takes_certificates }: Config, catalogue: ScopeCatalogue) {
  const authorizationCode = {
    authorizationUrl: `${issuer}/authorize`,
    tokenUrl: `${issuer}/token`,
    refreshUrl: `${issuer}/token`,
    scopes: Object.fromEntries(catalogue.map(({ name, sentence }) => [name, sentence])),
  };
  return {
    client_secret_basic: { type: 'http', scheme: 'basic' },
    oauth2: { type: 'oauth2', flows: { authorizationCode }, description: 'A bearer token [RFC 6750]' },
    dpop: { type: 'http', scheme: 'DPoP', description: 'With the header DPoP, for tokens bound to a key [RFC 9449]' },
    mac: { type: 'http', scheme: 'MAC', description: 'For tokens of the type mac [draft-ietf-oauth-v2-http-mac-02]' },
    ...(takes_certificates && {
      mutual_tls: { type: 'mutualTLS', description: 'At mtls_endpoint_aliases of the metadata [RFC 8705]' },
    }),
    provider_token: { type: 'http', scheme: 'bearer', description: 'A JWT of a provider at which people sign in' },
    initial_access_token: { type: 'http', scheme: 'bearer' },
    registration_access_token: { type: 'http', scheme: 'bearer' },
  } satisfies Partial<Record<SecurityScheme, object>>;
}
