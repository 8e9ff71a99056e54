import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { answerJson } from '../../http/answers.ts';
import type { ScopeCatalogue } from '../../protocol/scope.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';
import { describePaths } from './openapi-operation.ts';
import { paths, registrationPaths } from './openapi-paths.ts';
import { schemas } from './openapi-schemas.ts';

/** A description of all addresses for machines [OpenAPI 3.1]; the pages are for people and not in it. */
export const openapi =
  ({ config, database }: Deps): RequestHandler =>
  async (_req, res) => {
    const { issuer, brand, registration_endpoint } = config;
    const operations = registration_endpoint === 'off' ? paths : { ...paths, ...registrationPaths };
    answerJson(res, 200, {
      openapi: '3.1.0',
      info: { title: brand.name, version: '1' },
      servers: [{ url: issuer }],
      paths: describePaths(operations),
      components: { schemas, securitySchemes: securitySchemes(issuer, await findScopeCatalogue(database)) },
    });
  };

function securitySchemes(issuer: string, catalogue: ScopeCatalogue): object {
  const authorizationCode = {
    authorizationUrl: `${issuer}/authorize`,
    tokenUrl: `${issuer}/token`,
    refreshUrl: `${issuer}/token`,
    scopes: Object.fromEntries(catalogue.map(({ name, sentence }) => [name, sentence])),
  };
  return {
    client_secret_basic: { type: 'http', scheme: 'basic' },
    oauth2: { type: 'oauth2', flows: { authorizationCode } },
    initial_access_token: { type: 'http', scheme: 'bearer' },
    registration_access_token: { type: 'http', scheme: 'bearer' },
  };
}
