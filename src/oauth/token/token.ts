import type { RequestHandler } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { authenticateClient, type ClientCredentials } from '../../clients/client.ts';
import { readClientCredentials } from '../../clients/client-authentication.ts';
import { byCurrentClient } from '../../clients/current-client.ts';
import { readDpopProof } from '../../clients/dpop-proof.ts';
import { mayAskForMore } from '../../clients/origins.sql.ts';
import type { Deps } from '../../deps.ts';
import { dpopBinding } from '../../lib/binding.ts';
import { OAuthError } from '../../lib/errors.ts';
import {
  asksOfflineAccess,
  namesIn,
  readGithubScope,
  readScope,
  type ScopeCatalogue,
  scopeProblem,
  spelledAsRequested,
  withoutOfflineAccess,
} from '../../lib/scope.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, readBody } from '../../web/request-parameters.ts';
import { codeGrant, refreshGrant, tokenGrant } from '../../web/request-schemas.ts';
import { readAskedPart } from '../authorize/requested-resources.ts';
import { type Dialect, wantsJson } from '../github/dialect.ts';
import { exchangeCode, refresh } from './exchange.ts';
import { answerTokens } from './token-answer.ts';

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
      const part = readAskedPart(deps.config, parameters);
      const format = { isGithub: dialect === 'github', isJson: dialect === 'rfc' || wantsJson(req) };
      if (grant_type === 'authorization_code') {
        const request = readBody(codeGrant, req, parameters);
        const catalogue = await findScopeCatalogue(deps.database);
        return async () => {
          const tokens = await exchangeCode(deps, client, { ...request, ...part }, trace);
          answerTokens(res, tokens, { catalogue, format });
        };
      }
      if (grant_type === 'refresh_token') {
        const { refresh_token, scope } = readBody(refreshGrant, req, parameters);
        const named = withoutOfflineAccess(scope);
        const { catalogue, ...asked } = await readRefreshScope(deps, client, { scope: named, dialect }, trace);
        return async () => {
          const tokens = await refresh(deps, client, { refresh_token, ...asked, ...part }, trace);
          const requested_scope = named ? spelledAsRequested(catalogue, named, tokens.scopes) : tokens.requested_scope;
          const asks_offline_access = scope === undefined ? tokens.asks_offline_access : asksOfflineAccess(scope);
          answerTokens(res, { ...tokens, requested_scope, asks_offline_access }, { catalogue, format });
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
): Promise<{ catalogue: ScopeCatalogue; scopes: string[] | undefined; names?: string[] | undefined }> {
  if (scope === undefined) return { catalogue: await findScopeCatalogue(deps.database), scopes: undefined };
  const client = await authenticateClient(deps, credentials, trace);
  const catalogue = await findScopeCatalogue(deps.database, client.scopes.join(' '));
  const asksForMore = dialect === 'rfc' && mayAskForMore(client);
  const askable = asksForMore ? catalogue.map(({ name }) => name) : client.scopes;
  const read = dialect === 'github' ? readGithubScope : readScope;
  const scopes = read(catalogue, scope, askable);
  if (!scopes) throw new OAuthError('invalid_scope', scopeProblem(catalogue, scope, askable));
  // a client that names a group may mean what it registered of the group, although it may ask for all
  const registered = asksForMore ? readScope(catalogue, scope, client.scopes) : undefined;
  return { catalogue, scopes, names: registered ?? namesIn(scope) };
}
