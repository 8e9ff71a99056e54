import type { RequestHandler, Response } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { authenticateClient, type ClientCredentials } from '../../clients/client.ts';
import { readClientCredentials } from '../../clients/client-authentication.ts';
import { byCurrentClient } from '../../clients/current-client.ts';
import { readDpopProof } from '../../clients/dpop-proof.ts';
import type { Deps } from '../../deps.ts';
import { dpopBinding } from '../../lib/binding.ts';
import { OAuthError } from '../../lib/errors.ts';
import { macAlgorithm } from '../../lib/mac.ts';
import {
  readGithubScope,
  readScope,
  type ScopeCatalogue,
  scopeProblem,
  spelledAsRequested,
  writeScope,
} from '../../lib/scope.ts';
import { answer, answerJson } from '../../web/answers.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, readBody } from '../../web/request-parameters.ts';
import { codeGrant, refreshGrant, tokenGrant } from '../../web/request-schemas.ts';
import { readResource } from '../authorize/requested-access.ts';
import { type Dialect, wantsJson } from '../github/dialect.ts';
import { exchangeCode } from './authorization-code.ts';
import type { GrantedTokens } from './credentials.ts';
import { refresh } from './refresh-token.ts';

/** The token endpoint [6749 §3.2, §4.1.3, §6]. */
export const token =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  (req, res) =>
    byCurrentClient(deps, req, async () => {
      const parameters = bodyParameters(req);
      if (dialect === 'github') parameters['grant_type'] ??= 'authorization_code';
      const trace = traceOf(req, res);
      const credentials = await readClientCredentials(deps, req, parameters, trace);
      const shown = await readDpopProof(deps, req);
      const client = { ...credentials, ...shown, dpop: shown && dpopBinding(shown.thumbprint) };
      const { grant_type } = readBody(tokenGrant, req, parameters);
      const resource = readResource(deps.config, parameters['resource']);
      const format = { isGithub: dialect === 'github', isJson: dialect === 'rfc' || wantsJson(req) };
      if (grant_type === 'authorization_code') {
        const request = readBody(codeGrant, req, parameters);
        const catalogue = await findScopeCatalogue(deps.database);
        return async () => {
          const tokens = await exchangeCode(deps, client, { ...request, resource }, trace);
          answerTokens(res, tokens, { catalogue, format });
        };
      }
      if (grant_type === 'refresh_token') {
        const { refresh_token, scope } = readBody(refreshGrant, req, parameters);
        const { catalogue, scopes } = await readRefreshScope(deps, client, { scope, dialect }, trace);
        return async () => {
          const tokens = await refresh(deps, client, { refresh_token, scopes, resource }, trace);
          if (scope === undefined) return answerTokens(res, tokens, { catalogue, format });
          const requested_scope = dialect === 'rfc' ? spelledAsRequested(catalogue, scope, tokens.scopes) : undefined;
          answerTokens(res, { ...tokens, requested_scope }, { catalogue, format });
        };
      }
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
    });

/** Reads the scope of a refresh. A refusal shows which scopes the client registered, so the client is authenticated first [6749 §6]. */
async function readRefreshScope(
  deps: Deps,
  credentials: ClientCredentials,
  { scope, dialect }: { scope: string | undefined; dialect: Dialect },
  trace: Trace,
): Promise<{ catalogue: ScopeCatalogue; scopes: string[] | undefined }> {
  if (scope === undefined) return { catalogue: await findScopeCatalogue(deps.database), scopes: undefined };
  const client = await authenticateClient(deps, credentials, trace);
  const catalogue = await findScopeCatalogue(deps.database, client.scopes.join(' '));
  const read = dialect === 'github' ? readGithubScope : readScope;
  const scopes = read(catalogue, scope, client.scopes);
  if (!scopes) throw new OAuthError('invalid_scope', scopeProblem(catalogue, scope, client.scopes));
  return { catalogue, scopes };
}

interface Format {
  /** commas between scopes, in the canonical spelling */
  isGithub: boolean;
  /** false: form-encoded, as GitHub answers */
  isJson: boolean;
}

/** Always states the scope, since the person may have granted less than the client asked for [6749 §5.1]. */
function answerTokens(
  res: Response,
  {
    access_token,
    token_type,
    mac_key,
    expires_in,
    refresh_token,
    refresh_expires_in,
    authorization_expires_in,
    scopes,
    requested_scope,
  }: GrantedTokens,
  { catalogue, format }: { catalogue: ScopeCatalogue; format: Format },
): void {
  const tokens = {
    access_token,
    token_type,
    ...(mac_key && { mac_key, mac_algorithm: macAlgorithm }),
    expires_in,
    ...(refresh_token && { refresh_token, refresh_token_expires_in: refresh_expires_in }),
    ...(authorization_expires_in !== undefined && { authorization_expires_in }),
    scope:
      (format.isGithub ? undefined : requested_scope) ?? writeScope(catalogue, scopes, format.isGithub ? ',' : ' '),
  };
  if (format.isJson) return answerJson(res, 200, tokens);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(tokens)) form.append(name, String(value));
  answer(res, 200, 'application/x-www-form-urlencoded;charset=UTF-8', form.toString());
}
