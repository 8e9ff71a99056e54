import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { answerJson } from '../../http/answers.ts';
import { authenticationMethods } from '../../http/client-authentication.ts';
import { flowPaths, issuerOf } from '../../http/dialect.ts';
import { presentations } from '../../http/presentation.ts';
import { promptValues } from '../../protocol/prompt.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';

/** Members that the metadata of both issuers share. */
const common = {
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: authenticationMethods,
  prompt_values_supported: promptValues,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
};

/** Authorization server metadata [8414 §2]. */
export const serverMetadata =
  ({ config: { issuer }, database }: Deps): RequestHandler =>
  async (_req, res) => {
    answerJson(res, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      introspection_endpoint: `${issuer}/introspect`,
      userinfo_endpoint: `${issuer}/user`,
      scopes_supported: await scopeNames({ database }),
      ...common,
      revocation_endpoint_auth_methods_supported: authenticationMethods,
      introspection_endpoint_auth_methods_supported: authenticationMethods.filter((method) => method !== 'none'),
      service_documentation: `${issuer}/`,
    });
  };

/** The metadata of the GitHub-compatible endpoints, which have an issuer of their own. */
export const githubMetadata =
  ({ config, database }: Deps): RequestHandler =>
  async (_req, res) => {
    answerJson(res, 200, {
      issuer: issuerOf(config, 'github'),
      authorization_endpoint: `${config.issuer}${flowPaths.github.authorize}`,
      token_endpoint: `${config.issuer}/login/oauth/access_token`,
      userinfo_endpoint: `${config.issuer}/api/v3/user`,
      scopes_supported: await scopeNames({ database }),
      ...common,
    });
  };

/** Protected resource metadata of /user [9728 §2]. */
export const resourceMetadata =
  ({ config: { issuer }, database }: Deps): RequestHandler =>
  async (_req, res) => {
    answerJson(res, 200, {
      resource: issuer,
      authorization_servers: [issuer],
      scopes_supported: await scopeNames({ database }),
      ...Object.assign({}, ...presentations.map(({ metadata }) => metadata)),
    });
  };

async function scopeNames({ database }: Pick<Deps, 'database'>): Promise<string[]> {
  const catalogue = await findScopeCatalogue(database);
  return [...new Set(catalogue.flatMap(({ group_name, name }) => [group_name, name]))];
}
