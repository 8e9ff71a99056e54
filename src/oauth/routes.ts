import type { RequestHandler } from 'express';
import { showLogo } from '../clients/client-logos.ts';
import { bodyWithBoxes } from '../identity/form-body.ts';
import { body } from '../web/body.ts';
import { cacheForever } from '../web/cache-forever.ts';
import { returnInteractionId } from '../web/interaction-id.ts';
import { keeping } from '../web/kept-form.ts';
import { notForHead } from '../web/route.ts';
import type { Addresses } from './addresses.ts';
import { authorize } from './authorize/authorize.ts';
import { authorizeByForm } from './authorize/authorize-by-form.ts';
import { pushAuthorizationRequest } from './authorize/par.ts';
import { consent, refuseWithoutForm } from './consent/consent.ts';
import { crossOrigin, preflight } from './cross-origin.ts';
import { dialects, flowPaths } from './github/dialect.ts';
import { checkToken, deleteGrant, deleteToken } from './github/github-applications.ts';
import { githubEmails, githubMemberships, githubUser } from './github/github-user.ts';
import { githubMetadata, jwks, resourceMetadata, serverMetadata } from './metadata/metadata.ts';
import { openapi } from './metadata/openapi.ts';
import { explainError } from './page-refusals.ts';
import { user } from './resource/access-token.ts';
import { introspection } from './token/introspection.ts';
import { reportLeakedToken } from './token/leaked-token.ts';
import { revocation } from './token/revoke.ts';
import { token } from './token/token.ts';

/** What later modules do at the addresses of this module. */
interface Handed {
  changeUser: RequestHandler;
  hasPasskeyHere: Parameters<typeof authorize>[2];
  renderLogin: Parameters<typeof consent>[2];
  mayAnyProviderRevoke: Parameters<typeof serverMetadata>[1];
}

export function addOAuth(
  {
    deps,
    pageDeps,
    withSession,
    withForm,
    jsonRoute,
    pageRoute,
    resourceRoute,
    authorizationRoute,
    otherRoute,
    publicDocument,
  }: Addresses,
  { changeUser, hasPasskeyHere, renderLogin, mayAnyProviderRevoke }: Handed,
): void {
  const cors = crossOrigin(deps);
  jsonRoute('/par', { post: [cors, body, pushAuthorizationRequest(deps)], options: [cors, preflight('POST')] });
  jsonRoute('/token', { post: [cors, body, token(deps, 'rfc')], options: [cors, preflight('POST')] });
  jsonRoute('/revoke', { post: [cors, body, revocation(deps)], options: [cors, preflight('POST')] });
  jsonRoute('/leaked', { post: [body, reportLeakedToken(deps)] });
  jsonRoute('/introspect', { post: [body, introspection(deps)] });
  resourceRoute('/user', {
    get: [cors, returnInteractionId, user(deps)],
    post: [cors, returnInteractionId, body, user(deps)],
    patch: [cors, returnInteractionId, body, changeUser],
    options: [cors, preflight('GET, POST, PATCH')],
  });

  for (const dialect of dialects) {
    authorizationRoute(flowPaths[dialect].authorize, {
      get: [...withSession, notForHead, authorize(pageDeps, dialect, hasPasskeyHere)],
      post: [body, authorizeByForm(pageDeps, dialect)],
    });
    authorizationRoute(flowPaths[dialect].consent, {
      get: [refuseWithoutForm],
      post: [
        ...withForm(bodyWithBoxes),
        keeping(/^(scope|duration|(choice|q)\..*)$/, consent(pageDeps, dialect, renderLogin)),
      ],
    });
  }

  // GitHub-compatible endpoints
  jsonRoute('/login/oauth/access_token', { post: [body, token(deps, 'github')] });
  for (const root of ['', '/api/v3']) {
    const post = [body, checkToken(deps)];
    jsonRoute(`${root}/applications/:client_id/token`, { post, delete: [body, deleteToken(deps)] });
    jsonRoute(`${root}/applications/:client_id/grant`, { delete: [body, deleteGrant(deps)] });
  }
  resourceRoute('/api/v3/user', { get: [githubUser(deps)] });
  resourceRoute('/api/v3/user/emails', { get: [githubEmails(deps)] });
  resourceRoute('/api/v3/user/orgs', { get: [githubMemberships(deps)] });
  resourceRoute('/api/v3/user/teams', { get: [githubMemberships(deps)] });

  publicDocument('/jwks', jwks(deps));
  publicDocument('/openapi.json', openapi(deps));
  publicDocument('/.well-known/oauth-authorization-server', serverMetadata(deps, mayAnyProviderRevoke));
  publicDocument('/.well-known/oauth-authorization-server/login/oauth', githubMetadata(deps));
  publicDocument('/.well-known/oauth-protected-resource', resourceMetadata(deps));

  pageRoute('/errors/:code', explainError(pageDeps));
  otherRoute('/logos/:digest', { get: [cacheForever, showLogo(pageDeps)] });
}
