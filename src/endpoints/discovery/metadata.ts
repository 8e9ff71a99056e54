import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { answerJson } from '../../http/answers.ts';
import { authenticationMethods } from '../../http/client-authentication.ts';
import { presentations } from '../../http/presentation.ts';
import { promptValues } from '../../protocol/prompt.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';

/** Authorization server metadata [8414 §2]. */
export const serverMetadata =
  ({ config: { issuer }, database }: Deps): RequestHandler =>
  async (_req, res) => {
    const withSecret = authenticationMethods.filter((method) => method !== 'none');
    answerJson(res, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      introspection_endpoint: `${issuer}/introspect`,
      scopes_supported: await scopeNames({ database }),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: authenticationMethods,
      revocation_endpoint_auth_methods_supported: authenticationMethods,
      introspection_endpoint_auth_methods_supported: withSecret,
      prompt_values_supported: promptValues,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${issuer}/`,
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
